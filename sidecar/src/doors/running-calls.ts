import type { ServerResponse } from 'node:http';
import { AppError } from '@devdb/shared/errors';
import { endedByShutdown } from './http/refusals.ts';

/** One of them, ended by who began it. */
export interface RunningCall {
  readonly signal: AbortSignal;
  /** Ends it because its caller no longer wants the answer. */
  cancel(): void;
  /** To be called when it has ended. */
  over(): void;
}

/** The calls that run for this listener: each ends with its connection, all of them with the listener. */
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

  /** A call whose end the caller of this tells. */
  start(): RunningCall {
    const controller = new AbortController();
    this.#running.add(controller);
    return {
      signal: controller.signal,
      cancel: () => controller.abort(cancelled()),
      over: () => this.#running.delete(controller),
    };
  }

  /** Ends them all; they still answer. */
  abortAll(): void {
    for (const controller of this.#running) controller.abort(endedByShutdown());
  }
}

function cancelled(): AppError {
  return new AppError('E_CANCELLED', 'The caller closed the connection.', {
    hint: 'Call again if you still need the answer.',
  });
}
