import type { LineBuffer } from '../line-buffer.ts';
import { csvLines } from '../row-lines.ts';
import { cellReader, type Field, isAsText } from './cells.ts';
import type { RawCell } from './connection.ts';

const QUOTE = 34;
const COMMA = 44;
const CR = 13;
const LF = 10;
/** Copying a longer text with the runtime's own function is faster than byte by byte. */
const SHORT_CELL = 128;

/** Writes a row as it came. */
export type WriteRow = (target: LineBuffer, cells: readonly RawCell[]) => void;

/** The head of a CSV file and its rows, straight from the server's bytes: they are UTF-8 and digits already. */
export function csvBytes(fields: readonly Field[]): { readonly head: string; readonly write: WriteRow } {
  const { head } = csvLines(fields.map(({ name }) => name));
  const writers = fields.map((field) => (isAsText(field) ? writeText : otherWriter(field)));
  const write: WriteRow = (target, cells) => {
    for (let i = 0; i < cells.length; i += 1) {
      const cell = cells[i];
      if (i > 0) target.byte(COMMA);
      if (cell !== null && cell !== undefined) writers[i]?.(target, cell);
    }
    target.byte(CR);
    target.byte(LF);
  };
  return { head, write };
}

function writeText(target: LineBuffer, bytes: Buffer): void {
  // An empty text is quoted, so that it is no NULL.
  const quoted = bytes.length === 0 || needsQuotes(bytes);
  if (quoted) target.byte(QUOTE);
  if (quoted && bytes.includes(QUOTE)) target.text(bytes.toString('utf8').replaceAll('"', '""'));
  else if (bytes.length > SHORT_CELL) target.text(bytes.toString('utf8'));
  else target.raw(bytes);
  if (quoted) target.byte(QUOTE);
}

function needsQuotes(bytes: Buffer): boolean {
  for (let i = 0; i < bytes.length; i += 1) {
    const byte = bytes[i];
    if (byte === COMMA || byte === QUOTE || byte === LF || byte === CR) return true;
  }
  return false;
}

/** Bits as their number, the rest as hex. */
function otherWriter(field: Field): (target: LineBuffer, bytes: Buffer) => void {
  const reader = cellReader(field);
  return (target, bytes) => {
    const value = reader(bytes);
    target.text(value instanceof Uint8Array ? bytes.toString('hex') : String(value));
  };
}
