/** An identifier, quoted for any statement. */
export function quoteName(name: string): string {
  return `[${name.replaceAll(']', ']]')}]`;
}

/** A text as a literal. */
export function literal(text: string): string {
  return `N'${text.replaceAll("'", "''")}'`;
}

/** A name with its schema as tools show it; without the schema for dbo. */
export function shownName(schema: string, name: string): string {
  return schema === 'dbo' ? name : `${schema}.${name}`;
}

/** An identifier, in brackets only where needed: for texts that people and models read. */
export function readableName(name: string): string {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) ? name : quoteName(name);
}
