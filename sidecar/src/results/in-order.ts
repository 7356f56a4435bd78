import { EXPORT_HELD_BYTES, EXPORT_ROWS } from './limits.ts';
import type { ResultFile } from './result-file.ts';
import type { RowOrder } from './row-order.ts';

/**
 * The rows of an order. Each piece of it is read in the order of the file: one row after the other would find its
 * place in the file anew a million times.
 */
export async function* inOrder(
  order: Pick<RowOrder, 'length' | 'at'>,
  file: Pick<ResultFile, 'picked' | 'rows' | 'span'>,
  signal: AbortSignal,
): AsyncGenerator<string | undefined> {
  const { begin, end } = file.span;
  const rowBytes = Math.max(1, (end - begin) / Math.max(1, file.rows));
  const step = Math.max(1, Math.min(EXPORT_ROWS, Math.floor(EXPORT_HELD_BYTES / rowBytes)));
  for (let from = 0; from < order.length; from += step) {
    const rows = await order.at(from, step);
    const lines = new Map<number, string | undefined>();
    for await (const { row, line } of file.picked(rows.toSorted(), signal)) lines.set(row, line);
    for (const row of rows) yield lines.get(row);
  }
}
