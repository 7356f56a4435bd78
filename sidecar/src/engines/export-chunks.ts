import type { ExportSink } from './engine.ts';
import { EXPORT_CHUNK_BYTES } from './limits.ts';
import { LineBuffer } from './line-buffer.ts';

/** Where the rows come from. */
export interface RowSource {
  /** Stops rows from coming until `resume`; those that are here already still come. */
  pause(): void;
  resume(): void;
}

interface Chunk {
  readonly room: LineBuffer;
  readonly bytes: Buffer;
  readonly rows: number;
}

/** Chunks that may wait for the sink before the source has to. */
const MOST_WAITING = 4;

/**
 * Takes the lines of an export and passes them on in chunks, in order; the source waits while the sink has enough to do.
 * A chunk is not copied: its room is written again once the sink is done with it.
 */
export class ExportChunks {
  /** Rejects as soon as the sink does: there is no use in reading on. */
  readonly failed: Promise<never>;
  readonly #sink: ExportSink;
  readonly #source: RowSource;
  readonly #failure = Promise.withResolvers<never>();
  readonly #waiting: Chunk[] = [];
  readonly #free: LineBuffer[] = [];
  #lines = new LineBuffer();
  #rows = 0;
  #isPaused = false;
  #hasFailed = false;
  #sending: Promise<void> | undefined;

  constructor(sink: ExportSink, source: RowSource) {
    this.#sink = sink;
    this.#source = source;
    this.failed = this.#failure.promise;
  }

  get hasFailed(): boolean {
    return this.#hasFailed;
  }

  /** Where the next row is written to; to be asked for anew for each. */
  get lines(): LineBuffer {
    return this.#lines;
  }

  /** A row was written. */
  rowDone(): void {
    this.#rows += 1;
    if (this.#lines.length >= EXPORT_CHUNK_BYTES) this.#flush();
  }

  /** Passes on what is left, and waits until the sink has everything. */
  async end(): Promise<void> {
    if (this.#lines.length > 0) this.#flush();
    // In this order: a failure of before is told even though nothing is being sent.
    await Promise.race([this.failed, this.#sending]);
  }

  #flush(): void {
    const rows = this.#rows;
    this.#rows = 0;
    const room = this.#lines;
    const bytes = room.take();
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

  /** A huge cell leaves in pieces; the last one completes the rows. */
  async #pass({ bytes, rows }: Chunk): Promise<void> {
    for (let at = 0; at < bytes.length; at += EXPORT_CHUNK_BYTES) {
      const piece = bytes.subarray(at, at + EXPORT_CHUNK_BYTES);
      await this.#sink.write(piece, at + piece.length === bytes.length ? rows : 0);
    }
  }
}
