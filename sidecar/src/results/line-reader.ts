import { type FileHandle, open } from 'node:fs/promises';
import { MAX_ROW_BYTES, PIECE_BYTES } from './limits.ts';

const NEWLINE = 10;

/** Lines without their ends; undefined for one that is too long to be held. */
export type Lines = readonly (string | undefined)[];

/** The lines from one byte of a result's file to another, a few at a time; for whoever has no more of the result. */
export async function* linesIn(path: string, begin: number, end: number): AsyncGenerator<Lines> {
  const file = await open(path);
  try {
    const reader = new LineReader(file, begin, end);
    while (!reader.isAtEnd) yield await reader.next();
  } finally {
    await file.close();
  }
}

/** Reads lines from a place in a file, a piece at a time. */
export class LineReader {
  readonly #file: FileHandle;
  readonly #end: number;
  /** Read into again and again: a new one for each piece would be a hundred megabytes of garbage in a large file. */
  readonly #piece: Buffer;
  #offset: number;
  /** The start of a line whose end has not been read. */
  #parts: Buffer[] = [];
  #partBytes = 0;

  constructor(file: FileHandle, offset: number, end: number) {
    this.#file = file;
    this.#offset = offset;
    this.#end = end;
    this.#piece = Buffer.allocUnsafe(Math.min(PIECE_BYTES, end - offset));
  }

  get isAtEnd(): boolean {
    return this.#offset >= this.#end;
  }

  /** The lines that end in the next piece, perhaps none. Throws at the end of the file. */
  async next(): Promise<Lines> {
    const bytes = Math.min(this.#piece.length, this.#end - this.#offset);
    const { bytesRead } = await this.#file.read(this.#piece, 0, bytes, this.#offset);
    if (bytesRead === 0) throw new Error('A file of a result ended too early.');
    this.#offset += bytesRead;
    return this.#split(this.#piece.subarray(0, bytesRead));
  }

  #split(piece: Buffer): Lines {
    const lines: (string | undefined)[] = [];
    let start = 0;
    for (let end = piece.indexOf(NEWLINE); end >= 0; end = piece.indexOf(NEWLINE, start)) {
      lines.push(this.#partBytes === 0 ? piece.toString('utf8', start, end) : this.#finish(piece.subarray(start, end)));
      start = end + 1;
    }
    if (start < piece.length) this.#keep(piece.subarray(start));
    return lines;
  }

  #finish(last: Buffer): string | undefined {
    this.#keep(last);
    const line = this.#partBytes > MAX_ROW_BYTES ? undefined : Buffer.concat(this.#parts).toString('utf8');
    this.#parts = [];
    this.#partBytes = 0;
    return line;
  }

  #keep(part: Buffer): void {
    this.#partBytes += part.length;
    if (this.#partBytes > MAX_ROW_BYTES) this.#parts = [];
    else this.#parts.push(Buffer.from(part));
  }
}
