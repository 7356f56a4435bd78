/** An identifier as it may stand in any statement. */
export function quoteName(name: string): string {
  return `[${name.replaceAll(']', ']]')}]`;
}

/** A text as a literal. */
export function literal(text: string): string {
  return `N'${text.replaceAll("'", "''")}'`;
}

/** A schema-bound name as tools write it: those of dbo bare. */
export function shownName(schema: string, name: string): string {
  return schema === 'dbo' ? name : `${schema}.${name}`;
}

/** An identifier without brackets where none are needed: for texts that people and models read. */
export function readableName(name: string): string {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) ? name : quoteName(name);
}
