import { AppError } from '@devdb/shared/errors';
import { CONNECTION_WAIT_MS, SERVER_CONNECTIONS, SERVER_GOODBYE_MS } from '@devdb/shared/limits';
import type { EngineContext, ServerTarget } from '../engine.ts';
import { configurationOf } from './address.ts';
import { ServerConnection, sessionEnded } from './connection.ts';
import { ConnectionLost, lostConnection, type Reached } from './failures.ts';

/** How far the work on a connection has got: what a lost connection means, and whether it can still be stopped. */
export interface Progress {
  reached: Reached;
  committing: boolean;
}

export type Work<T> = (connection: ServerConnection, progress: Progress) => Promise<T>;

/** Gives each call a connection of its own, never used before and never used again, and so many at a time. */
export class Connections {
  readonly #target: ServerTarget;
  readonly #context: EngineContext;
  readonly #ending = new AbortController();
  /** What goes on behind an answer: cancels that the server has not confirmed yet. */
  readonly #chores = new Set<Promise<void>>();
  readonly #waiting: (() => void)[] = [];
  #open = 0;

  constructor(target: ServerTarget, context: EngineContext) {
    this.#target = target;
    this.#context = context;
  }

  /**
   * Runs `work` on a new connection. When the signal aborts, the call ends at once: the server is asked to stop the
   * statement, and the connection is closed when it has or when it does not answer.
   */
  async use<T>(signal: AbortSignal, work: Work<T>): Promise<T> {
    const all = AbortSignal.any([signal, this.#ending.signal]);
    await this.#takePlace(all);
    const progress: Progress = { reached: 'nothing-sent', committing: false };
    let connection: ServerConnection;
    try {
      connection = await ServerConnection.open(configurationOf(this.#target, this.#context.projectRoot), all);
    } catch (error) {
      this.#freePlace();
      throw error;
    }
    try {
      return await this.#workOn(connection, all, progress, work);
    } catch (error) {
      throw error instanceof ConnectionLost ? lostConnection(error, progress.reached) : error;
    }
  }

  /** Ends what runs and closes everything. */
  async end(): Promise<void> {
    this.#ending.abort(sessionEnded());
    while (this.#chores.size > 0) await Promise.all(this.#chores);
  }

  async #workOn<T>(connection: ServerConnection, signal: AbortSignal, progress: Progress, work: Work<T>): Promise<T> {
    const stopped = Promise.withResolvers<never>();
    let patience: NodeJS.Timeout | undefined;
    const stop = (reason: unknown): void => {
      connection.stop();
      stopped.reject(reason);
    };
    const onAbort = (): void => {
      if (!progress.committing) stop(signal.reason);
      // A commit is on its way and cannot be called back: its answer is worth a moment.
      else patience = setTimeout(() => stop(lostConnection(signal.reason, progress.reached)), SERVER_GOODBYE_MS);
    };
    signal.addEventListener('abort', onAbort, { once: true });
    const working = work(connection, progress);
    try {
      signal.throwIfAborted();
      return await Promise.race([working, stopped.promise]);
    } finally {
      clearTimeout(patience);
      signal.removeEventListener('abort', onAbort);
      this.#behind(this.#finish(connection, working));
    }
  }

  /** What still runs is stopped. The driver itself gives up a cancel that is not confirmed in time, so that this ends. */
  async #finish(connection: ServerConnection, working: Promise<unknown>): Promise<void> {
    connection.stop();
    await connection.idle();
    await connection.close();
    this.#freePlace();
    // Its failure was told, or is the cancel's own.
    await Promise.allSettled([working]);
  }

  async #takePlace(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.#open < SERVER_CONNECTIONS) {
      this.#open += 1;
      return;
    }
    const place = Promise.withResolvers<void>();
    // Out of the queue at once: a place that becomes free must not go to one who has left.
    const leave = (reason: unknown): void => {
      const at = this.#waiting.indexOf(place.resolve);
      if (at < 0) return;
      this.#waiting.splice(at, 1);
      place.reject(reason);
    };
    const onAbort = (): void => leave(signal.reason);
    const tooLong = setTimeout(() => leave(allBusy()), CONNECTION_WAIT_MS);
    signal.addEventListener('abort', onAbort, { once: true });
    this.#waiting.push(place.resolve);
    try {
      await place.promise;
    } finally {
      clearTimeout(tooLong);
      signal.removeEventListener('abort', onAbort);
    }
  }

  /** The place goes to the one who waits longest. */
  #freePlace(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#open -= 1;
    else next();
  }

  #behind(chore: Promise<void>): void {
    const tracked = chore.finally(() => this.#chores.delete(tracked));
    this.#chores.add(tracked);
  }
}

function allBusy(): AppError {
  return new AppError(
    'E_NO_CONNECTION',
    `All ${SERVER_CONNECTIONS} connections to the database are in use, and none became free in ${CONNECTION_WAIT_MS / 1000} seconds.`,
    { hint: 'Wait for the slow statements that run, or cancel them, then call again.' },
  );
}
