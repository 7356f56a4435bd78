import type { LineBuffer } from './line-buffer.ts';
import { cellsHead, csvLines, jsonKeys, type NamedColumn } from './row-lines.ts';

/** Writes one cell of a column, never NULL, straight from the driver's value. */
export type WriteCell<Raw> = (target: LineBuffer, cell: Raw) => void;

/** Rows as lines of a file, without intermediate values: how to write a cell is decided once per column. */
export interface RawLines<Raw> {
  /** The text before the first row. */
  readonly head: string;
  readonly write: (target: LineBuffer, cells: readonly (Raw | null)[]) => void;
}

const COMMA = 44;
const CR = 13;
const LF = 10;
const OPENING_BRACKET = 91;
const CLOSING_BRACKET = 93;
const CLOSING_BRACE = 125;
const NULL = Buffer.from('null');

/** The same lines as `csvLines`; each column has its writer. */
export function rawCsvLines<Raw>(names: readonly string[], writers: readonly WriteCell<Raw>[]): RawLines<Raw> {
  return {
    head: csvLines(names).head,
    write(target, cells) {
      for (let i = 0; i < cells.length; i += 1) {
        const cell = cells[i];
        if (i > 0) target.byte(COMMA);
        if (cell !== null && cell !== undefined) writers[i]?.(target, cell);
      }
      target.byte(CR);
      target.byte(LF);
    },
  };
}

/** The same lines as `jsonLines`; each column has its writer. */
export function rawJsonLines<Raw>(names: readonly string[], writers: readonly WriteCell<Raw>[]): RawLines<Raw> {
  const keys = jsonKeys(names);
  return {
    head: '',
    write(target, cells) {
      for (let i = 0; i < cells.length; i += 1) {
        const cell = cells[i];
        const key = keys[i];
        if (key !== undefined) target.raw(key);
        if (cell === null || cell === undefined) target.raw(NULL);
        else writers[i]?.(target, cell);
      }
      target.byte(CLOSING_BRACE);
      target.byte(LF);
    },
  };
}

/** The same lines as `cellLines`; each column has its writer. */
export function rawCellLines<Raw>(columns: readonly NamedColumn[], writers: readonly WriteCell<Raw>[]): RawLines<Raw> {
  return {
    head: cellsHead(columns),
    write(target, cells) {
      target.byte(OPENING_BRACKET);
      for (let i = 0; i < cells.length; i += 1) {
        const cell = cells[i];
        if (i > 0) target.byte(COMMA);
        if (cell === null || cell === undefined) target.raw(NULL);
        else writers[i]?.(target, cell);
      }
      target.byte(CLOSING_BRACKET);
      target.byte(LF);
    },
  };
}
