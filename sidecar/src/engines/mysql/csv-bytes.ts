import type { LineBuffer } from '../line-buffer.ts';
import type { WriteCell } from '../raw-lines.ts';
import { cellReader, type Field, isAsText } from './values.ts';

const QUOTE = 34;
const COMMA = 44;
const CR = 13;
const LF = 10;
/** From this length on, the runtime's own function copies faster than a loop over the bytes. */
const SHORT_CELL = 128;

/** Writers of CSV cells, straight from the server's bytes, which are already UTF-8 and digits. */
export function csvWriter(field: Field): WriteCell<Buffer> {
  return isAsText(field) ? writeText : otherWriter(field);
}

function writeText(target: LineBuffer, bytes: Buffer): void {
  // An empty text is quoted to distinguish it from NULL.
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

/** Bit fields as their number, the rest as hex. */
function otherWriter(field: Field): WriteCell<Buffer> {
  const reader = cellReader(field);
  return (target, bytes) => {
    const value = reader(bytes);
    const text = value instanceof Uint8Array ? bytes.toString('hex') : String(value);
    // Empty binary is quoted to distinguish it from NULL.
    target.text(text === '' ? '""' : text);
  };
}
