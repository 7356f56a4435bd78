import { AppError } from '@devdb/shared/errors';

/** The time one call has. It can be paused while a person thinks, and its signal also carries the caller's cancel. */
export class Deadline {
  readonly #controller = new AbortController();
  readonly #caller: AbortSignal;
  readonly #onCallerAbort = () => this.#cancel();
  readonly #tool: string;
  readonly #totalMs: number;
  #remainingMs: number;
  #startedAt = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(tool: string, totalMs: number, caller: AbortSignal) {
    this.#tool = tool;
    this.#totalMs = totalMs;
    this.#remainingMs = totalMs;
    this.#caller = caller;
    if (caller.aborted) this.#cancel();
    else caller.addEventListener('abort', this.#onCallerAbort, { once: true });
    this.resume();
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  pause(): void {
    if (this.#timer === undefined) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#remainingMs -= performance.now() - this.#startedAt;
  }

  resume(): void {
    if (this.#timer !== undefined || this.signal.aborted) return;
    this.#startedAt = performance.now();
    this.#timer = setTimeout(() => this.#controller.abort(this.#timeout()), Math.max(0, this.#remainingMs));
  }

  /** Must be called when the call has ended. */
  end(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#caller.removeEventListener('abort', this.#onCallerAbort);
  }

  #cancel(): void {
    this.#controller.abort(new AppError('E_CANCELLED', `${this.#tool} was cancelled by its caller.`));
  }

  #timeout(): AppError {
    return new AppError('E_TIMEOUT', `${this.#tool} did not finish within ${this.#totalMs} ms and was stopped.`, {
      hint: 'Ask for less (fewer rows, a narrower WHERE; explain-query shows what is slow), or give a larger timeoutMs where the tool takes one.',
      details: { timeoutMs: this.#totalMs },
    });
  }
}
