import type { ExportFormat, ExportSink, ExportSummary } from '../engine.ts';
import { ExportChunks } from '../export-chunks.ts';
import { notExported } from '../not-exported.ts';
import { RawExport, type Writers } from '../raw-export.ts';
import { csvWriter } from './csv-bytes.ts';
import { jsonWriters } from './json-bytes.ts';
import type { ReadyStatement } from './judge.ts';
import { begin, isHarmless, type Reading, runRead } from './read.ts';
import { type Field, isAddable, typeName } from './values.ts';

/** Sends every row of a read as lines of a file. The server waits while the sink is busy. */
export async function exportRows(
  statement: ReadyStatement,
  format: ExportFormat,
  sink: ExportSink,
  reading: Reading,
  signal: AbortSignal,
): Promise<ExportSummary> {
  if (statement.effect === 'write') throw notExported();
  return reading.connections.use(signal, async (connection, progress) => {
    await begin(statement, connection);
    if (!(await isHarmless(statement, connection, reading))) throw notExported();
    progress.reached = 'read';
    const chunks = new ExportChunks(sink, connection, format);
    const running = runRead(connection, statement, new RawExport(format, chunks, WRITERS));
    try {
      const ended = await Promise.race([running, chunks.failed]);
      if (ended === 'is-write') throw notExported();
      await chunks.end();
      return chunks.facts.summary();
    } finally {
      // A failed sink ends the statement, so that no unwanted rows are sent.
      if (chunks.hasFailed) reading.connections.discard(connection);
      await Promise.allSettled([running]);
    }
  });
}

const WRITERS: Writers<Buffer, Field> = {
  csv: (fields) => fields.map(csvWriter),
  jsonl: (fields) => fields.map(jsonWriters()),
  isNumber: isAddable,
  typeOf: typeName,
};
