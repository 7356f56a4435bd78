import { AppError, type ErrorDetails } from '@devdb/shared/errors';
import { nearNames } from './near-names.ts';

/** A statement with an unknown column is often written again at once: short lists of columns save a call. */
const MOST_COLUMNS = 30;
const MOST_CHARS = 600;

/** The error of an unknown table name, with similar names. */
export function unknownTable(wanted: string, names: readonly string[], more: ErrorDetails = {}): AppError {
  return unknownTableNear(wanted, nearNames(wanted, names), more);
}

/** The same where the similar names are known. */
export function unknownTableNear(wanted: string, near: readonly string[], more: ErrorDetails = {}): AppError {
  const hint = near.length === 0 ? 'get-tables lists the tables.' : `Near names: ${near.join(', ')}.`;
  return new AppError('E_UNKNOWN_TABLE', `No table "${wanted}".`, { hint, details: { ...more, near } });
}

/** Which columns there are instead of an unknown one: those that are near, or all of a few, as a statement names them. */
export function columnsInstead(
  wanted: string,
  columns: readonly string[],
  written: (name: string) => string,
): { readonly near: string[]; readonly hint: string } {
  const near = nearNames(wanted.slice(wanted.lastIndexOf('.') + 1), columns);
  if (near.length > 0) return { near, hint: `Near columns: ${near.map(written).join(', ')}.` };
  const all = columns.map(written).join(', ');
  const isShort = columns.length > 0 && columns.length <= MOST_COLUMNS && all.length <= MOST_CHARS;
  return { near, hint: isShort ? `The columns are: ${all}.` : 'get-schema shows the columns.' };
}
