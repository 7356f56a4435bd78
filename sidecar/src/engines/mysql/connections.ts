import { AppError } from '@devdb/shared/errors';
import { CONNECTION_IDLE_MS, CONNECTION_WAIT_MS, SERVER_CONNECTIONS, SERVER_GOODBYE_MS } from '@devdb/shared/limits';
import { Pool, TimeoutError } from 'tarn';
import type { EngineContext, ServerTarget } from '../engine.ts';
import { ServerConnection } from './connection.ts';
import { Control } from './control.ts';
import { failureOf, isLost, lostConnection, type Reached } from './failures.ts';

/** How far the work on a connection has got: what a lost connection means, and whether it can still be stopped. */
export interface Progress {
  reached: Reached;
  committing: boolean;
}

export type Work<T> = (connection: ServerConnection, progress: Progress) => Promise<T>;

/** The connections to one database: made on demand, kept while they are clean, closed when they idle. */
export class Connections {
  readonly #pool: Pool<ServerConnection>;
  readonly #control: Control;
  readonly #log: EngineContext['log'];
  readonly #ending = new AbortController();
  /** What goes on behind an answer: resets, kills. */
  readonly #chores = new Set<Promise<void>>();
  #ended: Promise<void> | undefined;

  /** `onOpen` gets each connection of the pool before its first use. */
  constructor(
    target: ServerTarget,
    { projectRoot, log }: EngineContext,
    onOpen: (connection: ServerConnection) => Promise<void>,
  ) {
    this.#log = log;
    const open = (): Promise<ServerConnection> => ServerConnection.open(target, projectRoot);
    this.#control = new Control(open);
    this.#pool = new Pool({
      create: async () => {
        const connection = await open();
        await onOpen(connection);
        return connection;
      },
      validate: (connection) => !connection.isBroken,
      destroy: (connection) => connection.close(),
      min: 0,
      max: SERVER_CONNECTIONS,
      acquireTimeoutMillis: CONNECTION_WAIT_MS,
      idleTimeoutMillis: CONNECTION_IDLE_MS,
      propagateCreateError: true,
      log: (message) => log('mysql-pool', { message }),
    });
  }

  /**
   * Runs `work` on a connection of its own. When the signal aborts, the statement is stopped on the server and the
   * connection is thrown away; the call ends at once. What `work` leaves behind on the connection is taken away.
   */
  async use<T>(signal: AbortSignal, work: Work<T>): Promise<T> {
    const all = AbortSignal.any([signal, this.#ending.signal]);
    for (;;) {
      throwIfAborted(all);
      const connection = await this.#acquire(all);
      const progress: Progress = { reached: 'nothing-sent', committing: false };
      const wasUsed = connection.used;
      try {
        return await this.#workOn(connection, all, progress, work);
      } catch (error) {
        if (!isLost(error)) throw error;
        // A connection that went stale while it lay in the pool: the statement never left, so that another one may take it.
        if (!wasUsed || progress.reached !== 'nothing-sent') throw lostConnection(error, progress.reached);
      }
    }
  }

  /** Stops what a connection does and throws it away, behind an answer that is complete. */
  discard(connection: ServerConnection): void {
    this.#behind(this.#stop(connection));
  }

  /** Ends what runs and closes everything. */
  end(): Promise<void> {
    this.#ended ??= this.#end();
    return this.#ended;
  }

  async #end(): Promise<void> {
    this.#ending.abort(sessionEnded());
    while (this.#chores.size > 0) await Promise.all(this.#chores);
    await this.#control.end();
    await this.#pool.destroy();
  }

  async #workOn<T>(connection: ServerConnection, signal: AbortSignal, progress: Progress, work: Work<T>): Promise<T> {
    const stopped = Promise.withResolvers<never>();
    let patience: NodeJS.Timeout | undefined;
    const stop = (reason: unknown): void => {
      stopped.reject(reason);
      this.discard(connection);
    };
    const onAbort = (): void => {
      if (!progress.committing) stop(reasonOf(signal));
      // A commit is on its way and cannot be called back: its answer is worth a moment.
      else patience = setTimeout(() => stop(lostConnection(signal.reason, 'write')), SERVER_GOODBYE_MS);
    };
    signal.addEventListener('abort', onAbort, { once: true });
    this.#behind(this.#control.ready());
    const working = work(connection, progress);
    try {
      return await Promise.race([working, stopped.promise]);
    } finally {
      clearTimeout(patience);
      signal.removeEventListener('abort', onAbort);
      this.#behind(this.#giveBack(connection, working));
    }
  }

  async #acquire(signal: AbortSignal): Promise<ServerConnection> {
    const pending = this.#pool.acquire();
    const aborted = Promise.withResolvers<never>();
    const onAbort = (): void => {
      pending.abort();
      aborted.reject(reasonOf(signal));
    };
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      const connection = await Promise.race([pending.promise, aborted.promise]);
      if (signal.aborted) this.#pool.release(connection);
      throwIfAborted(signal);
      return connection;
    } catch (error) {
      throwIfAborted(signal);
      if (error instanceof TimeoutError) throw allBusy();
      throw error;
    } finally {
      signal.removeEventListener('abort', onAbort);
    }
  }

  /** Takes away what the call left: its transaction, its settings and locks. What cannot be reset is thrown away. */
  async #giveBack(connection: ServerConnection, working: Promise<unknown>): Promise<void> {
    // The work of a stopped call ends with its connection.
    await Promise.allSettled([working]);
    const tooLong = setTimeout(() => connection.cut(), SERVER_GOODBYE_MS);
    try {
      if (!connection.isBroken) await connection.reset();
    } catch (error) {
      this.#log('mysql-reset-failed', { errno: failureOf(error).errno });
      connection.cut();
    } finally {
      clearTimeout(tooLong);
      connection.used = true;
      this.#pool.release(connection);
    }
  }

  /** No answer is wanted any more, so that the connection goes first: it must not meet another call. */
  async #stop(connection: ServerConnection): Promise<void> {
    if (connection.isBroken) return;
    connection.cut();
    try {
      await this.#control.kill(connection.threadId);
    } catch (error) {
      this.#log('mysql-kill-failed', { errno: failureOf(error).errno, code: failureOf(error).code });
    }
  }

  #behind(chore: Promise<void>): void {
    const tracked = chore.finally(() => this.#chores.delete(tracked));
    this.#chores.add(tracked);
  }
}

/** Why a signal ended the call; a reason that is no AppError is a plain cancellation. */
export function reasonOf({ reason }: AbortSignal): AppError {
  if (reason instanceof AppError) return reason;
  return new AppError('E_CANCELLED', 'The statement was cancelled.', { cause: reason });
}

function throwIfAborted(signal: AbortSignal): void {
  if (signal.aborted) throw reasonOf(signal);
}

function sessionEnded(): AppError {
  return new AppError('E_NO_CONNECTION', 'The connection to the database is being closed.', {
    hint: 'Call again when the project is open again.',
  });
}

function allBusy(): AppError {
  return new AppError(
    'E_NO_CONNECTION',
    `All ${SERVER_CONNECTIONS} connections to the database are in use, and none became free in ${CONNECTION_WAIT_MS / 1000} seconds.`,
    { hint: 'Wait for the slow statements that run, or cancel them, then call again.' },
  );
}
