import type { ResultOf } from '@devdb/shared/protocol/method';
import type { readCell } from '@devdb/shared/protocol/result-methods';
import type { Cell } from '@devdb/shared/tools/database/fields';
import { startOf } from './cells.ts';
import { MAX_CELL_CHARS } from './limits.ts';

/** A cell as the cell viewer shows it. */
export function wholeCell(cell: Cell): ResultOf<typeof readCell> {
  if (cell === null) return { kind: 'null', text: '', length: 0, isCut: false };
  if (typeof cell === 'object') {
    return {
      kind: 'binary',
      text: cell.hex.slice(0, MAX_CELL_CHARS),
      length: cell.bytes,
      isCut: cell.hex.length > MAX_CELL_CHARS || cell.hex.length < 2 * cell.bytes,
    };
  }
  const text = String(cell);
  const kind = typeof cell === 'string' ? 'text' : typeof cell === 'number' ? 'number' : 'boolean';
  return { kind, text: startOf(text, MAX_CELL_CHARS), length: text.length, isCut: text.length > MAX_CELL_CHARS };
}
