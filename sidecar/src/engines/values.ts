import type { Cell } from '@devdb/shared/tools/database/fields';

/** A driver's value of one cell, when configured to lose nothing. */
export type DriverValue = string | number | bigint | boolean | null | Uint8Array;

/** Called for each cell that was cut, with its full length in bytes. */
export type OnCut = (fullBytes: number) => void;

/** Encodes one value without loss; text and hex over `maxBytes` are cut, and `onCut` gets the full length. */
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
  // Rounding never turns an unsafe integer into a safe one, and comparing numbers is faster than comparing bigints.
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value.toString();
}

/** A JSON number where JSON has one, else its name: JSON has neither Infinity nor NaN, and writes -0 as 0. */
export function encodeNumber(value: number): number | string {
  if (Number.isFinite(value)) return Object.is(value, -0) ? '-0' : value;
  return String(value);
}

function encodeText(text: string, maxBytes: number, onCut: OnCut): string {
  // A UTF-16 unit takes at most three bytes, so most cells need no counting.
  if (text.length * 3 <= maxBytes) return text;
  const bytes = Buffer.byteLength(text);
  if (bytes <= maxBytes) return text;
  onCut(bytes);
  return firstBytes(text, maxBytes);
}

/** The longest start of a text that takes at most `maxBytes` of UTF-8 and ends at a character boundary. */
export function firstBytes(text: string, maxBytes: number): string {
  const target = Buffer.allocUnsafe(maxBytes);
  const { written } = new TextEncoder().encodeInto(text.slice(0, maxBytes + 1), target);
  // Decoded again: a slice would keep the whole text in memory, perhaps hundreds of megabytes.
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
