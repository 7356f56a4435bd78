import { AppError } from '@devdb/shared/errors';
import { LARGE_MESSAGE_BYTES, MAX_HELD_BYTES, MAX_SERVER_MESSAGE_BYTES } from './limits.ts';

/** The budget for large values of all connections of a process together. Drivers keep a row whole until it is read. */
export class HeldBytes {
  readonly #most: number;
  #held = 0;

  constructor(most = MAX_HELD_BYTES) {
    this.#most = most;
  }

  get held(): number {
    return this.#held;
  }

  /** Whether there was room. The caller returns what it took. */
  take(bytes: number): boolean {
    if (this.#held + bytes > this.#most) return false;
    this.#held += bytes;
    return true;
  }

  give(bytes: number): void {
    this.#held -= bytes;
  }
}

/** One connection's share: the message being received, which only counts if it is large. */
export class MessageHold {
  readonly #all: HeldBytes;
  #announced = 0;
  #taken = 0;

  constructor(all: HeldBytes) {
    this.#all = all;
  }

  /** The next message begins, so the previous one has been read. Returns why it cannot be held, if so. */
  begin(bytes: number): AppError | undefined {
    if (this.#taken > 0) this.end();
    this.#announced = 0;
    return this.more(bytes);
  }

  /** The same message continues with this many bytes. */
  more(bytes: number): AppError | undefined {
    this.#announced += bytes;
    if (this.#announced <= LARGE_MESSAGE_BYTES) return undefined;
    if (this.#announced > MAX_SERVER_MESSAGE_BYTES) return tooLong();
    if (!this.#all.take(this.#announced - this.#taken)) return noRoom(this.#all.held);
    this.#taken = this.#announced;
    return undefined;
  }

  /** Nothing is held any more: the message was read, or the connection is gone. */
  end(): void {
    this.#all.give(this.#taken);
    this.#taken = 0;
  }
}

function tooLong(): AppError {
  const most = `${MAX_SERVER_MESSAGE_BYTES / MIB} MiB`;
  return new AppError('E_SQL', `One row of the result has more than ${most}, which is the limit.`, {
    hint: 'Read a part of the value, e.g. with substring(), or leave the column out.',
  });
}

function noRoom(held: number): AppError {
  return new AppError(
    'E_SQL',
    `No memory is free for this row now: other calls hold large values, ${Math.ceil(held / MIB)} of ${MAX_HELD_BYTES / MIB} MiB.`,
    { hint: 'Call again in a moment, or read a part of the value, e.g. with substring().' },
  );
}

const MIB = 1024 * 1024;
