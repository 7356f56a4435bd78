import { type Cell, lookOf } from './cells.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const MONTH = 30.4 * DAY;
/** The first Monday of JavaScript's time. */
const MONDAY = 4 * DAY;
/** Labels that do not run into each other. */
const MOST_TICKS = 6;

const STEPS = [
  ...[1, 2, 5, 10, 20, 50, 100, 200, 500],
  ...[1, 2, 5, 10, 15, 30].map((count) => count * SECOND),
  ...[1, 2, 5, 10, 15, 30].map((count) => count * MINUTE),
  ...[1, 2, 3, 6, 12].map((count) => count * HOUR),
  ...[1, 2, 7, 14].map((count) => count * DAY),
];
const STEPS_IN_MONTHS = [1, 2, 3, 6, ...[1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000].map((years) => 12 * years)];

const TIME = /^(\d{4})-(\d\d)-(\d\d)(?:[ T](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?(?: ?(Z|[+-]\d\d(?::?\d\d)?))?)?$/;

export interface TimeTick {
  readonly at: number;
  readonly label: string;
}

/** The moment in a cell, in milliseconds; without an offset as it is written, as if it were UTC. */
export function momentOf(cell: Cell | undefined): number | undefined {
  const match = typeof cell === 'string' ? TIME.exec(cell) : null;
  if (match === null) return undefined;
  const [, year, month, day, hour = '0', minute = '0', second = '0', fraction = '', offset = 'Z'] = match;
  const date = utcOf(Number(year), Number(month) - 1, Number(day));
  // No such day, or no such hour.
  if (date.getUTCDate() !== Number(day) || date.getUTCMonth() !== Number(month) - 1) return undefined;
  if (Number(hour) > 24 || Number(minute) > 59 || Number(second) > 60) return undefined;
  const inDay =
    Number(hour) * HOUR + Number(minute) * MINUTE + Number(second) * SECOND + Number(`0.${fraction}0`) * SECOND;
  return date.getTime() + inDay - offsetOf(offset);
}

/** Whether a column has moments and nothing else, and at least two of them. */
export function isTime(rows: readonly (readonly Cell[])[], column: number): boolean {
  const cells = rows.map((row) => row[column] ?? null).filter((cell) => cell !== null);
  const moments = cells.map(momentOf);
  return moments.every((moment) => moment !== undefined) && new Set(moments).size > 1;
}

/** Whether the moments of a column have offsets, so that they are shown in UTC. */
export function hasOffsets(rows: readonly (readonly Cell[])[], column: number): boolean {
  return rows.some((row) => /:\d\d.*(?:Z|[+-]\d\d(?::?\d\d)?)$/.test(lookOf(row[column] ?? null).text));
}

/** Round moments between two others. */
export function timeTicks(from: number, to: number): TimeTick[] {
  const step = STEPS.find((one) => (to - from) / one < MOST_TICKS);
  if (step !== undefined) {
    const origin = step >= 7 * DAY ? MONDAY : 0;
    const first = Math.ceil((from - origin) / step) * step + origin;
    const count = Math.floor((to - first) / step) + 1;
    return Array.from({ length: Math.max(0, count) }, (_, at) => first + at * step).map((at, place) => ({
      at,
      label: labelOf(at, step, place === 0),
    }));
  }
  const months = STEPS_IN_MONTHS.find((one) => (to - from) / (one * MONTH) < MOST_TICKS) ?? STEPS_IN_MONTHS.at(-1) ?? 1;
  const start = new Date(from);
  const first = Math.floor((12 * start.getUTCFullYear() + start.getUTCMonth()) / months) * months;
  return Array.from({ length: MOST_TICKS + 2 }, (_, at) => utcOf(0, first + at * months, 1).getTime())
    .filter((at) => at >= from && at <= to)
    .map((at) => ({ at, label: new Date(at).toISOString().slice(0, months < 12 ? 7 : 4) }));
}

function labelOf(at: number, step: number, isFirst: boolean): string {
  const text = new Date(at).toISOString();
  if (step >= DAY) return text.slice(0, 10);
  const time = text.slice(11, step >= MINUTE ? 16 : step >= SECOND ? 19 : 23);
  // The day where it begins, and once at the left.
  return at % DAY === 0 || (isFirst && step >= MINUTE) ? `${text.slice(5, 10)} ${time.slice(0, 5)}` : time;
}

function offsetOf(offset: string): number {
  if (offset === 'Z') return 0;
  const digits = offset.slice(1).replace(':', '').padEnd(4, '0');
  const size = Number(digits.slice(0, 2)) * HOUR + Number(digits.slice(2)) * MINUTE;
  return offset.startsWith('-') ? -size : size;
}

/** JavaScript takes years below 100 for those of the last century. */
function utcOf(year: number, month: number, day: number): Date {
  const date = new Date(0);
  date.setUTCFullYear(year, month, day);
  return date;
}
