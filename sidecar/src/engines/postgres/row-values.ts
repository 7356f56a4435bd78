import type { EditableColumn, RowValues, Value } from '../row-editing.ts';
import { literals } from './literals.ts';
import { quoteName } from './quote.ts';

const PLAIN_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;
/** Their numbers are the same with and without quotes; a float's is not. */
const EXACT = /^(?:smallint|integer|bigint|numeric)\b/;
/** Types whose `=` says more than their text: 1.50 and 1.5, a padded character. */
const BY_VALUE =
  /^(?:(?:smallint|integer|bigint|numeric|real|double precision|boolean|bytea|character\(|character$|date|timestamp|time|uuid)(?!.*\[\]$))/;

/**
 * A quoted literal has no type of its own: it becomes one of the column's type, or the server says why it cannot be.
 */
export const rowValues: RowValues = {
  onlyDefaults: 'DEFAULT VALUES',
  write: ({ type }, text) => (isBare(type, text) ? text : literals.text(text)),
  // A collation or a type's own operator may call different texts equal.
  same: (column, cell) => {
    if (BY_VALUE.test(column.type) || typeof cell === 'object') return isEqual(column, cell);
    return `${quoteName(column.name)}::text COLLATE "C" = ${literals.text(String(cell))}`;
  },
  key: isEqual,
  contains: ({ name }, text) => `position(lower(${literals.text(text)}::text) in lower(${quoteName(name)}::text)) > 0`,
  compared: ({ name }) => quoteName(name),
};

function isEqual({ name, type }: EditableColumn, cell: Value): string {
  return `${quoteName(name)} = ${written(type, cell)}`;
}

function written(type: string, cell: Value): string {
  if (typeof cell === 'boolean') return literals.boolean(cell);
  if (typeof cell === 'object') return literals.binary(cell.hex);
  const text = String(cell);
  return isBare(type, text) ? text : literals.text(text);
}

function isBare(type: string, text: string): boolean {
  return EXACT.test(type) && !type.endsWith('[]') && PLAIN_NUMBER.test(text);
}
