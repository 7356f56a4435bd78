const PLAIN_NAME = /^[a-z_][a-z0-9_$]*$/;

/** A name as a person reads it best: quoted only where Postgres would read it as another one. */
export function readableName(name: string): string {
  return PLAIN_NAME.test(name) ? name : quoteName(name);
}

/** A name as it is safe in any statement. */
export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** A text as SQL writes it, whatever standard_conforming_strings says. */
export function literal(text: string): string {
  const quoted = `'${text.replaceAll("'", "''").replaceAll('\\', '\\\\')}'`;
  return text.includes('\\') ? `E${quoted}` : quoted;
}
