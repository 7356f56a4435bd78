/** A value of a settings file with its line. */
export type Located =
  | { readonly kind: 'object'; readonly line: number; readonly entries: ReadonlyMap<string, Located> }
  | { readonly kind: 'array'; readonly line: number; readonly items: readonly Located[] }
  | { readonly kind: 'scalar'; readonly line: number; readonly value: string | number | boolean | null };

/** What a reader could not understand, and where. */
export interface Problem {
  readonly line: number;
  readonly reason: string;
}

/** The result of reading a text; may contain both a root and problems. */
export interface Reading {
  readonly value: Located | undefined;
  readonly problems: readonly Problem[];
}

/** The value without its lines. */
export function plain(located: Located): unknown {
  if (located.kind === 'scalar') return located.value;
  if (located.kind === 'array') return located.items.map(plain);
  return Object.fromEntries([...located.entries].map(([key, value]) => [key, plain(value)]));
}

/** The line of the value at `path`, or of the nearest one around it. */
export function lineAt(located: Located, path: readonly PropertyKey[]): number {
  const [head, ...rest] = path;
  const next =
    located.kind === 'object' && typeof head === 'string'
      ? located.entries.get(head)
      : located.kind === 'array' && typeof head === 'number'
        ? located.items[head]
        : undefined;
  return next === undefined ? located.line : lineAt(next, rest);
}

/** The value at a path of names, if it exists. */
export function at(located: Located | undefined, ...path: readonly string[]): Located | undefined {
  let value = located;
  for (const name of path) value = value?.kind === 'object' ? value.entries.get(name) : undefined;
  return value;
}

/** The entries of an object; none for anything else. */
export function entriesOf(located: Located | undefined): readonly (readonly [string, Located])[] {
  return located?.kind === 'object' ? [...located.entries] : [];
}

/** A scalar as text; undefined for nothing, null and values that are not scalars. */
export function textOf(located: Located | undefined): string | undefined {
  return located?.kind === 'scalar' && located.value !== null ? String(located.value) : undefined;
}
