import type { ExportSink } from '../engine.ts';
import { ExportChunks } from '../export-chunks.ts';
import { notExported } from '../not-exported.ts';
import { type RawLines, rawCsvLines, rawJsonLines } from '../raw-lines.ts';
import { plainStatement } from './bind.ts';
import type { Connections } from './pool.ts';
import type { ReachBook } from './reach.ts';
import { judgeOrRefuse, runRead } from './read.ts';
import { csvWriters, jsonWriters } from './values.ts';
import type { Field, RowReceiver } from './wire/statement-run.ts';

/** Sends every row of a read to the sink. The server waits while the sink does. */
export async function exportRows(
  connections: Connections,
  book: ReachBook,
  sql: string,
  format: 'csv' | 'jsonl',
  sink: ExportSink,
  signal: AbortSignal,
): Promise<void> {
  const judged = judgeOrRefuse(sql);
  if (judged.statement.effect === 'write') throw notExported();
  await connections.use(signal, async (connection, progress) => {
    const chunks = new ExportChunks(sink, connection);
    const running = runRead(connection, book, judged, plainStatement(sql), new ExportLines(format, chunks), progress);
    const outcome = await Promise.race([running, chunks.failed]);
    if (outcome === 'is-write') throw notExported();
    await chunks.end();
  });
}

/** Writes rows as lines, straight from the texts that the server sent. */
class ExportLines implements RowReceiver {
  readonly #format: 'csv' | 'jsonl';
  readonly #chunks: ExportChunks;
  #write: RawLines<string>['write'] = () => undefined;

  constructor(format: 'csv' | 'jsonl', chunks: ExportChunks) {
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
