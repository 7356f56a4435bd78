import type { FileHandle } from 'node:fs/promises';
import { open, rm } from 'node:fs/promises';
import type { ResultColumn } from '@devdb/shared/protocol/result-methods';
import * as z from 'zod';
import type { ExportSink } from '../engines/engine.ts';
import { codeOf } from '../host/error-code.ts';
import { FILE_MODE } from '../host/home.ts';
import { INDEX_STEP_BYTES } from './limits.ts';
import { LineReader, type Lines } from './line-reader.ts';

const NEWLINE = 10;
const FULL_DISK = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);
const columnsSchema = z.array(z.object({ name: z.string(), type: z.string().optional() }));

/** The result has reached its largest size, or the disk is full: its rows so far stay. */
export class ResultStopped extends Error {
  readonly why: 'size' | 'disk';

  constructor(why: 'size' | 'disk') {
    super(`The result stops here: ${why}.`);
    this.why = why;
  }
}

/** A row as it stands in the file; undefined where it is too long to be held. */
export interface Picked {
  readonly row: number;
  readonly line: string | undefined;
}

/** The start of a row in the file. */
interface Place {
  readonly row: number;
  readonly offset: number;
}

/** The rows of a statement in a file: written as they come, read by number while more are coming. */
export class ResultFile implements ExportSink {
  readonly #path: string;
  readonly #file: FileHandle;
  readonly #maxBytes: number;
  /** Called when there are more rows. */
  readonly #onRows: () => void;
  readonly #places: Place[] = [];
  /** The first line, until it is complete. */
  #head: Buffer[] | undefined = [];
  #columns: readonly ResultColumn[] = [];
  #rows = 0;
  #bytes = 0;
  #isAtRowEnd = false;

  private constructor(path: string, file: FileHandle, maxBytes: number, onRows: () => void) {
    this.#path = path;
    this.#file = file;
    this.#maxBytes = maxBytes;
    this.#onRows = onRows;
  }

  /** Creates the file, readable by this user alone. */
  static async create(path: string, maxBytes: number, onRows: () => void): Promise<ResultFile> {
    return new ResultFile(path, await open(path, 'wx+', FILE_MODE), maxBytes, onRows);
  }

  get columns(): readonly ResultColumn[] {
    return this.#columns;
  }

  get rows(): number {
    return this.#rows;
  }

  /** Where its rows stand in the file: from the first byte to before the last. */
  get span(): { readonly path: string; readonly begin: number; readonly end: number } {
    return { path: this.#path, begin: this.#places[0]?.offset ?? this.#bytes, end: this.#bytes };
  }

  /** Appends lines: first the columns, then the rows. The last piece of a huge row tells that it is complete. */
  async write(chunk: Buffer, rows: number): Promise<void> {
    if (this.#bytes + chunk.length > this.#maxBytes) throw new ResultStopped('size');
    const start = this.#bytes;
    await this.#append(chunk);
    this.#bytes += chunk.length;
    const body = this.#head === undefined ? start : this.#takeHead(this.#head, chunk, start);
    if (body !== undefined && this.#isAtRowEnd) this.#remember(body);
    // Pieces that complete no row may end in the middle of one.
    this.#isAtRowEnd = rows > 0;
    this.#rows += rows;
    this.#onRows();
  }

  /** Rows from this number on, a few at a time, as they stand in the file. */
  async *lines(from: number, count: number, signal: AbortSignal): AsyncGenerator<Lines> {
    const end = Math.min(from + count, this.#rows);
    if (from >= end) return;
    const place = this.#placeBefore(from);
    const reader = new LineReader(this.#file, place.offset, this.#bytes);
    for (let row = place.row; row < end; ) {
      signal.throwIfAborted();
      const lines = await reader.next();
      if (lines.length === 0) continue;
      const [first, last] = [Math.max(from - row, 0), Math.min(end - row, lines.length)];
      if (first < last) yield lines.slice(first, last);
      row += lines.length;
    }
  }

  /** Some rows by their numbers, which ascend, each with its number. What lies between them is left out. */
  async *picked(rows: Uint32Array, signal: AbortSignal): AsyncGenerator<Picked> {
    for (let at = 0; at < rows.length; ) {
      const first = rows[at] ?? 0;
      let last = at;
      while (last + 1 < rows.length && this.#isNear(rows[last] ?? 0, rows[last + 1] ?? 0)) last += 1;
      let row = first;
      for await (const lines of this.lines(first, (rows[last] ?? first) - first + 1, signal)) {
        for (const line of lines) {
          if (row === rows[at]) {
            yield { row, line };
            at += 1;
          }
          row += 1;
        }
      }
    }
  }

  /** Whether reading on to a row costs less than finding it anew. */
  #isNear(row: number, next: number): boolean {
    return this.#placeBefore(next).offset - this.#placeBefore(row).offset <= INDEX_STEP_BYTES;
  }

  /** Closes and removes the file. */
  async remove(): Promise<void> {
    await this.#file.close();
    await rm(this.#path, { force: true });
  }

  async #append(chunk: Buffer): Promise<void> {
    try {
      for (let done = 0; done < chunk.length; ) {
        const { bytesWritten } = await this.#file.write(chunk, done, chunk.length - done, this.#bytes + done);
        done += bytesWritten;
      }
    } catch (error) {
      throw FULL_DISK.has(codeOf(error)) ? new ResultStopped('disk') : error;
    }
  }

  /** Where the first row begins, once the first line is complete. */
  #takeHead(head: Buffer[], chunk: Buffer, start: number): number | undefined {
    const end = chunk.indexOf(NEWLINE);
    // A copy: the buffer belongs to the sender of the chunk.
    head.push(Buffer.from(end < 0 ? chunk : chunk.subarray(0, end)));
    if (end < 0) return undefined;
    this.#columns = columnsSchema.parse(JSON.parse(Buffer.concat(head).toString('utf8')));
    this.#head = undefined;
    this.#isAtRowEnd = true;
    return start + end + 1;
  }

  #remember(offset: number): void {
    const last = this.#places[this.#places.length - 1];
    if (last === undefined || offset - last.offset >= INDEX_STEP_BYTES) this.#places.push({ row: this.#rows, offset });
  }

  /** The last remembered place at or before a row. */
  #placeBefore(row: number): Place {
    let [low, high] = [0, this.#places.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      const place = this.#places[middle];
      if (place !== undefined && place.row <= row) low = middle;
      else high = middle;
    }
    const place = this.#places[low];
    if (place === undefined) throw new Error('A result has rows and no place where they begin.');
    return place;
  }
}
