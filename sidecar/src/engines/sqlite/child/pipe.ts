import { readSync, writeSync } from 'node:fs';
import { FRAME_HEAD_BYTES } from '../frames.ts';

const STDIN_FD = 0;
const STDOUT_FD = 1;
const ROOM_BYTES = 64 * 1024;

/**
 * The child's ends of the pipes to its parent. Both block: that is the fastest way to answer, and gives back-pressure.
 */
export class Pipe {
  readonly #room = Buffer.alloc(ROOM_BYTES);
  /** Bytes received after the previous frame: a request right after a release. */
  #late: Buffer | undefined;

  /** The text of the next request; undefined when the parent has closed the pipe. */
  read(): string | undefined {
    let have = this.#fill(this.#room, 0, FRAME_HEAD_BYTES);
    if (have < FRAME_HEAD_BYTES) return undefined;
    const end = FRAME_HEAD_BYTES + this.#room.readUInt32LE(0);
    let frame = this.#room;
    if (end > frame.length) {
      frame = Buffer.alloc(end);
      this.#room.copy(frame, 0, 0, have);
    }
    have = this.#fill(frame, have, end);
    if (have < end) return undefined;
    if (have > end) this.#late = Buffer.from(frame.subarray(end, have));
    return frame.toString('utf8', FRAME_HEAD_BYTES, end);
  }

  write(frame: Uint8Array): void {
    for (let at = 0; at < frame.length; ) at += writeSync(STDOUT_FD, frame, at);
  }

  /** Reads until `need` bytes are there, possibly more; fewer at the end of the input. */
  #fill(target: Buffer, have: number, need: number): number {
    let length = have;
    if (this.#late !== undefined) {
      length += this.#late.copy(target, length);
      this.#late = undefined;
    }
    while (length < need) {
      const read = readSome(target, length);
      if (read === 0) return length;
      length += read;
    }
    return length;
  }
}

function readSome(target: Buffer, from: number): number {
  try {
    return readSync(STDIN_FD, target, from, target.length - from, null);
  } catch (error) {
    // Windows reports the end of a pipe as an error.
    if (error instanceof Error && 'code' in error && error.code === 'EOF') return 0;
    throw error;
  }
}
