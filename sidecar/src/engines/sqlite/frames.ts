import { EXPORT_CHUNK_BYTES } from '../limits.ts';

/** Frames on the pipe between the sidecar and a child: four bytes of length, one of kind, then the payload. */
export const FRAME_HEAD_BYTES = 5;

/**
 * A chunk's payload starts with the number of rows it completes. The payload of `rows` is the length of the rows' text,
 * that text, and the rest of the answer as JSON. `ready` comes once, before any answer, and is empty.
 */
export const FRAME_KINDS = { request: 1, answer: 2, error: 4, chunk: 5, rows: 6, ready: 7 } as const;
/** Set in the kind of an answer after which the child must get no more requests. */
const LAST_FLAG = 0x80;
const KIND_BYTE = 4;

export type FrameKind = (typeof FRAME_KINDS)[keyof typeof FRAME_KINDS];

const KNOWN_KINDS: ReadonlySet<number> = new Set(Object.values(FRAME_KINDS));

/** The bytes of the row count at the start of a chunk. */
export const CHUNK_HEAD_BYTES = 4;
const ROWS_LENGTH_BYTES = 4;
/** The bytes before the rows' text in an answer. */
export const ROWS_HEAD_BYTES = FRAME_HEAD_BYTES + ROWS_LENGTH_BYTES;

/** One frame with a text. */
export function textFrame(kind: FrameKind, text: string): Buffer {
  const bytes = Buffer.byteLength(text);
  const frame = Buffer.allocUnsafe(FRAME_HEAD_BYTES + bytes);
  frame.writeUInt32LE(bytes, 0);
  frame.writeUInt8(kind, KIND_BYTE);
  frame.write(text, FRAME_HEAD_BYTES, 'utf8');
  return frame;
}

/** Fills in the head of an answer with rows, for which space was reserved. */
export function fillRowsHead(frame: Buffer, rowsBytes: number): void {
  frame.writeUInt32LE(frame.length - FRAME_HEAD_BYTES, 0);
  frame.writeUInt8(FRAME_KINDS.rows, KIND_BYTE);
  frame.writeUInt32LE(rowsBytes, FRAME_HEAD_BYTES);
}

/** The rows' text, and the rest as JSON. Throws for an invalid payload of `rows`. */
export function rowsPayload(payload: Buffer): { readonly rows: string; readonly rest: string } {
  const end = ROWS_LENGTH_BYTES + payload.readUInt32LE(0);
  if (end > payload.length) throw new Error('The rows of an answer are longer than the answer.');
  return { rows: payload.toString('utf8', ROWS_LENGTH_BYTES, end), rest: payload.toString('utf8', end) };
}

/** Marks an answer as its child's last. */
export function markLast(frame: Buffer): void {
  frame.writeUInt8(frame.readUInt8(KIND_BYTE) | LAST_FLAG, KIND_BYTE);
}

/** The bytes before a chunk of an export. */
export function chunkHead(rows: number, bytes: number): Buffer {
  const head = Buffer.allocUnsafe(FRAME_HEAD_BYTES + CHUNK_HEAD_BYTES);
  head.writeUInt32LE(CHUNK_HEAD_BYTES + bytes, 0);
  head.writeUInt8(FRAME_KINDS.chunk, KIND_BYTE);
  head.writeUInt32LE(rows, FRAME_HEAD_BYTES);
  return head;
}

export interface Frame {
  readonly kind: number;
  readonly last: boolean;
  readonly payload: Buffer;
}

/** Frames up to this size that arrive in pieces are assembled in a buffer that is kept; an export's chunk is one. */
const ROOM_BYTES = FRAME_HEAD_BYTES + CHUNK_HEAD_BYTES + EXPORT_CHUNK_BYTES;

/** Assembles frames from the pieces they arrive in. */
export class FrameReader {
  readonly #pieces: Buffer[] = [];
  readonly #head = Buffer.alloc(FRAME_HEAD_BYTES);
  #room: Buffer | undefined;
  #length = 0;

  push(piece: Buffer): void {
    this.#pieces.push(piece);
    this.#length += piece.length;
  }

  /** The next complete frame. Its payload is valid until the next call. Throws for an invalid frame. */
  next(): Frame | undefined {
    if (this.#length < FRAME_HEAD_BYTES) return undefined;
    const head = this.#peekHead();
    const mark = head.readUInt8(KIND_BYTE);
    const kind = mark & ~LAST_FLAG;
    if (!KNOWN_KINDS.has(kind)) throw new Error('The data from the pipe is not a frame.');
    const end = FRAME_HEAD_BYTES + head.readUInt32LE(0);
    if (this.#length < end) return undefined;
    return { kind, last: mark !== kind, payload: this.#take(end).subarray(FRAME_HEAD_BYTES) };
  }

  #peekHead(): Buffer {
    const first = this.#pieces[0];
    if (first !== undefined && first.length >= FRAME_HEAD_BYTES) return first;
    let at = 0;
    for (const piece of this.#pieces) at += piece.copy(this.#head, at);
    return this.#head;
  }

  /** The first bytes: a view of the piece that has them all, else a copy, so that each byte is copied at most once. */
  #take(bytes: number): Buffer {
    this.#length -= bytes;
    const first = this.#pieces[0];
    if (first !== undefined && first.length >= bytes) {
      this.#drop(first, bytes);
      return first.subarray(0, bytes);
    }
    const target = this.#roomFor(bytes);
    for (let at = 0; at < bytes; ) {
      const piece = this.#pieces[0];
      if (piece === undefined) throw new Error('There are fewer bytes than were counted.');
      const copied = piece.copy(target, at, 0, bytes - at);
      this.#drop(piece, copied);
      at += copied;
    }
    return target;
  }

  /** Removes bytes from the first piece. */
  #drop(piece: Buffer, bytes: number): void {
    if (bytes === piece.length) this.#pieces.shift();
    else this.#pieces[0] = piece.subarray(bytes);
  }

  #roomFor(bytes: number): Buffer {
    if (bytes > ROOM_BYTES) return Buffer.allocUnsafe(bytes);
    this.#room ??= Buffer.allocUnsafe(ROOM_BYTES);
    return this.#room.subarray(0, bytes);
  }
}
