import { AppError } from '@devdb/shared/errors';
import type { Cell } from '@devdb/shared/tools/database/fields';
import type { ExportFormat, ExportSink } from '../engines/engine.ts';
import { EXPORT_CHUNK_BYTES } from '../engines/limits.ts';
import { LineBuffer } from '../engines/line-buffer.ts';
import { linesOf } from '../engines/row-lines.ts';
import type { DriverValue } from '../engines/values.ts';
import { cellsOf } from './cells.ts';
import type { PersonResult } from './person-result.ts';

/** Sends every row of an order to a sink, as the database's own export writes it. */
export async function exportRows(
  result: Pick<PersonResult, 'columns' | 'all'>,
  order: number,
  format: ExportFormat,
  sink: ExportSink,
  signal: AbortSignal,
): Promise<void> {
  const { head, write } = linesOf(format, result.columns);
  const buffer = new LineBuffer();
  let rows = 0;
  buffer.text(head);
  for await (const line of result.all(order, signal)) {
    const cells = cellsOf(line);
    if (cells === undefined) throw tooLongToExport();
    write(buffer, cells.map(driverValue));
    rows += 1;
    if (buffer.length < EXPORT_CHUNK_BYTES) continue;
    await sink.write(buffer.take(), rows);
    rows = 0;
  }
  if (buffer.length > 0) await sink.write(buffer.take(), rows);
}

function driverValue(cell: Cell): DriverValue {
  return typeof cell === 'object' && cell !== null ? Buffer.from(cell.hex, 'hex') : cell;
}

function tooLongToExport(): AppError {
  return new AppError('E_FILE_TOO_LARGE', 'A row is too long to be exported from a sorted or filtered result.', {
    hint: 'Show the rows as they came, without a filter, and export them again: the database writes the file then.',
  });
}
