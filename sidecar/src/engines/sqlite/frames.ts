/** Frames of the pipe between the sidecar and a child: four bytes of length, one of kind, then the payload. */
export const FRAME_HEAD_BYTES = 5;

/** `last` is an answer after which the child ends. A chunk's payload begins with the number of rows it completes. */
export const FRAME_KINDS = { request: 1, answer: 2, last: 3, error: 4, chunk: 5 } as const;

export type FrameKind = (typeof FRAME_KINDS)[keyof typeof FRAME_KINDS];

const KNOWN_KINDS: ReadonlySet<number> = new Set(Object.values(FRAME_KINDS));

/** The bytes of the row count at the beginning of a chunk. */
export const CHUNK_HEAD_BYTES = 4;

/** One frame with a text in it. */
export function textFrame(kind: FrameKind, text: string): Buffer {
  const bytes = Buffer.byteLength(text);
  const frame = Buffer.allocUnsafe(FRAME_HEAD_BYTES + bytes);
  frame.writeUInt32LE(bytes, 0);
  frame.writeUInt8(kind, 4);
  frame.write(text, FRAME_HEAD_BYTES, 'utf8');
  return frame;
}

/** What stands before the bytes of a chunk of an export. */
export function chunkHead(rows: number, bytes: number): Buffer {
  const head = Buffer.allocUnsafe(FRAME_HEAD_BYTES + CHUNK_HEAD_BYTES);
  head.writeUInt32LE(CHUNK_HEAD_BYTES + bytes, 0);
  head.writeUInt8(FRAME_KINDS.chunk, 4);
  head.writeUInt32LE(rows, FRAME_HEAD_BYTES);
  return head;
}

export interface Frame {
  readonly kind: number;
  readonly payload: Buffer;
}

/** Puts frames together from the pieces in which they arrive. */
export class FrameReader {
  #pieces: Buffer[] = [];
  #length = 0;

  push(piece: Buffer): void {
    this.#pieces.push(piece);
    this.#length += piece.length;
  }

  /** The next whole frame. Its payload is a view of what arrived. Throws when it cannot be one. */
  next(): Frame | undefined {
    if (this.#length < FRAME_HEAD_BYTES) return undefined;
    const head = this.#first(FRAME_HEAD_BYTES);
    if (!KNOWN_KINDS.has(head.readUInt8(4))) throw new Error('What came over the pipe is no frame.');
    const end = FRAME_HEAD_BYTES + head.readUInt32LE(0);
    if (this.#length < end) return undefined;
    const whole = this.#first(end);
    if (whole.length === end) this.#pieces.shift();
    else this.#pieces[0] = whole.subarray(end);
    this.#length -= end;
    return { kind: whole.readUInt8(4), payload: whole.subarray(FRAME_HEAD_BYTES, end) };
  }

  /** The first piece, made long enough. A frame that is not whole yet is not joined, so that each byte is copied once. */
  #first(bytes: number): Buffer {
    const first = this.#pieces[0];
    if (first !== undefined && (first.length >= bytes || first.length === this.#length)) return first;
    const joined = Buffer.concat(this.#pieces);
    this.#pieces = [joined];
    return joined;
  }
}
