/**
 * A part that a person has to replace, which says so wherever it stands: in angle or square brackets, in braces, between
 * percent signs or underscores, or called theirs: `<user>`, `[db_name]`, `{name}`, `{{ name }}`, `%DB_NAME%`,
 * `__DB_NAME__`, `YOUR_HOST`. An IPv6 address in brackets has colons, and an encoded character two digits of base 16.
 */
const MARKED =
  /<[^<>]+>|\[[A-Za-z][A-Za-z _-]+\]|\{[^{}]*\}|%(?:(?![0-9A-F]{2})[A-Z]{3,}|[A-Z]+_[A-Z_]+)%|__[A-Z]+(?:_[A-Z]+)*__|(?<![A-Za-z])YOUR[_-][A-Z]/;
/**
 * What is only there until somebody writes a value: `xxx`, also as a word of a name (`db.xxxxxx.example.com`), `***`,
 * `...`, `CHANGE_ME`. A host has its port behind it.
 */
const UNWRITTEN =
  /^(?:\*{3,}|\.{3}|_{3,}|\?{3,}|(?:CHANGE|REPLACE|FILL)[_-](?:ME|THIS|IN))(?::\d*)?$|(?<![^._-])(?:x{3,}|X{3,})(?![^._:-])/;

/** Whether one of these parts of a connection, of which none is a password, still is what its example says. */
export function hasPlaceholder(...parts: readonly (string | undefined)[]): boolean {
  return parts.some((part) => part !== undefined && (MARKED.test(part) || UNWRITTEN.test(part)));
}

/** `/path/to/shop.db`: a folder that an example invents. */
export function isExamplePath(path: string): boolean {
  return /^(?:[a-z]:)?[\\/]?path[\\/]to[\\/]/i.test(path);
}

/**
 * A name that could be a real one, but says to be replaced: `your` with nothing behind it but words for the thing, as in
 * `your_db`, `name_of_your_database`, `your-db-host.example.com`, or with any where `name` or `host` is the last.
 */
const YOURS = [
  /^your[_-]\w{1,20}[_-](?:name|host(?:[_-]?name)?)(?:[_-]here)?(?::\d*)?$/i,
  /^your [\w -]+$/i,
  /^(?:(?:name|put|insert|enter|the|of|use)[ _-]){0,4}your(?:[ _-]?(?:db|database|sql|mysql|mariadb|postgres|postgresql|pg|mssql|local|remote|host|server|address|ip|schema|name|here)){1,5}(?:\.[\w.-]+)?(?::\d*)?$/i,
  // `changeme`, `db_name_here`, `---placeholder---`
  /^(?:change|replace)[ _-]?(?:me|this)(?::\d*)?$/i,
  /^(?:db|database|host|server)[_-](?:name[_-])?here(?::\d*)?$/i,
  /^\W*placeholder\W*(?::\d*)?$/i,
];

/**
 * Whether a host or a database is called theirs, or something to change, in a name that could be a real one, which it is
 * where compose makes it. An account that is still called so leaves it open only who logs in, not which database it is.
 */
export function isCalledYours(...parts: readonly (string | undefined)[]): boolean {
  return parts.some((part) => part !== undefined && YOURS.some((pattern) => pattern.test(part)));
}

/**
 * The bare words for a user, a password and a database's name, as in Doctrine's example. Two of them alone may be meant,
 * and so may `user` and `user_name`, as which people make accounts.
 */
const EXAMPLE = [
  /^(?:db_?user|username)$/i,
  /^(?:db_?)?pass(?:word)?$/i,
  /^(?:database|(?:db|database)_?name)$/i,
] as const;

/** Whether an account, its password and its database are called as in an example. */
export function isExample(user = '', password = '', database = ''): boolean {
  return [user, password, database].every((part, at) => EXAMPLE[at]?.test(part));
}

export const UNFILLED = 'still has placeholders that a person has to fill in';
