import { AppError } from '@devdb/shared/errors';
import {
  CONNECT_TIMEOUT_MS,
  CONNECTION_IDLE_MS,
  CONNECTION_WAIT_MS,
  SERVER_CONNECTIONS,
  SERVER_GOODBYE_MS,
} from '@devdb/shared/limits';
import { Pool, TimeoutError } from 'tarn';
import type { EngineContext, ServerTarget } from '../engine.ts';
import { ServerConnection, sessionEnded } from './connection.ts';
import { connectionError, failureOf, isEnding, lostConnection, type Reached } from './failures.ts';

/** How far the work on a connection has got: what a lost connection means, and whether it can still be stopped. */
export interface Progress {
  reached: Reached;
  committing: boolean;
}

export type Work<T> = (connection: ServerConnection, progress: Progress) => Promise<T>;

/** The connection went away under the work, by no will of ours. */
class Lost extends Error {
  constructor(cause: unknown) {
    super('The connection was lost.', { cause });
  }
}

/** A connection was given up while it was made, because nobody waited for it. */
class Unwanted extends Error {}

/** The connections to one database: made on demand, kept while they are clean, closed when they idle. */
export class Connections {
  readonly #pool: Pool<ServerConnection>;
  readonly #log: EngineContext['log'];
  readonly #ending = new AbortController();
  /** Aborts the connections that are being made when nobody waits for one any more. */
  #wanted = new AbortController();
  #waiting = 0;
  /** What goes on behind an answer: resets, cancels. */
  readonly #chores = new Set<Promise<void>>();
  #ended: Promise<void> | undefined;

  /** `onConnect` gets each new connection before anybody else. */
  constructor(
    target: ServerTarget,
    { projectRoot, log }: EngineContext,
    onConnect: (connection: ServerConnection) => Promise<void>,
  ) {
    this.#log = log;
    this.#pool = new Pool({
      create: () => this.#create(target, projectRoot, onConnect),
      validate: (connection) => !connection.isBroken,
      destroy: (connection) => connection.close(),
      min: 0,
      max: SERVER_CONNECTIONS,
      acquireTimeoutMillis: CONNECTION_WAIT_MS,
      idleTimeoutMillis: CONNECTION_IDLE_MS,
      propagateCreateError: true,
      log: (message) => log('postgres-pool', { message }),
    });
  }

  /**
   * Runs `work` on a connection of its own. When the signal aborts, the statement is stopped on the server and the
   * connection is closed; the call ends at once. What `work` leaves behind on the connection is taken away.
   */
  async use<T>(signal: AbortSignal, work: Work<T>): Promise<T> {
    const all = AbortSignal.any([signal, this.#ending.signal]);
    for (;;) {
      all.throwIfAborted();
      const connection = await this.#acquire(all);
      const progress: Progress = { reached: 'nothing-sent', committing: false };
      const wasUsed = connection.used;
      try {
        return await this.#workOn(connection, all, progress, work);
      } catch (error) {
        if (!(error instanceof Lost)) throw error;
        // A connection that went stale while it lay in the pool: the statement never left, so that another one may take it.
        if (!wasUsed || progress.reached !== 'nothing-sent') throw lostConnection(error.cause, progress.reached);
      }
    }
  }

  /** Ends what runs and closes everything. */
  end(): Promise<void> {
    this.#ended ??= this.#end();
    return this.#ended;
  }

  async #end(): Promise<void> {
    this.#ending.abort(sessionEnded());
    while (this.#chores.size > 0) await Promise.all(this.#chores);
    await this.#pool.destroy();
  }

  async #create(
    target: ServerTarget,
    projectRoot: string,
    onConnect: (connection: ServerConnection) => Promise<void>,
  ): Promise<ServerConnection> {
    const connection = await ServerConnection.open(target, projectRoot, this.#wanted.signal);
    const tooLong = setTimeout(() => this.#behind(connection.cancel()), CONNECT_TIMEOUT_MS);
    try {
      await onConnect(connection);
    } catch (error) {
      await connection.close();
      throw connectionError(error);
    } finally {
      clearTimeout(tooLong);
    }
    return connection;
  }

  async #workOn<T>(connection: ServerConnection, signal: AbortSignal, progress: Progress, work: Work<T>): Promise<T> {
    const stopped = Promise.withResolvers<never>();
    let patience: NodeJS.Timeout | undefined;
    const stop = (reason: unknown): void => {
      this.#behind(connection.cancel());
      stopped.reject(reason);
    };
    const onAbort = (): void => {
      if (!progress.committing) stop(signal.reason);
      // A commit is on its way and cannot be called back: its answer is worth a moment.
      else patience = setTimeout(() => stop(lostConnection(signal.reason, progress.reached)), SERVER_GOODBYE_MS);
    };
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      return await Promise.race([work(connection, progress), stopped.promise]);
    } catch (error) {
      if (error instanceof AppError) throw error;
      signal.throwIfAborted();
      throw connection.isBroken || isEnding(failureOf(error)) ? new Lost(error) : error;
    } finally {
      clearTimeout(patience);
      signal.removeEventListener('abort', onAbort);
      this.#behind(this.#giveBack(connection));
    }
  }

  async #acquire(signal: AbortSignal): Promise<ServerConnection> {
    for (;;) {
      signal.throwIfAborted();
      try {
        return await this.#acquireOnce(signal);
      } catch (error) {
        signal.throwIfAborted();
        if (error instanceof TimeoutError) throw allBusy();
        if (!(error instanceof Unwanted)) throw error;
      }
    }
  }

  async #acquireOnce(signal: AbortSignal): Promise<ServerConnection> {
    const pending = this.#pool.acquire();
    this.#waiting += 1;
    const onAbort = (): void => {
      pending.abort();
      // An attempt that hangs must not become the next call's.
      if (this.#waiting === 1) this.#giveUpConnecting();
    };
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      const connection = await pending.promise;
      if (!signal.aborted) return connection;
      this.#pool.release(connection);
      throw signal.reason;
    } finally {
      this.#waiting -= 1;
      signal.removeEventListener('abort', onAbort);
    }
  }

  #giveUpConnecting(): void {
    this.#wanted.abort(new Unwanted());
    this.#wanted = new AbortController();
  }

  /** Takes away what the call left: its transaction, its settings and locks. What cannot be reset is closed. */
  async #giveBack(connection: ServerConnection): Promise<void> {
    const tooLong = setTimeout(() => this.#behind(connection.cancel()), SERVER_GOODBYE_MS);
    try {
      // What the call walked away from while it ran is not worth its end.
      if (connection.isBusy && !connection.isBroken) await connection.cancel();
      if (!connection.isBroken) await connection.reset();
    } catch (error) {
      this.#log('postgres-reset-failed', { code: failureOf(error).code });
      if (!connection.isBroken) await connection.cancel();
    } finally {
      clearTimeout(tooLong);
      connection.used = true;
      this.#pool.release(connection);
    }
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
