import type { ResultColumn } from '../page-messages.ts';
import { type Cell, lookOf } from './cells.ts';
import { CHARACTER_WIDTH, FIRST_WIDTH, MOST_WIDTH } from './limits.ts';

const PADDING = 26;

/** How wide the columns begin: for their names and the first rows, within bounds. */
export function columnWidths(columns: readonly ResultColumn[], samples: readonly (readonly Cell[])[]): number[] {
  return columns.map(({ name }, at) => {
    const lengths = samples.map((row) => lookOf(row[at] ?? null).text.length);
    const longest = Math.max(name.length, ...lengths);
    return Math.round(Math.min(MOST_WIDTH, Math.max(FIRST_WIDTH, longest * CHARACTER_WIDTH + PADDING)));
  });
}
