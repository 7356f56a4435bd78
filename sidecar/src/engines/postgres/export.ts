import type { ExportFormat, ExportSink, ExportSummary } from '../engine.ts';
import { ExportChunks } from '../export-chunks.ts';
import { notExported } from '../not-exported.ts';
import { RawExport, type Writers } from '../raw-export.ts';
import type { WriteCell } from '../raw-lines.ts';
import type { Database } from './database.ts';
import type { ReadyStatement } from './judge.ts';
import { runRead } from './read.ts';
import { builtInType } from './type-names.ts';
import { csvWriters, isNumeric, jsonWriters } from './values.ts';
import type { Field } from './wire/statement-run.ts';

/** Sends every row of a read to the sink. The server waits while the sink is busy. */
export async function exportRows(
  { connections, reach }: Database,
  statement: ReadyStatement,
  format: ExportFormat,
  sink: ExportSink,
  signal: AbortSignal,
): Promise<ExportSummary> {
  if (statement.effect === 'write') throw notExported();
  return connections.use(signal, async (connection, progress) => {
    const chunks = new ExportChunks(sink, connection, format);
    const running = runRead(connection, reach, statement, new RawExport(format, chunks, WRITERS), progress);
    const outcome = await Promise.race([running, chunks.failed]);
    if (outcome === 'is-write') throw notExported();
    await chunks.end();
    return chunks.facts.summary();
  });
}

const WRITERS: Writers<string, Field> = {
  csv: (fields) => writersOf(fields, csvWriters()),
  jsonl: (fields) => writersOf(fields, jsonWriters()),
  isNumber: ({ dataTypeID }) => isNumeric(dataTypeID),
  typeOf: ({ dataTypeID, dataTypeModifier }) => builtInType(dataTypeID, dataTypeModifier),
};

function writersOf(fields: readonly Field[], writerOf: (type: number) => WriteCell<string>): WriteCell<string>[] {
  return fields.map(({ dataTypeID }) => writerOf(dataTypeID));
}
