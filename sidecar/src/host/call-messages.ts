import type { Writable } from 'node:stream';
import { MESSAGE_HEAD_BYTES, type MessageKind } from '@devdb/shared/protocol/calls';

const NUMBER_AT = 4;
const KIND_AT = 8;
const SHORT_BYTES = 64 * 1024;

/** One message as it goes over a link. */
export function encodeMessage(kind: MessageKind, call: number, text: string): Buffer {
  const bytes = Buffer.byteLength(text);
  const message = Buffer.allocUnsafe(MESSAGE_HEAD_BYTES + bytes);
  fillHead(message, kind, call, bytes);
  message.write(text, MESSAGE_HEAD_BYTES, 'utf8');
  return message;
}

function fillHead(message: Buffer, kind: MessageKind, call: number, bytes: number): void {
  message.writeUInt32LE(bytes, 0);
  message.writeUInt32LE(call, NUMBER_AT);
  message[KIND_AT] = kind;
}

/**
 * Writes one message whose text comes in pieces. Long pieces go out separately: joining them would copy each twice
 * more, and so much garbage makes a process grow.
 */
export function writeMessage(to: Writable, kind: MessageKind, call: number, pieces: readonly string[]): void {
  const bytes = pieces.reduce((sum, piece) => sum + Buffer.byteLength(piece), 0);
  if (bytes <= SHORT_BYTES) {
    to.write(encodeMessage(kind, call, pieces.join('')));
    return;
  }
  to.cork();
  const head = Buffer.allocUnsafe(MESSAGE_HEAD_BYTES);
  fillHead(head, kind, call, bytes);
  to.write(head);
  for (const piece of pieces) to.write(piece, 'utf8');
  to.uncork();
}

/** Receives the messages of a link. */
export interface MessageSink {
  /** The payload is a view of the received bytes. */
  readonly message: (kind: number, call: number, payload: Buffer) => void;
  /** A message over the limit; its payload is skipped, not kept. */
  readonly tooLong: (kind: number, call: number, bytes: number) => void;
}

/** Assembles messages from the pieces they arrive in, and never holds more than one incomplete message. */
export class MessageReader {
  readonly #sink: MessageSink;
  #maxBytes: number;
  #pieces: Buffer[] = [];
  #held = 0;
  /** The number of bytes needed before looking again makes sense. */
  #needed = MESSAGE_HEAD_BYTES;
  #toSkip = 0;
  #stopped = false;
  #paused = false;

  constructor(maxBytes: number, sink: MessageSink) {
    this.#maxBytes = maxBytes;
    this.#sink = sink;
  }

  /** Takes effect with the next message. */
  allow(maxBytes: number): void {
    this.#maxBytes = maxBytes;
  }

  /** The sink gets nothing more. */
  stop(): void {
    this.#stopped = true;
    this.#pieces = [];
  }

  /** Holds back further messages, including those already received. */
  pause(): void {
    this.#paused = true;
  }

  resume(): void {
    this.#paused = false;
    this.#work();
  }

  /** Whether a message has begun and is not complete. */
  get inMessage(): boolean {
    return this.#held > 0 || this.#toSkip > 0;
  }

  push(chunk: Buffer): void {
    if (this.#stopped) return;
    const piece = this.#toSkip > 0 ? this.#skip(chunk) : chunk;
    if (piece.length === 0) return;
    this.#held += piece.length;
    this.#pieces.push(piece);
    this.#work();
  }

  #work(): void {
    if (this.#paused || this.#held < this.#needed) return;
    const [first] = this.#pieces;
    const bytes = this.#pieces.length === 1 && first ? first : Buffer.concat(this.#pieces, this.#held);
    this.#pieces = [];
    this.#held = 0;
    this.#needed = MESSAGE_HEAD_BYTES;
    this.#keep(bytes, this.#takeAll(bytes));
  }

  /** Passes every complete message to the sink; returns where the rest begins. */
  #takeAll(bytes: Buffer): number {
    let at = 0;
    while (bytes.length - at >= MESSAGE_HEAD_BYTES && !this.#stopped && !this.#paused) {
      const payload = at + MESSAGE_HEAD_BYTES;
      const end = payload + bytes.readUInt32LE(at);
      const call = bytes.readUInt32LE(at + NUMBER_AT);
      const kind = bytes.readUInt8(at + KIND_AT);
      if (end - payload > this.#maxBytes) {
        this.#toSkip = Math.max(0, end - bytes.length);
        this.#sink.tooLong(kind, call, end - payload);
      } else if (end > bytes.length) {
        this.#needed = end - at;
        return at;
      } else {
        this.#sink.message(kind, call, bytes.subarray(payload, end));
      }
      at = end;
    }
    return at;
  }

  #keep(bytes: Buffer, from: number): void {
    if (from >= bytes.length || this.#stopped) return;
    this.#pieces.push(bytes.subarray(from));
    this.#held = bytes.length - from;
  }

  #skip(chunk: Buffer): Buffer {
    const skipped = Math.min(this.#toSkip, chunk.length);
    this.#toSkip -= skipped;
    return chunk.subarray(skipped);
  }
}
