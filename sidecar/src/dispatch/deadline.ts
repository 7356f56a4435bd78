import { AppError } from '@devdb/shared/errors';
import { GATE_GRACE_MS } from '@devdb/shared/limits';
import type { ToolDefinition } from '@devdb/shared/tools';
import { tellTimeLeft } from '../host/time-left.ts';
import type { Alarm, Alarms } from './alarms.ts';

/** The part of a tool that its deadline's message needs. */
export type TimedTool = Pick<ToolDefinition, 'name' | 'words'>;

/** The time a call has. It can be paused while a person decides, and its signal also carries the caller's cancel. */
export class Deadline {
  readonly #controller = new AbortController();
  readonly #alarms: Alarms;
  readonly #caller: AbortSignal;
  readonly #onCallerAbort = () => this.#cancel();
  readonly #tool: TimedTool;
  readonly #totalMs: number;
  #remainingMs: number;
  #startedAt = 0;
  #alarm: Alarm | undefined;
  #onAbort: (() => void) | undefined;

  constructor(tool: TimedTool, totalMs: number, caller: AbortSignal, alarms: Alarms) {
    this.#tool = tool;
    this.#totalMs = totalMs;
    this.#remainingMs = totalMs;
    this.#caller = caller;
    this.#alarms = alarms;
    tellTimeLeft(this.signal, () => this.#leftMs());
    if (caller.aborted) this.#cancel();
    else caller.addEventListener('abort', this.#onCallerAbort, { once: true });
    this.resume();
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  pause(): void {
    if (this.#alarm === undefined) return;
    this.#remainingMs = this.#leftMs();
    this.#clear(this.#alarm);
  }

  resume(): void {
    if (this.#alarm !== undefined || this.signal.aborted) return;
    this.#startedAt = performance.now();
    this.#alarm = this.#alarms.set(this.#remainingMs, () => this.#abort(this.#timeout()));
  }

  /** Ends the call for a reason of its own: neither its time nor its caller. */
  stop(reason: AppError): void {
    this.#abort(reason);
  }

  /** Call this when the call has ended. */
  end(): void {
    if (this.#alarm !== undefined) this.#clear(this.#alarm);
    this.#caller.removeEventListener('abort', this.#onCallerAbort);
  }

  /**
   * The result of the work. Work that does not settle soon after an abort is abandoned: then the result is the abort's
   * reason.
   */
  outcomeOf<T>(work: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      let late: NodeJS.Timeout | undefined;
      this.#onAbort = () => {
        late = setTimeout(() => reject(this.signal.reason), GATE_GRACE_MS);
      };
      if (this.signal.aborted) this.#onAbort();
      const settled = () => {
        clearTimeout(late);
        this.#onAbort = undefined;
      };
      work.then(
        (value) => {
          settled();
          resolve(value);
        },
        (error: unknown) => {
          settled();
          reject(error);
        },
      );
    });
  }

  #abort(reason: AppError): void {
    this.#controller.abort(reason);
    this.#onAbort?.();
  }

  #leftMs(): number {
    return this.#alarm === undefined ? this.#remainingMs : this.#remainingMs - (performance.now() - this.#startedAt);
  }

  #clear(alarm: Alarm): void {
    this.#alarms.clear(alarm);
    this.#alarm = undefined;
  }

  #cancel(): void {
    const reason: unknown = this.#caller.reason;
    // The door knows who ended the call: the caller, or DevDB shutting down.
    this.#abort(reason instanceof AppError ? reason : cancelled(this.#tool.name));
  }

  #timeout(): AppError {
    return new AppError(
      'E_TIMEOUT',
      `${this.#tool.name} did not finish within ${this.#totalMs} ms and was told to stop.`,
      {
        hint: this.#tool.words.afterTimeout ?? 'Call again, with a larger timeoutMs if the tool accepts one.',
        details: { timeoutMs: this.#totalMs },
      },
    );
  }
}

function cancelled(tool: string): AppError {
  return new AppError('E_CANCELLED', `${tool} was cancelled by its caller.`, {
    hint: 'Call again if you still need the answer.',
  });
}
