import type { ServerResponse } from 'node:http';
import { AppError } from '@devdb/shared/errors';

/** The calls that run for this listener: each ends with its connection, all of them with the listener. */
export class RunningCalls {
  readonly #running = new Set<AbortController>();

  /** The signal of a call whose answer goes to `res`. */
  begin(res: ServerResponse): AbortSignal {
    const controller = new AbortController();
    this.#running.add(controller);
    res.once('close', () => {
      this.#running.delete(controller);
      if (!res.writableFinished) controller.abort(cancelled('The caller closed the connection.'));
    });
    return controller.signal;
  }

  /** Ends them all; they still answer. */
  abortAll(): void {
    for (const controller of this.#running) controller.abort(cancelled('DevDB is shutting down.'));
  }
}

function cancelled(message: string): AppError {
  return new AppError('E_CANCELLED', message, { hint: 'Call again if the answer is still wanted.' });
}
