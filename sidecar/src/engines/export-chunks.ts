import type { ExportFormat, ExportSink } from './engine.ts';
import { ExportFacts } from './export-summary.ts';
import { EXPORT_CHUNK_BYTES } from './limits.ts';
import { LineBuffer } from './line-buffer.ts';
import { SoonRows } from './soon-rows.ts';

/** Where the rows come from. */
export interface RowSource {
  /** Stops rows until `resume`; rows already received still come. */
  pause(): void;
  resume(): void;
}

interface Chunk {
  readonly room: LineBuffer;
  readonly bytes: Buffer;
  readonly rows: number;
}

/** Chunks that may wait for the sink before the source is paused. */
const MOST_WAITING = 4;

/**
 * Takes the lines of an export and passes them on in chunks, in order; the source is paused while the sink is busy.
 * Chunks are not copied: a buffer is reused once the sink is done with it.
 */
export class ExportChunks {
  /** Rejects as soon as the sink does, since reading on would be pointless. */
  readonly failed: Promise<never>;
  readonly facts = new ExportFacts();
  readonly #sink: ExportSink;
  readonly #source: RowSource;
  readonly #failure = Promise.withResolvers<never>();
  readonly #waiting: Chunk[] = [];
  readonly #free: LineBuffer[] = [];
  readonly #soon: SoonRows | undefined;
  #lines = new LineBuffer();
  #rows = 0;
  #isPaused = false;
  #hasFailed = false;
  #sending: Promise<void> | undefined;

  constructor(sink: ExportSink, source: RowSource, format?: ExportFormat) {
    this.#sink = sink;
    this.#source = source;
    this.failed = this.#failure.promise;
    if (format === 'cells') this.#soon = new SoonRows();
  }

  get hasFailed(): boolean {
    return this.#hasFailed;
  }

  /** The buffer for the next row; get it again for each row. */
  get lines(): LineBuffer {
    return this.#lines;
  }

  /** Writes what stands before the rows. */
  head(text: string): void {
    this.#lines.text(text);
    this.facts.edges.headDone(this.#lines.length);
  }

  /** A row was written. */
  rowDone(): void {
    this.#rows += 1;
    this.facts.edges.rowDone(this.#lines.length);
    if (this.#lines.length >= EXPORT_CHUNK_BYTES || this.#soon?.isDue()) this.#flush();
  }

  /** Passes on the rest, and waits until the sink has everything. */
  async end(): Promise<void> {
    if (this.#lines.length > 0) this.#flush();
    // In this order, so that an earlier failure is reported even when nothing is being sent.
    await Promise.race([this.failed, this.#sending]);
  }

  #flush(): void {
    const rows = this.#rows;
    this.#rows = 0;
    const room = this.#lines;
    const bytes = room.take();
    this.facts.edges.taken(bytes, rows);
    if (this.#hasFailed) return;
    this.#waiting.push({ room, bytes, rows });
    this.#lines = this.#free.pop() ?? new LineBuffer();
    if (this.#waiting.length >= MOST_WAITING && !this.#isPaused) {
      this.#isPaused = true;
      this.#source.pause();
    }
    this.#sending ??= this.#send();
  }

  async #send(): Promise<void> {
    try {
      for (let chunk = this.#waiting[0]; chunk !== undefined; chunk = this.#waiting[0]) {
        await this.#pass(chunk);
        this.#waiting.shift();
        if (this.#free.length < MOST_WAITING) this.#free.push(chunk.room);
        if (!this.#isPaused || this.#waiting.length >= MOST_WAITING) continue;
        this.#isPaused = false;
        this.#source.resume();
      }
    } catch (error) {
      this.#hasFailed = true;
      this.#failure.reject(error);
    }
    this.#sending = undefined;
  }

  /** A huge cell is sent in pieces; the last piece completes the rows. */
  async #pass({ bytes, rows }: Chunk): Promise<void> {
    for (let at = 0; at < bytes.length; at += EXPORT_CHUNK_BYTES) {
      const piece = bytes.subarray(at, at + EXPORT_CHUNK_BYTES);
      await this.#sink.write(piece, at + piece.length === bytes.length ? rows : 0);
    }
  }
}
