import type { GraphTable, Point } from '../page-messages.ts';

/** The tables that are at most so many keys away from one; all of them without a number of steps. */
export function tablesAround(
  tables: readonly GraphTable[],
  name: string | undefined,
  steps: number,
): readonly GraphTable[] {
  if (name === undefined || steps === 0) return tables;
  let near = new Set([name]);
  for (let step = 0; step < steps; step += 1) near = withNext(tables, near);
  return tables
    .filter((table) => near.has(table.name))
    .map((table) => ({ ...table, keys: table.keys.filter(({ parent }) => near.has(parent)) }));
}

function withNext(tables: readonly GraphTable[], near: ReadonlySet<string>): Set<string> {
  const next = new Set(near);
  for (const { name, keys } of tables) {
    for (const { parent } of keys) {
      if (near.has(name)) next.add(parent);
      if (near.has(parent)) next.add(name);
    }
  }
  return next;
}

/** The same tables without keys that are only guessed. */
export function withoutGuesses(tables: readonly GraphTable[]): readonly GraphTable[] {
  return tables.map((table) => ({ ...table, keys: table.keys.filter(({ isGuessed }) => !isGuessed) }));
}

const DIRECTIONS = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
} as const;
export type Direction = keyof typeof DIRECTIONS;

export function isDirection(key: string): key is Direction {
  return Object.hasOwn(DIRECTIONS, key);
}

/** How much farther a place seems that lies beside the direction. */
const SIDEWAYS = 2;

/** The place that an arrow key leads to: the nearest one in its direction. Undefined where there is none. */
export function nextPlace(places: readonly Point[], from: number, direction: Direction): number | undefined {
  const start = places[from];
  if (start === undefined) return places.length > 0 ? 0 : undefined;
  const { x, y } = DIRECTIONS[direction];
  let best: number | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const [at, place] of places.entries()) {
    const [right, down] = [place.x - start.x, place.y - start.y];
    const ahead = right * x + down * y;
    const beside = Math.abs(right * y) + Math.abs(down * x);
    const distance = ahead + SIDEWAYS * beside;
    if (at === from || ahead <= 0 || beside > ahead * SIDEWAYS || distance >= least) continue;
    best = at;
    least = distance;
  }
  return best;
}
