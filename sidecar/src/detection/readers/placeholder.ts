/**
 * A part that a person has to replace, which says so wherever it stands: in angle or square brackets, in braces, between
 * percent signs or underscores, or called theirs: `<user>`, `[db_name]`, `{name}`, `{{ name }}`, `%DB_NAME%`,
 * `__DB_NAME__`, `YOUR_HOST`. An IPv6 address in brackets has colons, and an encoded character two digits of base 16.
 */
const MARKED =
  /<[^<>]+>|\[[A-Za-z][A-Za-z _-]+\]|\{[^{}]*\}|%(?:(?![0-9A-F]{2})[A-Z]{3,}|[A-Z]+_[A-Z_]+)%|__[A-Z]+(?:_[A-Z]+)*__|(?<![A-Za-z])YOUR[_-][A-Z]/;
/** What is only there until somebody writes a value: `xxx`, `***`, `...`, `CHANGE_ME`. A host has its port behind it. */
const UNWRITTEN = /^(?:x{3,}|X{3,}|\*{3,}|\.{3}|_{3,}|\?{3,}|(?:CHANGE|REPLACE|FILL)[_-](?:ME|THIS|IN))(?::\d*)?$/;

/** Whether one of these parts of a connection, of which none is a password, still is what its example says. */
export function hasPlaceholder(...parts: readonly (string | undefined)[]): boolean {
  return parts.some((part) => part !== undefined && (MARKED.test(part) || UNWRITTEN.test(part)));
}

/** `your_db_name`, `your-host` */
const YOURS = /^your[_-](?:\w{1,20}[_-])?(?:name|host(?:[_-]?name)?)(?:[_-]here)?(?::\d*)?$/i;

/**
 * Whether a host or a database is called theirs in a name that could be a real one, which it is where compose makes it.
 * An account that is still called so leaves it open only who logs in, not which database it is.
 */
export function isCalledYours(...parts: readonly (string | undefined)[]): boolean {
  return parts.some((part) => part !== undefined && YOURS.test(part));
}

/** The bare words for a user, a password and a database's name, as in Doctrine's example; two of them alone may be meant, as may `user_name`. */
const EXAMPLE = [
  /^(?:db_?user|user(?:name)?)$/i,
  /^(?:db_?)?pass(?:word)?$/i,
  /^(?:database|(?:db|database)_?name)$/i,
] as const;

/** Whether an account, its password and its database are called as in an example. */
export function isExample(user = '', password = '', database = ''): boolean {
  return [user, password, database].every((part, at) => EXAMPLE[at]?.test(part));
}

export const UNFILLED = 'still has placeholders that a person has to fill in';
