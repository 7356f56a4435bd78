/** An identifier, quoted for any statement. */
export function quoteName(name: string): string {
  return `\`${name.replaceAll('`', '``')}\``;
}

/** The same, without quotes where none are needed: for texts that people and models read. */
export function readableName(name: string): string {
  return /^[A-Za-z_][\w$]*$/.test(name) ? name : quoteName(name);
}

/** A table's name as callers see it: unqualified in the connection's own database. */
export function shownName(schema: string, name: string, ownSchema: string): string {
  return schema === ownSchema ? name : `${schema}.${name}`;
}
