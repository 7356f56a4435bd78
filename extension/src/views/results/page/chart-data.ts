import type { ResultColumn } from '../page-messages.ts';
import { type Cell, lookOf } from './cells.ts';
import { momentOf } from './time-axis.ts';

/** More marks than this cannot be told apart. */
export const MAX_POINTS = 200;
/** Slices of a pie; the rest is one more. */
const MAX_SLICES = 10;

export interface Point {
  readonly label: string;
  readonly value: number;
  /** On a time axis: its moment, in milliseconds. */
  readonly at?: number;
}

/** What is drawn: which columns, by their places. Without a column for labels, rows are numbered. */
export interface ChartColumns {
  readonly label: number | undefined;
  readonly value: number;
}

/** The number in a cell; exact decimals and large integers come as text. */
function numberOf(cell: Cell | undefined): number | undefined {
  if (typeof cell === 'number') return cell;
  if (typeof cell !== 'string' || !/^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(cell)) return undefined;
  return Number(cell);
}

/** The columns with numbers and nothing else. */
export function numericColumns(columns: readonly ResultColumn[], rows: readonly (readonly Cell[])[]): number[] {
  return columns.flatMap((_column, at) => {
    const cells = rows.map((row) => row[at]).filter((cell) => cell !== null);
    return cells.length > 0 && cells.every((cell) => numberOf(cell) !== undefined) ? [at] : [];
  });
}

/**
 * A column that says what a row is, over one that says how much: keys are numbers that measure nothing, and the first
 * column, even with hours or years, is what the others are about.
 */
export function usualColumns(
  columns: readonly ResultColumn[],
  rows: readonly (readonly Cell[])[],
): ChartColumns | undefined {
  const numeric = numericColumns(columns, rows);
  const isKey = (at: number) => /^id$|_id$|[a-z]Id$/.test(columns[at]?.name ?? '');
  const measures = numeric.filter((at) => !isKey(at));
  const value = measures.find((at) => at > 0) ?? measures[0] ?? numeric[0];
  if (value === undefined) return undefined;
  const others = columns.map((_column, at) => at).filter((at) => at !== value);
  return { value, label: others.find((at) => !numeric.includes(at)) ?? others[0] };
}

/** The points of the rows, in their order, and how many rows have none. */
export function pointsOf(
  rows: readonly (readonly Cell[])[],
  { label, value }: ChartColumns,
): { readonly points: readonly Point[]; readonly without: number } {
  const points = rows.flatMap((row, at): Point[] => {
    const number = numberOf(row[value]);
    const text = label === undefined ? String(at + 1) : lookOf(row[label] ?? null).text;
    return number === undefined || !Number.isFinite(number) ? [] : [{ label: text, value: number }];
  });
  return { points, without: rows.length - points.length };
}

/** The points of rows with moments, in the order of time. A row without a moment has none. */
export function timedPointsOf(
  rows: readonly (readonly Cell[])[],
  { label, value }: { readonly label: number; readonly value: number },
): ReturnType<typeof pointsOf> {
  const timed = rows.flatMap((row): Required<Point>[] => {
    const at = momentOf(row[label]);
    const { points } = pointsOf([row], { label, value });
    return at === undefined ? [] : points.map((point) => ({ ...point, at }));
  });
  return { points: timed.sort((one, other) => one.at - other.at), without: rows.length - timed.length };
}

/** The largest parts, and the rest as one. A pie has no part below nothing. */
export function slicesOf(points: readonly Point[]): Point[] {
  const parts = points.filter(({ value }) => value > 0).sort((one, other) => other.value - one.value);
  const rest = parts.slice(MAX_SLICES).reduce((sum, { value }) => sum + value, 0);
  return [...parts.slice(0, MAX_SLICES), ...(rest > 0 ? [{ label: 'All others', value: rest }] : [])];
}

/** Round numbers from below the lowest value to above the highest, nothing included. */
export function ticksOf(points: readonly Point[]): number[] {
  const lowest = Math.min(0, ...points.map(({ value }) => value));
  const highest = Math.max(0, ...points.map(({ value }) => value));
  const span = highest - lowest || 1;
  const power = 10 ** Math.floor(Math.log10(span / 4));
  const step = ([1, 2, 5].find((one) => span / (one * power) <= 5) ?? 10) * power;
  const from = Math.floor(lowest / step);
  const count = Math.ceil(highest / step) - from || 1;
  return Array.from({ length: count + 1 }, (_, at) => (from + at) * step);
}

/** What the chart leaves out, in sentences. */
export function chartNote(drawn: number, all: number, without: number, isTimed = false): string {
  const cut = drawn < all ? [`Only the first ${drawn.toLocaleString('en')} of ${all.toLocaleString('en')} rows.`] : [];
  const rows = without === 1 ? '1 row has' : `${without} rows have`;
  return [...cut, ...(without > 0 ? [`${rows} ${isTimed ? 'no time or no number' : 'no number'}.`] : [])].join(' ');
}
