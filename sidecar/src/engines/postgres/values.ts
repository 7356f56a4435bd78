import { jsonClasses, writeJsonCell } from '../json-cell.ts';
import { classesOf } from '../line-buffer.ts';
import type { WriteCell } from '../raw-lines.ts';
import type { ReadCell } from '../read-row.ts';
import { csvField, neverCut } from '../row-lines.ts';
import type { DriverValue } from '../values.ts';

const asText: ReadCell<string> = (text) => text;

/** How to read the values of a type, by its number. Types not listed keep Postgres' text. */
export function cellReader(type: number): ReadCell<string> {
  return READERS[type] ?? asText;
}

const BOOLEAN = 16;
const BYTEA = 17;

/** Types whose text is copied where it equals JavaScript's form of the number. */
const COPIED: ReadonlySet<number> = new Set([20, 21, 23, 26, 700, 701, 1700]);

const OID = 26;

/** Whether a type is one of numbers that can be added up. */
export function isNumeric(type: number): boolean {
  return COPIED.has(type) && type !== OID;
}

const READERS: Readonly<Record<number, ReadCell<string>>> = {
  [BOOLEAN]: (text) => text === 't',
  [BYTEA]: readBytes,
  20: readInteger,
  21: Number,
  23: Number,
  26: Number,
  700: readFloat,
  701: readFloat,
  1700: readNumeric,
};

/** Up to fifteen digits every integer is exact as a number; beyond that the value decides. */
function readInteger(text: string): DriverValue {
  return text.length <= 15 ? Number(text) : BigInt(text);
}

/** Both Postgres and JavaScript write the shortest text that reads back as the same number. */
function readFloat(text: string): DriverValue {
  return Number(text);
}

/** A number where JSON would write it with the same digits; `1.50` and numbers that are too long stay text. */
function readNumeric(text: string): DriverValue {
  return isExact(text) ? toNumber(text) : text;
}

/**
 * Fifteen digits are always exact, and recognizable by their form: writing each number out to compare would double an
 * export's time.
 */
function isExact(text: string): boolean {
  if (text.length > MOST_DIGITS) return false;
  if (!text.includes('.')) return true;
  return text.charCodeAt(text.length - 1) !== ZERO && !TINY.test(text);
}

const MOST_DIGITS = 15;
const ZERO = 48;
/** Below a millionth JavaScript writes an exponent. */
const TINY = /^-?0\.000000/;

/** NaN and infinity keep their names. */
function toNumber(text: string): DriverValue {
  const value = Number(text);
  return Number.isFinite(value) ? value : text;
}

function readBytes(text: string): DriverValue {
  return text.startsWith('\\x') ? Buffer.from(text.slice(2), 'hex') : text;
}

/** Writers of CSV cells, by type. A number is not converted: the digits from Postgres are copied. */
export function csvWriters(): (type: number) => WriteCell<string> {
  const classes = classesOf(',\r\n', '"');
  const asItIs: WriteCell<string> = (target, text) => csvField(target, text, classes);
  return (type) => {
    if (type !== BOOLEAN && type !== BYTEA) return asItIs;
    const read = cellReader(type);
    return (target, text) => csvField(target, read(text) ?? '', classes);
  };
}

/**
 * Writers of cells for JSON lines, by type. They produce the same as a query's answer, without an intermediate value.
 */
export function jsonWriters(): (type: number) => WriteCell<string> {
  const classes = jsonClasses();
  return (type) => {
    const read = cellReader(type);
    const byValue: WriteCell<string> = (target, text) =>
      writeJsonCell(target, read(text), classes, Number.POSITIVE_INFINITY, neverCut);
    if (!COPIED.has(type)) return byValue;
    return (target, text) => {
      if (!target.numeral(text)) byValue(target, text);
    };
  };
}
