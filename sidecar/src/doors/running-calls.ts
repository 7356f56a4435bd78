import type { ServerResponse } from 'node:http';
import { AppError } from '@devdb/shared/errors';
import { endedByShutdown } from './http/refusals.ts';

/** A running call; the caller ends it. */
export interface RunningCall {
  readonly signal: AbortSignal;
  /** Cancels it because its caller no longer wants the answer. */
  cancel(): void;
  /** Call this when it has ended. */
  over(): void;
}

/** The listener's running calls: each ends with its connection, all of them with the listener. */
export class RunningCalls {
  readonly #running = new Set<AbortController>();

  /** The signal of a call whose answer goes to `res`. */
  begin(res: ServerResponse): AbortSignal {
    const call = this.start();
    res.once('close', () => {
      call.over();
      if (!res.writableFinished) call.cancel();
    });
    return call.signal;
  }

  /** A call whose end is reported by the code that started it. */
  start(): RunningCall {
    const controller = new AbortController();
    this.#running.add(controller);
    return {
      signal: controller.signal,
      cancel: () => controller.abort(cancelled()),
      over: () => this.#running.delete(controller),
    };
  }

  /** Aborts them all; they still answer. */
  abortAll(): void {
    for (const controller of this.#running) controller.abort(endedByShutdown());
  }
}

function cancelled(): AppError {
  return new AppError('E_CANCELLED', 'The caller closed the connection.', {
    hint: 'Call again if you still need the answer.',
  });
}
