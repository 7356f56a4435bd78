import { AppError } from '@devdb/shared/errors';
import { LARGE_ANSWER_BYTES, MAX_WAITING_ANSWER_BYTES } from './limits.ts';

interface Waiter {
  readonly enter: () => void;
}

/**
 * The memory that answers may take together, over all doors of a process: those that wait for readers who are slow, and
 * those that running calls are going to give. A call for which there is no room waits before it runs, behind those that
 * came before it.
 */
export class AnswerRoom {
  readonly #most: number;
  readonly #doors = new Set<() => number>();
  readonly #waiting = new Set<Waiter>();
  #running = 0;

  constructor(most = MAX_WAITING_ANSWER_BYTES) {
    this.#most = most;
  }

  /** From now on these bytes count: what a door has written and nobody has taken. Answers how to end that. */
  watch(unread: () => number): () => void {
    this.#doors.add(unread);
    return () => {
      this.#doors.delete(unread);
      this.look();
    };
  }

  /** Whether a call may run now; then `leave` has to be called when it has ended. */
  tryEnter(): boolean {
    this.look();
    if (this.#waiting.size > 0 || !this.#hasRoom()) return false;
    this.#running += 1;
    return true;
  }

  /** The same, once there is room. Rejects when the signal aborts before. */
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

  /** An answer was taken, or its connection is gone: whoever is next may have room. */
  look(): void {
    for (const waiter of this.#waiting) {
      if (!this.#hasRoom()) return;
      this.#waiting.delete(waiter);
      this.#running += 1;
      waiter.enter();
    }
  }

  /** What is written and not yet taken. */
  get unread(): number {
    let bytes = 0;
    for (const unread of this.#doors) bytes += unread();
    return bytes;
  }

  #hasRoom(): boolean {
    return this.unread + (this.#running + 1) * LARGE_ANSWER_BYTES <= this.#most;
  }

  /** The call's own deadline; what it waited for is worth a word. */
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
