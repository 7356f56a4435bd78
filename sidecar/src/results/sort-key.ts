import type { Cell } from '@devdb/shared/tools/database/fields';
import { MAX_KEY_CHARS } from './limits.ts';

/** What decides a cell's place among others. */
export interface SortKey {
  /** NULL, booleans, numbers, texts, binary: in this order. */
  readonly rank: number;
  /** The number, as near as JavaScript has it; 0 for what is none. */
  readonly number: number;
  readonly text: string;
}

const NULL = 0;
const BOOLEAN = 1;
const NUMBER = 2;
export const TEXT = 3;
const BINARY = 4;

/** Types whose values may come as text because JSON has no such number. */
const NUMERIC_TYPE = /int|serial|num|dec|real|double|float|money|year|number/i;
const NUMERAL = /^-?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;
const NAMED_NUMBERS: ReadonlyMap<string, number> = new Map([
  ['-Infinity', Number.NEGATIVE_INFINITY],
  ['Infinity', Number.POSITIVE_INFINITY],
]);

/** Whether a column's texts are numbers, by the name of its type. */
export function isNumeric(type: string | undefined): boolean {
  // Postgres has intervals and points too.
  return type !== undefined && NUMERIC_TYPE.test(type) && !/^(?:interval|point)|\[\]$/i.test(type);
}

/** The key of a cell in a column with numbers, or with anything. */
export function sortKey(cell: Cell, isNumeric: boolean): SortKey {
  if (cell === null) return { rank: NULL, number: 0, text: '' };
  if (typeof cell === 'boolean') return { rank: BOOLEAN, number: Number(cell), text: '' };
  if (typeof cell === 'number') return { rank: NUMBER, number: cell, text: String(cell) };
  if (typeof cell === 'object') return { rank: BINARY, number: 0, text: cell.hex.slice(0, MAX_KEY_CHARS) };
  const number = isNumeric ? numberOf(cell) : undefined;
  if (number !== undefined) return { rank: NUMBER, number, text: cell.slice(0, MAX_KEY_CHARS) };
  return { rank: TEXT, number: 0, text: cell.slice(0, MAX_KEY_CHARS) };
}

function numberOf(text: string): number | undefined {
  return NUMERAL.test(text) ? Number(text) : NAMED_NUMBERS.get(text);
}

/** Negative when `one` comes first. Texts are compared by their characters' codes, numbers to the last digit. */
export function compareKeys(one: SortKey, other: SortKey): number {
  if (one.rank !== other.rank) return one.rank - other.rank;
  if (one.number !== other.number) return one.number < other.number ? -1 : 1;
  if (one.text === other.text) return 0;
  if (one.rank === NUMBER) return compareDigits(one.text, other.text);
  return one.text < other.text ? -1 : 1;
}

/** Numbers that are the same to JavaScript may differ in later digits. */
function compareDigits(one: string, other: string): number {
  const [a, b] = [decimalOf(one), decimalOf(other)];
  if (a === undefined || b === undefined) return 0;
  const decimals = Math.max(a.decimals, b.decimals);
  const difference = a.digits * 10n ** BigInt(decimals - a.decimals) - b.digits * 10n ** BigInt(decimals - b.decimals);
  return difference === 0n ? 0 : difference < 0n ? -1 : 1;
}

/** A number without exponent as whole digits and how many of them are decimals. */
function decimalOf(text: string): { readonly digits: bigint; readonly decimals: number } | undefined {
  const match = /^(-?)(\d*)(?:\.(\d*))?$/.exec(text);
  if (match === null) return undefined;
  const [, sign = '', whole = '', fraction = ''] = match;
  const digits = BigInt(`${whole}${fraction}` || '0');
  return { digits: sign === '' ? digits : -digits, decimals: fraction.length };
}
