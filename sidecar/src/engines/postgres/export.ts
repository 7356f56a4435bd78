import { AppError } from '@devdb/shared/errors';
import { EXPORT_CHUNK_BYTES } from '@devdb/shared/limits';
import type { ExportSink } from '../engine.ts';
import { LineBuffer } from '../line-buffer.ts';
import { csvLines, jsonLines, type LineFormat } from '../row-lines.ts';
import { cellReader, textReader } from './cells.ts';
import type { ServerConnection } from './connection.ts';
import type { Connections } from './connections.ts';
import { beginGuarded } from './guard.ts';
import { judgeOrRefuse, runRead } from './read.ts';
import { RowReader } from './result.ts';
import type { Field, RowReceiver } from './statement-run.ts';

/** Chunks that wait for the sink before the server is made to wait. */
const MOST_WAITING = 4;

/** Sends every row of a read to the sink. The server waits while the sink does. */
export async function exportRows(
  connections: Connections,
  sql: string,
  format: 'csv' | 'jsonl',
  sink: ExportSink,
  signal: AbortSignal,
): Promise<void> {
  const { statement, functions } = judgeOrRefuse(sql);
  if (statement.effect === 'write') throw notARead();
  await connections.use(signal, async (connection, progress) => {
    if ((await beginGuarded(connection, functions)).length > 0) throw notARead();
    progress.reached = 'read';
    const lines = new ExportLines(format, sink, connection);
    const running = runRead(connection, sql, lines);
    const outcome = await Promise.race([running, lines.failed]);
    if (outcome === 'is-write') throw notARead();
    await lines.end();
  });
}

function notARead(): AppError {
  return new AppError('E_READ_ONLY', 'An export takes a read, and this statement would write.', {
    hint: 'Run the change with run-query, then export a SELECT.',
  });
}

/** Gathers lines into chunks, and stops the connection while chunks wait for the sink. */
class ExportLines implements RowReceiver {
  /** Rejects as soon as the sink does: there is no use in reading on. */
  readonly failed: Promise<never>;
  readonly #fail: (reason: unknown) => void;
  readonly #format: 'csv' | 'jsonl';
  readonly #sink: ExportSink;
  readonly #connection: ServerConnection;
  #reader = new RowReader([]);
  readonly #lines = new LineBuffer();
  #write: LineFormat['write'] = () => undefined;
  #rows = 0;
  #waiting = 0;
  #written: Promise<void> = Promise.resolve();

  constructor(format: 'csv' | 'jsonl', sink: ExportSink, connection: ServerConnection) {
    const { promise, reject } = Promise.withResolvers<never>();
    this.failed = promise;
    this.#fail = reject;
    this.#format = format;
    this.#sink = sink;
    this.#connection = connection;
  }

  columns(fields: readonly Field[]): void {
    const names = fields.map(({ name }) => name);
    const { head, write } = this.#format === 'csv' ? csvLines(names) : jsonLines(names);
    this.#reader = new RowReader(fields, this.#format === 'csv' ? textReader : cellReader);
    this.#write = write;
    this.#lines.text(head);
  }

  row(values: readonly (string | null)[]): void {
    this.#write(this.#lines, this.#reader.read(values));
    this.#rows += 1;
    if (this.#lines.length >= EXPORT_CHUNK_BYTES) this.#flush();
  }

  /** Writes what is left and waits until the sink has everything. */
  async end(): Promise<void> {
    if (this.#lines.length > 0) this.#flush();
    await Promise.race([this.#written, this.failed]);
  }

  /** A huge cell leaves in pieces; the last one completes the rows. */
  #flush(): void {
    // Copied: rows that are already here are written while this waits.
    const bytes = Buffer.from(this.#lines.take());
    const rows = this.#rows;
    this.#rows = 0;
    this.#waiting += 1;
    if (this.#waiting >= MOST_WAITING) this.#connection.pause();
    this.#written = this.#written.then(() => this.#pass(bytes, rows));
  }

  async #pass(bytes: Buffer, rows: number): Promise<void> {
    try {
      for (let at = 0; at < bytes.length; at += EXPORT_CHUNK_BYTES) {
        const end = at + EXPORT_CHUNK_BYTES;
        await this.#sink.write(bytes.subarray(at, end), end >= bytes.length ? rows : 0);
      }
    } catch (error) {
      this.#fail(error);
      return;
    }
    this.#waiting -= 1;
    if (this.#waiting < MOST_WAITING) this.#connection.resume();
  }
}
