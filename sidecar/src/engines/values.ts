import type { Cell } from '@devdb/shared/tools/database/fields';

/** What a driver hands over for one cell, once it is told to lose nothing. */
export type DriverValue = string | number | bigint | boolean | null | Uint8Array;

/** Told about each cell that was cut: its full length in bytes. */
export type OnCut = (fullBytes: number) => void;

/** Encodes one value without loss; text and hex over `maxBytes` are cut, and `onCut` is told the full length. */
export function encodeCell(value: DriverValue, maxBytes: number, onCut: OnCut): Cell {
  switch (typeof value) {
    case 'string':
      return encodeText(value, maxBytes, onCut);
    case 'bigint':
      return encodeInteger(value);
    case 'number':
      return encodeNumber(value);
    case 'boolean':
      return value;
    default:
      return value === null ? null : encodeBytes(value, maxBytes, onCut);
  }
}

/** A JSON number where that is exact, else a string. */
export function encodeInteger(value: bigint): number | string {
  // Rounding never makes an unsafe integer a safe one, and comparing numbers is faster than comparing bigints.
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value.toString();
}

/** A JSON number where JSON has it, else its name: JSON knows neither Infinity nor NaN, and writes -0 as 0. */
export function encodeNumber(value: number): number | string {
  if (Number.isFinite(value)) return Object.is(value, -0) ? '-0' : value;
  return String(value);
}

function encodeText(text: string, maxBytes: number, onCut: OnCut): string {
  // A UTF-16 unit takes three bytes at most, so that most cells need no counting.
  if (text.length * 3 <= maxBytes) return text;
  const bytes = Buffer.byteLength(text);
  if (bytes <= maxBytes) return text;
  onCut(bytes);
  return firstBytes(text, maxBytes);
}

/** The longest beginning of a text that takes at most `maxBytes` of UTF-8 and ends at a character border. */
export function firstBytes(text: string, maxBytes: number): string {
  const target = Buffer.allocUnsafe(maxBytes);
  const { written } = new TextEncoder().encodeInto(text.slice(0, maxBytes + 1), target);
  // Decoded anew: a slice would keep the whole text, perhaps hundreds of megabytes, in memory.
  return target.toString('utf8', 0, written);
}

function encodeBytes(value: Uint8Array, maxBytes: number, onCut: OnCut): Cell {
  const most = Math.floor(maxBytes / 2);
  if (value.byteLength > most) onCut(value.byteLength);
  return { bytes: value.byteLength, hex: hexOf(value, Math.min(value.byteLength, most)) };
}

function hexOf(value: Uint8Array, bytes: number): string {
  return Buffer.from(value.buffer, value.byteOffset, bytes).toString('hex');
}
