import { AppError } from '@devdb/shared/errors';
import type { EditableColumn, RowValues, Value } from '../row-editing.ts';
import { literals } from './literals.ts';
import { quoteName } from './quote.ts';

const INTEGER = /^(?:tinyint|smallint|mediumint|int|integer|bigint|year|bit)\b/i;
const DECIMAL = /^(?:decimal|numeric|dec|fixed)\b/i;
const FLOAT = /^float\b/i;
const DOUBLE = /^(?:double|real)\b/i;
const BINARY = /^(?:binary|varbinary|tinyblob|blob|mediumblob|longblob)\b/i;
/** Their bytes are compared neither by value nor by text. */
const INCOMPARABLE = /^(?:geometry|point|linestring|polygon|multi\w+|geom\w*|vector)\b/i;
const DIGITS = /^[+-]?\d+$/;
const NUMERAL = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;

/** A server may take half of a text for a number, so that only numbers are written as such. */
export const rowValues: RowValues = {
  onlyDefaults: '() VALUES ()',
  write: ({ name, type }, text) => {
    if (/^(?:tinyint\(1\)|bit\(1\))/i.test(type) && /^(?:true|false)$/i.test(text)) {
      return text.toLowerCase() === 'true' ? '1' : '0';
    }
    if (INTEGER.test(type) && !DIGITS.test(text)) throw noValue(name, type, 'a whole number');
    if (isNumeric(type) && !NUMERAL.test(text)) throw noValue(name, type, 'a number');
    return isNumeric(type) ? text : literals.text(text);
  },
  same,
  key: (column, cell) => {
    if (typeof cell !== 'string' || isNumeric(column.type)) return same(column, cell);
    return `${quoteName(column.name)} = ${literals.text(cell)}`;
  },
  contains: ({ name, type }, text) => {
    if (isBinary(type)) return undefined;
    // Of bits the text would be their bytes.
    const column = /^bit\b/i.test(type) ? `CAST(${quoteName(name)} + 0 AS CHAR)` : quoteName(name);
    return `INSTR(LOWER(CONVERT(${column} USING utf8mb4)), LOWER(${literals.text(text)})) > 0`;
  },
  compared: ({ name, type }) => {
    if (isBinary(type)) return undefined;
    // A float's value is not the number that the server shows.
    return FLOAT.test(type) ? `CONCAT(${quoteName(name)}) + 0E0` : quoteName(name);
  },
};

function same({ name, type }: EditableColumn, cell: Value): string | undefined {
  const column = quoteName(name);
  if (INCOMPARABLE.test(type)) return undefined;
  if (typeof cell === 'object') return `${column} = ${literals.binary(cell.hex)}`;
  if (typeof cell === 'boolean') return `${column} = ${literals.boolean(cell)}`;
  // What the server shows of a float is not its value, but the same text again.
  if (FLOAT.test(type)) return `CONCAT(${column}) + 0E0 = ${asDouble(String(cell))}`;
  if (DOUBLE.test(type)) return `${column} = ${asDouble(String(cell))}`;
  if (isNumeric(type)) return `${column} = ${cell}`;
  // A collation calls different texts equal; their bytes are not.
  const text = literals.text(String(cell));
  return `CAST(CONVERT(${column} USING utf8mb4) AS BINARY) = CAST(${text} AS BINARY)`;
}

/** Written this way it is a double and no decimal. */
function asDouble(number: string): string {
  return /e/i.test(number) ? number : `${number}E0`;
}

function isNumeric(type: string): boolean {
  return INTEGER.test(type) || DECIMAL.test(type) || FLOAT.test(type) || DOUBLE.test(type);
}

/** Binary columns are not edited: a text typed for one would become its bytes. */
export function isBinary(type: string): boolean {
  return BINARY.test(type) || INCOMPARABLE.test(type);
}

function noValue(name: string, type: string, wanted: string): AppError {
  return new AppError('E_INVALID_PARAMS', `${name} is ${type}: it takes ${wanted}.`);
}
