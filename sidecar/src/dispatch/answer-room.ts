import { AppError } from '@devdb/shared/errors';
import { LARGE_ANSWER_BYTES, MAX_WAITING_ANSWER_BYTES } from './limits.ts';

interface Waiter {
  readonly enter: () => void;
}

/**
 * The memory that answers may use together, over all doors of a process: answers waiting for slow readers, and those
 * that running calls will give. A call without room waits before it runs, in order of arrival.
 */
export class AnswerRoom {
  readonly #most: number;
  readonly #doors = new Set<() => number>();
  readonly #waiting = new Set<Waiter>();
  #running = 0;

  constructor(most = MAX_WAITING_ANSWER_BYTES) {
    this.#most = most;
  }

  /** Counts the bytes a door has written and the reader has not taken. Returns a function that stops counting them. */
  watch(unread: () => number): () => void {
    this.#doors.add(unread);
    return () => {
      this.#doors.delete(unread);
      this.look();
    };
  }

  /** Whether a call may run now. If so, call `leave` when it has ended. */
  tryEnter(): boolean {
    this.look();
    if (this.#waiting.size > 0 || !this.#hasRoom()) return false;
    this.#running += 1;
    return true;
  }

  /** Waits until there is room. Rejects when the signal aborts first. */
  enter(signal: AbortSignal): Promise<void> {
    if (signal.aborted) return Promise.reject(this.#stillFull(signal.reason));
    return new Promise((resolve, reject) => {
      const onAbort = (): void => {
        this.#waiting.delete(waiter);
        reject(this.#stillFull(signal.reason));
      };
      const waiter: Waiter = {
        enter: () => {
          signal.removeEventListener('abort', onAbort);
          resolve();
        },
      };
      signal.addEventListener('abort', onAbort, { once: true });
      this.#waiting.add(waiter);
    });
  }

  leave(): void {
    this.#running -= 1;
    this.look();
  }

  /** An answer was taken, or its connection is gone: the next in line may have room. */
  look(): void {
    for (const waiter of this.#waiting) {
      if (!this.#hasRoom()) return;
      this.#waiting.delete(waiter);
      this.#running += 1;
      waiter.enter();
    }
  }

  /** Bytes written and not yet taken. */
  get unread(): number {
    let bytes = 0;
    for (const unread of this.#doors) bytes += unread();
    return bytes;
  }

  #hasRoom(): boolean {
    return this.unread + (this.#running + 1) * LARGE_ANSWER_BYTES <= this.#most;
  }

  /** The call's own deadline; its error names what the call waited for. */
  #stillFull(reason: unknown): unknown {
    if (!(reason instanceof AppError) || reason.code !== 'E_TIMEOUT') return reason;
    const unread = Math.round(this.unread / 1024 / 1024);
    const why = `It did not run: ${unread} MiB of answers are waiting for clients that do not read them, and ${this.#running} calls are running.`;
    return new AppError(reason.code, `${reason.message} ${why}`, {
      hint: 'Read those answers or close their connections, then call again.',
      details: reason.details,
      cause: reason,
    });
  }
}
