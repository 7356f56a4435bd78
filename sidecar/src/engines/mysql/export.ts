import { AppError } from '@devdb/shared/errors';
import { EXPORT_CHUNK_BYTES } from '@devdb/shared/limits';
import type { ExportSink } from '../engine.ts';
import { LineBuffer } from '../line-buffer.ts';
import { jsonLines } from '../row-lines.ts';
import type { Field } from './cells.ts';
import type { RawCell, RowReceiver, ServerConnection } from './connection.ts';
import { csvBytes, type WriteRow } from './csv-bytes.ts';
import { begin, classifyOrRefuse, type Reading, runRead } from './read.ts';
import { RowReader } from './result.ts';

/** Sends every row of a read as lines of a file. The server waits while the sink is busy. */
export async function exportRows(
  sql: string,
  format: 'csv' | 'jsonl',
  sink: ExportSink,
  reading: Reading,
  signal: AbortSignal,
): Promise<void> {
  const statement = await classifyOrRefuse(sql, reading, signal);
  if (statement.effect === 'write') throw notExported();
  await reading.connections.use(signal, async (connection, progress) => {
    await begin(sql, connection);
    progress.reached = 'read';
    const lines = new ExportLines(format, sink, connection);
    const running = runRead(connection, sql, lines);
    try {
      const ended = await Promise.race([running, lines.failed]);
      if (ended === 'is-write') throw notExported();
      await lines.end();
    } finally {
      // A sink that failed ends the statement: rows that nobody takes are not sent.
      if (lines.hasFailed) reading.connections.discard(connection);
      await Promise.allSettled([running]);
    }
  });
}

function notExported(): AppError {
  return new AppError('E_READ_ONLY', 'An export takes a read, and this statement would write.', {
    hint: 'Run the change with run-query, then export a SELECT.',
  });
}

interface Chunk {
  readonly bytes: Buffer;
  readonly rows: number;
}

/** Chunks that may wait for the sink before the server has to. */
const MOST_WAITING = 4;

/** Gathers lines until a chunk is full, and holds the connection while the sink has enough to do. */
class ExportLines implements RowReceiver {
  readonly failed: Promise<never>;
  readonly #format: 'csv' | 'jsonl';
  readonly #sink: ExportSink;
  readonly #connection: ServerConnection;
  readonly #failure = Promise.withResolvers<never>();
  readonly #lines = new LineBuffer();
  readonly #waiting: Chunk[] = [];
  #write: WriteRow = () => undefined;
  #rows = 0;
  #paused = false;
  #sending: Promise<void> | undefined;
  hasFailed = false;

  constructor(format: 'csv' | 'jsonl', sink: ExportSink, connection: ServerConnection) {
    this.#format = format;
    this.#sink = sink;
    this.#connection = connection;
    this.failed = this.#failure.promise;
  }

  columns(fields: readonly Field[]): void {
    const { head, write } = this.#format === 'csv' ? csvBytes(fields) : jsonRows(fields);
    this.#write = write;
    this.#lines.text(head);
  }

  row(values: readonly RawCell[]): void {
    if (this.hasFailed) return;
    this.#write(this.#lines, values);
    this.#rows += 1;
    if (this.#lines.length >= EXPORT_CHUNK_BYTES) this.#flush();
  }

  /** Sends what is left, and waits for what is still on its way. */
  async end(): Promise<void> {
    this.#flush();
    await Promise.race([this.#sending, this.failed]);
  }

  /** A copy goes: the lines are written over while the sink is busy. */
  #flush(): void {
    if (this.#lines.length === 0) return;
    this.#waiting.push({ bytes: Buffer.from(this.#lines.take()), rows: this.#rows });
    this.#rows = 0;
    if (this.#waiting.length >= MOST_WAITING) {
      this.#paused = true;
      this.#connection.pause();
    }
    this.#sending ??= this.#send();
  }

  async #send(): Promise<void> {
    try {
      for (let chunk = this.#waiting.shift(); chunk !== undefined; chunk = this.#waiting.shift()) {
        await this.#sendChunk(chunk);
        if (!this.#paused || this.#waiting.length > 0) continue;
        this.#paused = false;
        this.#connection.resume();
      }
    } catch (error) {
      this.hasFailed = true;
      this.#failure.reject(error);
    }
    this.#sending = undefined;
  }

  /** A huge cell leaves in pieces; the last one completes the rows. */
  async #sendChunk({ bytes, rows }: Chunk): Promise<void> {
    for (let at = 0; at < bytes.length; at += EXPORT_CHUNK_BYTES) {
      const piece = bytes.subarray(at, at + EXPORT_CHUNK_BYTES);
      await this.#sink.write(piece, at + piece.length === bytes.length ? rows : 0);
    }
  }
}

function jsonRows(fields: readonly Field[]): { readonly head: string; readonly write: WriteRow } {
  const { head, write } = jsonLines(fields.map(({ name }) => name));
  const reader = new RowReader(fields);
  return { head, write: (target, cells) => write(target, reader.read(cells)) };
}
