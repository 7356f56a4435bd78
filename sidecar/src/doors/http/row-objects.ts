import type { Cell } from '@devdb/shared/tools/database/fields';

/** Rows as objects. Repeated column names get _2, _3 ... so that no value is lost. */
export function rowObjects(
  columns: readonly { readonly name: string }[],
  rows: readonly (readonly Cell[])[],
): Record<string, Cell>[] {
  const names = distinctNames(columns.map(({ name }) => name));
  return rows.map((row) => Object.fromEntries(names.map((name, index) => [name, row[index] ?? null])));
}

/** The first of equal names keeps it; a made-up name never takes a real one's place. */
export function distinctNames(names: readonly string[]): string[] {
  const real = new Set(names);
  const used = new Set<string>();
  return names.map((name) => {
    let distinct = name;
    for (let n = 2; used.has(distinct) || (distinct !== name && real.has(distinct)); n += 1) distinct = `${name}_${n}`;
    used.add(distinct);
    return distinct;
  });
}
