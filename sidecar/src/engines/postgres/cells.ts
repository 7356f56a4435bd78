import type { DriverValue } from '../values.ts';

/** Turns the text that Postgres sends for a value into a value that loses nothing. */
export type ReadCell = (text: string) => DriverValue;

const asText: ReadCell = (text) => text;

/** How to read the values of a type, by its number. What is not listed stays the text that Postgres wrote. */
export function cellReader(type: number): ReadCell {
  return READERS[type] ?? asText;
}

/** The same for a file of text, where a number needs no value: the digits that Postgres wrote are copied. */
export function textReader(type: number): ReadCell {
  return type === BOOLEAN || type === BYTEA ? cellReader(type) : asText;
}

const BOOLEAN = 16;
const BYTEA = 17;

const READERS: Readonly<Record<number, ReadCell>> = {
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

/** Up to fifteen digits every integer is exact as a number; the rest is decided by its value. */
function readInteger(text: string): DriverValue {
  return text.length <= 15 ? Number(text) : BigInt(text);
}

/** Postgres writes the shortest text that reads back as the same number, JavaScript does so too. */
function readFloat(text: string): DriverValue {
  return Number(text);
}

/**
 * A number where JSON would write it with the same digits; `1.50` and what is too long stay text. Fifteen digits are
 * always exact, and are told by their shape: writing each number out to compare would double an export's time.
 */
function readNumeric(text: string): DriverValue {
  if (text.length > MOST_DIGITS) return text;
  const point = text.indexOf('.');
  if (point === -1) return toNumber(text);
  if (text.charCodeAt(text.length - 1) === ZERO || TINY.test(text)) return text;
  return toNumber(text);
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
