import { AppError } from '@devdb/shared/errors';
import type { EditableColumn, RowValues, Value } from '../row-editing.ts';
import { literals } from './literals.ts';
import { quoteName } from './quote.ts';

const INTEGER = /^(?:tinyint|smallint|int|bigint)\b/i;
const DECIMAL = /^(?:decimal|numeric|money|smallmoney)\b/i;
const FLOAT = /^(?:float|real)\b/i;
const TEXT = /^(?:n?varchar|n?char|n?text|xml)\b/i;
/** In these the order of day and month is the session's, unless a style says otherwise. */
const OLD_TIME = /^(?:datetime|smalldatetime)$/i;
const TIME = /^(?:date|time|datetime|datetime2|smalldatetime|datetimeoffset)\b/i;
/** The server compares them with nothing. */
const OLD_TEXT = /^(?:n?text|xml)\b/i;
const DIGITS = /^[+-]?\d+$/;
const NUMERAL = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;
/** ODBC's canonical form, the one in which these values are shown. */
const CANONICAL = 121;

export const rowValues: RowValues = {
  onlyDefaults: 'DEFAULT VALUES',
  write: (column, text) => {
    const { name, type } = column;
    if (INTEGER.test(type) && !DIGITS.test(text)) throw noValue(name, type, 'a whole number');
    if (isNumeric(type) && !NUMERAL.test(text)) throw noValue(name, type, 'a number');
    if (/^bit$/i.test(type)) return bit(name, text);
    return written(type, text);
  },
  same,
  key: (column, cell) =>
    typeof cell === 'string' && TEXT.test(column.type)
      ? `${quoteName(column.name)} = ${literals.text(cell)}`
      : same(column, cell),
  contains: ({ name, type }, text) => {
    if (isBinary(type)) return undefined;
    const style = TIME.test(type) ? `, ${CANONICAL}` : '';
    return `CHARINDEX(LOWER(${literals.text(text)}), LOWER(CONVERT(nvarchar(max), ${quoteName(name)}${style}))) > 0`;
  },
  compared: ({ name, type }) => {
    if (isBinary(type)) return undefined;
    return OLD_TEXT.test(type) ? `CONVERT(nvarchar(max), ${quoteName(name)})` : quoteName(name);
  },
};

/** Values of these types are not typed: bytes, and types with an inner form. */
export function isBinary(type: string): boolean {
  return /^(?:binary|varbinary|image|sql_variant|geometry|geography|hierarchyid|udt)\b/i.test(type);
}

function same({ name, type }: EditableColumn, cell: Value): string | undefined {
  const column = quoteName(name);
  if (typeof cell === 'object') {
    return /^(?:var)?binary\b|^rowversion$/i.test(type) ? `${column} = ${literals.binary(cell.hex)}` : undefined;
  }
  if (isBinary(type)) return undefined;
  if (typeof cell === 'boolean') return `${column} = ${literals.boolean(cell)}`;
  if (!TEXT.test(type)) return `${column} = ${written(type, String(cell))}`;
  // A collation calls different texts equal, and spaces at their ends nothing; their bytes are not.
  return `CAST(CAST(${column} AS nvarchar(max)) AS varbinary(max)) = CAST(${literals.text(String(cell))} AS varbinary(max))`;
}

function written(type: string, text: string): string {
  if (FLOAT.test(type)) {
    const double = /e/i.test(text) ? text : `${text}E0`;
    return /^real/i.test(type) ? `CAST(${double} AS real)` : double;
  }
  if (isNumeric(type)) return text;
  return OLD_TIME.test(type) ? `CONVERT(${type}, ${literals.text(text)}, ${CANONICAL})` : literals.text(text);
}

function bit(name: string, text: string): string {
  if (/^(?:1|true)$/i.test(text)) return '1';
  if (/^(?:0|false)$/i.test(text)) return '0';
  throw noValue(name, 'bit', '1 or 0');
}

function isNumeric(type: string): boolean {
  return INTEGER.test(type) || DECIMAL.test(type) || FLOAT.test(type);
}

function noValue(name: string, type: string, wanted: string): AppError {
  return new AppError('E_INVALID_PARAMS', `${name} is ${type}: it takes ${wanted}.`);
}
