/** The input of a script for a least-privilege role. Names contain no invisible characters. */
export interface RoleOrder {
  readonly name: string;
  readonly database: string;
  /** Only these schemas, or all when empty. In MySQL a schema is a database. */
  readonly schemas: readonly string[];
  /** The user that creates the application's tables, if known. */
  readonly applicationUser: string | undefined;
}

/** Writes the script that an administrator reads and runs; nothing here runs it. Each engine has one. */
export interface RoleWriter {
  /** The problem with a name that the server would cut or refuse. */
  nameProblem(name: string): string | undefined;
  /** The schemas named in a connection's options. */
  schemasOf(options: Readonly<Record<string, unknown>>): readonly string[];
  script(order: RoleOrder): string;
}

/** Lines of a comment; '' is an empty one. */
export function sqlComment(...lines: readonly string[]): string {
  return lines.map((line) => (line === '' ? '--' : `-- ${line}`)).join('\n');
}

/** A word quoted for a POSIX shell. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

/** The first of these options that lists schemas; option names are compared in any spelling. */
export function schemasOption(options: Readonly<Record<string, unknown>>, names: readonly string[]): readonly string[] {
  const plain = (name: string): string => name.toLowerCase().replaceAll(/[_-]/g, '');
  for (const [name, value] of Object.entries(options)) {
    if (typeof value !== 'string' || !names.includes(plain(name))) continue;
    const schemas = value.split(',').map((one) => one.trim().replace(/^"(.*)"$/, '$1'));
    // "$user" is a schema of the connecting role, which will be a different one.
    const meant = schemas.filter((one) => one !== '' && !one.startsWith('$'));
    if (meant.length > 0) return meant;
  }
  return [];
}
