/** What a script of a least-privilege role is about. Names have no characters that cannot be seen. */
export interface RoleOrder {
  readonly name: string;
  readonly database: string;
  /** Only these; all that the database has where none are named. To MySQL a schema is a database. */
  readonly schemas: readonly string[];
  /** Whoever makes the application's tables, where that is known. */
  readonly applicationUser: string | undefined;
}

/** Writes the script that an administrator reads and runs; nothing here runs it. Each engine has one. */
export interface RoleWriter {
  /** What is wrong with a name that the server would cut or refuse. */
  nameProblem(name: string): string | undefined;
  /** The schemas that a connection's options speak of. */
  schemasOf(options: Readonly<Record<string, unknown>>): readonly string[];
  script(order: RoleOrder): string;
}

/** Lines of a comment; '' is an empty one. */
export function sqlComment(...lines: readonly string[]): string {
  return lines.map((line) => (line === '' ? '--' : `-- ${line}`)).join('\n');
}

/** A word as a POSIX shell reads it. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

/** The first option of these names that lists schemas; names are compared in any spelling. */
export function schemasOption(options: Readonly<Record<string, unknown>>, names: readonly string[]): readonly string[] {
  const plain = (name: string): string => name.toLowerCase().replaceAll(/[_-]/g, '');
  for (const [name, value] of Object.entries(options)) {
    if (typeof value !== 'string' || !names.includes(plain(name))) continue;
    const schemas = value.split(',').map((one) => one.trim().replace(/^"(.*)"$/, '$1'));
    // "$user" is a schema of the role that connects, which is another one from now on.
    const meant = schemas.filter((one) => one !== '' && !one.startsWith('$'));
    if (meant.length > 0) return meant;
  }
  return [];
}
