import type { RanStatement } from '@devdb/shared/protocol/history-methods';

const MAX_LINE_CHARS = 200;

/** The statement on one line. */
export function lineOf({ statement }: RanStatement): string {
  const line = statement.trim().replace(/\s+/g, ' ');
  return line.length > MAX_LINE_CHARS ? `${line.slice(0, MAX_LINE_CHARS)}…` : line;
}

/** Where it ran, what came of it, and when. */
export function factsOf({ database, rows, changedRows, error, ms, startedAt }: RanStatement, now: Date): string {
  const outcome = [
    ...(error === undefined ? [] : [error.code === 'E_CANCELLED' ? 'cancelled' : 'failed']),
    ...(changedRows === undefined ? [] : [`${countOf(changedRows)} changed`]),
    ...(rows === undefined ? [] : [countOf(rows)]),
  ];
  return [...(database === undefined ? [] : [database]), ...outcome, durationOf(ms), timeOf(startedAt, now)].join(
    ' · ',
  );
}

function countOf(rows: number): string {
  return rows === 1 ? '1 row' : `${rows.toLocaleString('en')} rows`;
}

function durationOf(ms: number): string {
  if (ms < 1) return '< 1 ms';
  return ms < 1_000 ? `${Math.round(ms)} ms` : `${(ms / 1_000).toFixed(1)} s`;
}

/** The time of today's, the day of older ones. */
function timeOf(startedAt: string, now: Date): string {
  const date = new Date(startedAt);
  return date.toDateString() === now.toDateString() ? date.toLocaleTimeString() : date.toLocaleString();
}
