const PLAIN_NAME = /^[a-z_][a-z0-9_$]*$/;

/** A name for people: quoted only where Postgres would otherwise read another name, or a keyword. */
export function readableName(name: string): string {
  return PLAIN_NAME.test(name) && !SQL_WORDS.has(name) ? name : quoteName(name);
}

const SQL_WORDS = new Set(
  `all analyse analyze and any array as asc asymmetric authorization binary both case cast check collate collation column
  concurrently constraint create cross current_catalog current_date current_role current_schema current_time
  current_timestamp current_user default deferrable desc distinct do else end except false fetch for foreign freeze from
  full grant group having ilike in initially inner intersect into is isnull join lateral leading left like limit localtime
  localtimestamp natural not notnull null offset on only or order outer overlaps placing primary references returning
  right select session_user similar some symmetric system_user table tablesample then to trailing true union unique user
  using variadic verbose when where window with`.split(/\s+/),
);

/** A table for people, with its schema where that is not the usual one. */
export function readableTable({ schema, name }: { readonly schema: string; readonly name: string }): string {
  return schema === 'public' ? readableName(name) : `${readableName(schema)}.${readableName(name)}`;
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
