import type { ExportFormat, ExportSink } from '../engine.ts';
import { ExportChunks } from '../export-chunks.ts';
import { notExported } from '../not-exported.ts';
import { type RawLines, rawCsvLines, rawJsonLines } from '../raw-lines.ts';
import type { Database } from './database.ts';
import type { ReadyStatement } from './judge.ts';
import { runRead } from './read.ts';
import { csvWriters, jsonWriters } from './values.ts';
import type { Field, RowReceiver } from './wire/statement-run.ts';

/** Sends every row of a read to the sink. The server waits while the sink does. */
export async function exportRows(
  { connections, reach }: Database,
  statement: ReadyStatement,
  format: ExportFormat,
  sink: ExportSink,
  signal: AbortSignal,
): Promise<void> {
  if (statement.effect === 'write') throw notExported();
  await connections.use(signal, async (connection, progress) => {
    const chunks = new ExportChunks(sink, connection);
    const running = runRead(connection, reach, statement, new ExportLines(format, chunks), progress);
    const outcome = await Promise.race([running, chunks.failed]);
    if (outcome === 'is-write') throw notExported();
    await chunks.end();
  });
}

/** Writes rows as lines, straight from the texts that the server sent. */
class ExportLines implements RowReceiver {
  readonly #format: ExportFormat;
  readonly #chunks: ExportChunks;
  #write: RawLines<string>['write'] = () => undefined;

  constructor(format: ExportFormat, chunks: ExportChunks) {
    this.#format = format;
    this.#chunks = chunks;
  }

  columns(fields: readonly Field[]): void {
    const names = fields.map(({ name }) => name);
    const writerOf = this.#format === 'csv' ? csvWriters() : jsonWriters();
    const writers = fields.map(({ dataTypeID }) => writerOf(dataTypeID));
    const { head, write } = this.#format === 'csv' ? rawCsvLines(names, writers) : rawJsonLines(names, writers);
    this.#chunks.lines.text(head);
    this.#write = write;
  }

  row(values: readonly (string | null)[]): void {
    this.#write(this.#chunks.lines, values);
    this.#chunks.rowDone();
  }
}
