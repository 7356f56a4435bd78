import { AppError } from '@devdb/shared/errors';
import { EXPORT_CHUNK_BYTES } from '@devdb/shared/limits';
import type { ExportSink } from '../engine.ts';
import { LineBuffer } from '../line-buffer.ts';
import { csvLines, jsonLines, type LineFormat } from '../row-lines.ts';
import type { DriverValue } from '../values.ts';
import type { ResultColumn } from './columns.ts';
import type { Receiver, ServerConnection } from './connection.ts';
import type { Database } from './database.ts';
import { judgeOrRefuse, runGuarded } from './read.ts';

/** Writes every row of a read to the sink, at the sink's speed. */
export async function exportRows(
  database: Database,
  sql: string,
  format: 'csv' | 'jsonl',
  sink: ExportSink,
  signal: AbortSignal,
): Promise<void> {
  if (judgeOrRefuse(sql).effect === 'write') {
    throw new AppError('E_READ_ONLY', 'An export takes a read, and this statement would write.', {
      hint: 'Run the change with run-query, then export a SELECT.',
    });
  }
  let lines: ExportLines | undefined;
  await runGuarded(database, sql, signal, (connection, fail) => {
    lines = new ExportLines(connection, format, sink, fail);
    return lines;
  });
  await lines?.end();
}

/** Gathers lines until a chunk is full; while the sink takes it, the server waits. */
class ExportLines implements Receiver {
  readonly #connection: ServerConnection;
  readonly #format: 'csv' | 'jsonl';
  readonly #sink: ExportSink;
  readonly #fail: (error: unknown) => void;
  readonly #buffer = new LineBuffer();
  #write: LineFormat['write'] | undefined;
  #results = 0;
  #rows = 0;
  #sent: Promise<void> = Promise.resolve();

  constructor(connection: ServerConnection, format: 'csv' | 'jsonl', sink: ExportSink, fail: (error: unknown) => void) {
    this.#connection = connection;
    this.#format = format;
    this.#sink = sink;
    this.#fail = fail;
  }

  columns(columns: readonly ResultColumn[]): void {
    this.#results += 1;
    if (this.#results > 1) return;
    const names = columns.map(({ name }) => name);
    const { head, write } = this.#format === 'csv' ? csvLines(names) : jsonLines(names);
    this.#buffer.text(head);
    this.#write = write;
  }

  row(values: DriverValue[]): void {
    if (this.#results > 1) return;
    this.#write?.(this.#buffer, values);
    this.#rows += 1;
    if (this.#buffer.length < EXPORT_CHUNK_BYTES) return;
    this.#connection.pause();
    this.#sent = this.#flush();
    this.#sent.then(() => this.#connection.resume(), this.#fail);
  }

  /** Sends what is left. */
  async end(): Promise<void> {
    await this.#sent;
    if (this.#buffer.length > 0) await this.#flush();
  }

  /** A huge cell leaves in pieces; the last one completes the rows. */
  async #flush(): Promise<void> {
    const bytes = Buffer.from(this.#buffer.take());
    const rows = this.#rows;
    this.#rows = 0;
    for (let at = 0; at < bytes.length; at += EXPORT_CHUNK_BYTES) {
      const piece = bytes.subarray(at, at + EXPORT_CHUNK_BYTES);
      await this.#sink.write(piece, at + piece.length === bytes.length ? rows : 0);
    }
  }
}
