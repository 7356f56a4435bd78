import { AppError } from '@devdb/shared/errors';
import { LARGE_MESSAGE_BYTES, MAX_HELD_BYTES, MAX_SERVER_MESSAGE_BYTES } from './limits.ts';

/** What all connections of a process may hold of large values together. Drivers keep a row whole until it is read. */
export class HeldBytes {
  readonly #most: number;
  #held = 0;

  constructor(most = MAX_HELD_BYTES) {
    this.#most = most;
  }

  get held(): number {
    return this.#held;
  }

  /** Whether there was room. What was taken is given back by who took it. */
  take(bytes: number): boolean {
    if (this.#held + bytes > this.#most) return false;
    this.#held += bytes;
    return true;
  }

  give(bytes: number): void {
    this.#held -= bytes;
  }
}

/** One connection's part of it: the message that arrives there, of which only a large one counts. */
export class MessageHold {
  readonly #all: HeldBytes;
  #announced = 0;
  #taken = 0;

  constructor(all: HeldBytes) {
    this.#all = all;
  }

  /** The next message begins, so that the one before has been read. Answers why it cannot be held, if so. */
  begin(bytes: number): AppError | undefined {
    if (this.#taken > 0) this.end();
    this.#announced = 0;
    return this.more(bytes);
  }

  /** The same message goes on with so many bytes. */
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
    `There is no memory for this row now: other calls hold large values, ${Math.ceil(held / MIB)} of ${MAX_HELD_BYTES / MIB} MiB.`,
    { hint: 'Call again in a moment, or read a part of the value, e.g. with substring().' },
  );
}

const MIB = 1024 * 1024;
