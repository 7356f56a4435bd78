import type { RowFilter } from '@devdb/shared/protocol/result-methods';
import type { Cell } from '@devdb/shared/tools/database/fields';
import { textOf } from './cells.ts';
import { compareKeys, sortKey, TEXT } from './sort-key.ts';

/** Whether a row passes every filter. Text is found in any case; numbers are compared as numbers. */
export function passesAll(row: readonly Cell[], filters: readonly RowFilter[], numeric: readonly boolean[]): boolean {
  return filters.every(({ column, ...filter }) => {
    if (column !== undefined) return passes(row[column] ?? null, filter, numeric[column] ?? false);
    return row.some((cell, at) => passes(cell, filter, numeric[at] ?? false));
  });
}

function passes(cell: Cell, { is, value }: Omit<RowFilter, 'column'>, isNumeric: boolean): boolean {
  if (is === 'null') return cell === null;
  if (cell === null) return false;
  switch (is) {
    case 'not-null':
      return true;
    case 'contains':
      return textOf(cell).toLowerCase().includes(value.toLowerCase());
    case 'equals':
      return textOf(cell) === value || compared(cell, value, isNumeric) === 0;
    case 'less':
      return (compared(cell, value, isNumeric) ?? 1) < 0;
    case 'greater':
      return (compared(cell, value, isNumeric) ?? -1) > 0;
  }
}

/** The cell against what a person typed; undefined where one is a number and the other is not. */
function compared(cell: Cell, value: string, isNumeric: boolean): number | undefined {
  const [own, other] = [sortKey(cell, isNumeric), sortKey(value, isNumeric || typeof cell === 'number')];
  if (own.rank !== other.rank) return undefined;
  // The key of a long text is its start alone.
  if (own.rank === TEXT) return textOf(cell) === value ? 0 : textOf(cell) < value ? -1 : 1;
  return compareKeys(own, other);
}
