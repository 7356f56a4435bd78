import type { DriverValue } from '../values.ts';

/** Turns the text that Postgres sends for a value into a value that loses nothing. */
export type ReadCell = (text: string) => DriverValue;

const asText: ReadCell = (text) => text;

/** How to read the values of a type, by its number. What is not listed stays the text that Postgres wrote. */
export function cellReader(type: number): ReadCell {
  return READERS[type] ?? asText;
}

const READERS: Readonly<Record<number, ReadCell>> = {
  16: (text) => text === 't',
  17: readBytes,
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

/** A number where JSON would write it with the same digits; `1.50` and what is too long stay text. */
function readNumeric(text: string): DriverValue {
  if (text.length > 17) return text;
  const value = Number(text);
  return String(value) === text ? value : text;
}

function readBytes(text: string): DriverValue {
  return text.startsWith('\\x') ? Buffer.from(text.slice(2), 'hex') : text;
}
