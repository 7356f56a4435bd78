import type { Cell } from '@devdb/shared/tools/database/fields';
import { MAX_SHOWN_BINARY_BYTES, MAX_SHOWN_CHARS } from './limits.ts';

/** A part of a long cell, with its length. */
export type ShownCell = Cell | { readonly text: string; readonly chars: number };

/** The cells of a row as it stands in the file; undefined for a row that is too long to be parsed. */
export function cellsOf(line: string | undefined): Cell[] | undefined {
  if (line === undefined) return undefined;
  const row: unknown = JSON.parse(line);
  if (!isRow(row)) throw new Error('A line of a result is no row.');
  return row;
}

/** The same, where a row that is too long to be parsed shows as such in every column. */
export function rowCells(line: string | undefined, columns: number): readonly Cell[] {
  return cellsOf(line) ?? Array.from({ length: columns }, () => '(this row is too long to show)');
}

/** The encoder of the engines wrote the line, and guarantees its cells: a million rows are not parsed a second time. */
function isRow(row: unknown): row is Cell[] {
  return Array.isArray(row);
}

/** A cell as a page shows it. */
export function shownCell(value: Cell): ShownCell {
  if (typeof value === 'string') {
    return value.length <= MAX_SHOWN_CHARS ? value : { text: startOf(value, MAX_SHOWN_CHARS), chars: value.length };
  }
  if (typeof value !== 'object' || value === null) return value;
  return { bytes: value.bytes, hex: value.hex.slice(0, 2 * MAX_SHOWN_BINARY_BYTES) };
}

/** The first characters of a text; half a character is none. */
export function startOf(text: string, most: number): string {
  const start = text.slice(0, most);
  return /[\ud800-\udbff]$/.test(start) ? start.slice(0, -1) : start;
}

/** A cell as text: NULL as nothing, binary as hex. */
export function textOf(value: Cell): string {
  if (value === null) return '';
  return typeof value === 'object' ? value.hex : String(value);
}
