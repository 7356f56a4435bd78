import { type FileHandle, open, rm } from 'node:fs/promises';
import { FILE_MODE } from '../host/home.ts';
import { PIECE_BYTES } from './limits.ts';

const NUMBER_BYTES = 4;

/** A file of numbers of rows, while it is written. */
export class OrderFile {
  readonly #file: FileHandle;
  #waiting = new Uint32Array(PIECE_BYTES / NUMBER_BYTES);
  #waitingLength = 0;
  #written = 0;

  private constructor(file: FileHandle) {
    this.#file = file;
  }

  static async create(path: string): Promise<OrderFile> {
    return new OrderFile(await open(path, 'wx', FILE_MODE));
  }

  /** Adds the number of a row. A promise only when the buffer is full: rows come by the million. */
  add(row: number): Promise<void> | undefined {
    this.#waiting[this.#waitingLength] = row;
    this.#waitingLength += 1;
    return this.#waitingLength === this.#waiting.length ? this.#flush() : undefined;
  }

  /** Nothing is added any more; returns how many rows there are. */
  async end(): Promise<number> {
    await this.#flush();
    return this.#written;
  }

  close(): Promise<void> {
    return this.#file.close();
  }

  async #flush(): Promise<void> {
    const bytes = new Uint8Array(this.#waiting.buffer, 0, this.#waitingLength * NUMBER_BYTES);
    const start = this.#written * NUMBER_BYTES;
    for (let done = 0; done < bytes.length; ) {
      const { bytesWritten } = await this.#file.write(bytes, done, bytes.length - done, start + done);
      done += bytesWritten;
    }
    this.#written += this.#waitingLength;
    this.#waitingLength = 0;
  }
}

/** Numbers of rows in a file, in the order in which a sorted or filtered result shows them. */
export class RowOrder {
  readonly length: number;
  readonly #path: string;
  readonly #file: FileHandle;

  private constructor(path: string, file: FileHandle, length: number) {
    this.#path = path;
    this.#file = file;
    this.length = length;
  }

  static async open(path: string, length: number): Promise<RowOrder> {
    return new RowOrder(path, await open(path), length);
  }

  /** The rows at some places. */
  async at(from: number, count: number): Promise<Uint32Array> {
    const rows = new Uint32Array(Math.max(0, Math.min(count, this.length - from)));
    const bytes = new Uint8Array(rows.buffer);
    for (let done = 0; done < bytes.length; ) {
      const { bytesRead } = await this.#file.read(bytes, done, bytes.length - done, from * NUMBER_BYTES + done);
      if (bytesRead === 0) throw new Error('A file of row numbers ended too early.');
      done += bytesRead;
    }
    return rows;
  }

  /** Closes and removes the file. */
  async remove(): Promise<void> {
    await this.#file.close();
    await rm(this.#path, { force: true });
  }
}
