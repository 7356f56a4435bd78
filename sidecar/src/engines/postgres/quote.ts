const PLAIN_NAME = /^[a-z_][a-z0-9_$]*$/;

/** A name for people: quoted only where Postgres would otherwise read another name. */
export function readableName(name: string): string {
  return PLAIN_NAME.test(name) ? name : quoteName(name);
}

/** A name, quoted for any statement. */
export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** A text literal, valid whatever standard_conforming_strings says. */
export function literal(text: string): string {
  const quoted = `'${text.replaceAll("'", "''").replaceAll('\\', '\\\\')}'`;
  return text.includes('\\') ? `E${quoted}` : quoted;
}
