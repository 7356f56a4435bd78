import type { NamedTable } from './schema-words.ts';

/** The schemas that a table without one is in, as the engines are set up. */
const OWN_SCHEMAS: ReadonlySet<string> = new Set(['main', 'public', 'dbo']);

/**
 * The table that a statement names, where there is just one: by its letters, else in any case. A name without a schema
 * is never that of a table in another one.
 */
export function sameTable(tables: readonly NamedTable[], path: readonly string[]): NamedTable | undefined {
  const name = path[path.length - 1] ?? '';
  const schema = path[path.length - 2];
  const wanted = new Set(schema === undefined ? [name] : [`${schema}.${name}`]);
  if (schema !== undefined && OWN_SCHEMAS.has(schema.toLowerCase())) wanted.add(name);
  const exact = tables.filter((one) => wanted.has(one.name));
  if (exact.length > 0) return exact.length === 1 ? exact[0] : undefined;
  const anyCase = new Set([...wanted].map((one) => one.toLowerCase()));
  const found = tables.filter((one) => anyCase.has(one.name.toLowerCase()));
  return found.length === 1 ? found[0] : undefined;
}
