import type { ExportFormat, ExportSink } from '../engine.ts';
import { ExportChunks } from '../export-chunks.ts';
import { notExported } from '../not-exported.ts';
import { type RawLines, rawCsvLines, rawJsonLines } from '../raw-lines.ts';
import type { RawCell, RowReceiver } from './connection.ts';
import { csvWriter } from './csv-bytes.ts';
import { jsonWriters } from './json-bytes.ts';
import type { ReadyStatement } from './judge.ts';
import { begin, isHarmless, type Reading, runRead } from './read.ts';
import type { Field } from './values.ts';

/** Sends every row of a read as lines of a file. The server waits while the sink is busy. */
export async function exportRows(
  statement: ReadyStatement,
  format: ExportFormat,
  sink: ExportSink,
  reading: Reading,
  signal: AbortSignal,
): Promise<void> {
  if (statement.effect === 'write') throw notExported();
  await reading.connections.use(signal, async (connection, progress) => {
    await begin(statement, connection);
    if (!(await isHarmless(statement, connection, reading))) throw notExported();
    progress.reached = 'read';
    const chunks = new ExportChunks(sink, connection);
    const running = runRead(connection, statement, new ExportLines(format, chunks));
    try {
      const ended = await Promise.race([running, chunks.failed]);
      if (ended === 'is-write') throw notExported();
      await chunks.end();
    } finally {
      // A sink that failed ends the statement: rows that nobody takes are not sent.
      if (chunks.hasFailed) reading.connections.discard(connection);
      await Promise.allSettled([running]);
    }
  });
}

/** Writes rows as lines, straight from the bytes that the server sent. */
class ExportLines implements RowReceiver {
  readonly #format: ExportFormat;
  readonly #chunks: ExportChunks;
  #write: RawLines<Buffer>['write'] = () => undefined;

  constructor(format: ExportFormat, chunks: ExportChunks) {
    this.#format = format;
    this.#chunks = chunks;
  }

  columns(fields: readonly Field[]): void {
    const names = fields.map(({ name }) => name);
    const { head, write } =
      this.#format === 'csv'
        ? rawCsvLines(names, fields.map(csvWriter))
        : rawJsonLines(names, fields.map(jsonWriters()));
    this.#chunks.lines.text(head);
    this.#write = write;
  }

  row(values: readonly RawCell[]): void {
    if (this.#chunks.hasFailed) return;
    this.#write(this.#chunks.lines, values);
    this.#chunks.rowDone();
  }
}
