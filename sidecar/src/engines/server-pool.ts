import { setTimeout as pause } from 'node:timers/promises';
import { stoppedBy, unlessAborted, withTimeLimit } from '@devdb/shared/abort';
import { AppError } from '@devdb/shared/errors';
import { Pool, TimeoutError } from 'tarn';
import { reasonOf, throwIfAborted } from './abort-reason.ts';
import type { EngineContext, Guard } from './engine.ts';
import {
  CONNECT_TIMEOUT_MS,
  CONNECTION_IDLE_MS,
  CONNECTION_WAIT_MS,
  LEFTOVER_ASK_MS,
  LEFTOVER_UNANSWERED,
  SERVER_CONNECTIONS,
  SERVER_GOODBYE_MS,
} from './limits.ts';
import { lostConnection, type Reached } from './lost-connection.ts';

/** A connection to a server, as the pool sees it. */
export interface PooledConnection {
  /** It is no longer usable. */
  readonly isBroken: boolean;
  /** Whether a statement is still unanswered. */
  readonly isBusy: boolean;
  /** Restores its initial state: no transaction, no settings, no locks. Broken where a server cannot do that. */
  reset(): Promise<void>;
  /** Closes the connection properly. */
  close(): Promise<void> | void;
  /** Ends it at once, whatever the other side does. */
  cut(): void;
}

/** What differs between engines. Every promise settles within a limited time. */
export interface PoolParts<C> {
  /** The engine's name in the log. */
  readonly name: string;
  /** Connects and logs in; rejects as soon as the signal aborts. */
  connect(signal: AbortSignal): Promise<C>;
  /** What each new connection does before anybody gets it. */
  prepare?(connection: C): Promise<void>;
  /** Stops a connection's statement on the server, then the connection: a late stop must not hit another statement. */
  stop(connection: C): Promise<void>;
  /** Asks the server whether it still runs a stopped statement: some do not check for cancellation. */
  stillRuns(connection: C, signal: AbortSignal): Promise<boolean>;
  /** Whether the work failed because the connection was lost. */
  isLost(error: unknown, connection: C): boolean;
  /** The error of a call that lost its connection. */
  lost(error: unknown, reached: Reached): AppError;
  /** Why no connection could be made, as an error with a message. */
  refused(error: unknown): AppError;
}

/**
 * How far the work on a connection has got: decides what losing it means, and whether the work can still be stopped.
 */
export interface Progress {
  reached: Reached;
  committing: boolean;
}

export type Work<C, T> = (connection: C, progress: Progress) => Promise<T>;

/** The connection was lost during the work, not by our decision. */
class Lost extends Error {
  constructor(cause: unknown) {
    super('The connection was lost.', { cause });
  }
}

/** A connection attempt was abandoned because no call waited for it. */
class Unwanted extends Error {}

/** A server needs a moment to stop; a longer time is reported. */
const LEFTOVER_GRACE_MS = 500;

/** The connections to one database: made on demand, kept while they are clean, closed when idle. */
export class ServerPool<C extends PooledConnection> {
  readonly #parts: PoolParts<C>;
  readonly #pool: Pool<C>;
  readonly #log: EngineContext['log'];
  readonly #ending = new AbortController();
  /** Connection attempts in progress, oldest first. */
  readonly #making = new Set<AbortController>();
  #waiting = 0;
  /**
   * When each was made: one older than the call was idle in the pool, and the server may have disappeared meanwhile.
   */
  readonly #madeAt = new WeakMap<C, number>();
  readonly #stops = new WeakMap<C, Promise<void>>();
  /** Stopped connections whose statements the server still runs: each keeps its place in the pool. */
  readonly #leftovers = new Set<C>();
  /** Work behind an answer: resets and stops. Each has a time limit. */
  readonly #chores = new Set<Promise<void>>();
  #ended: Promise<void> | undefined;

  constructor(parts: PoolParts<C>, log: EngineContext['log']) {
    this.#parts = parts;
    this.#log = log;
    this.#pool = new Pool<C>({
      create: () => this.#make(),
      validate: (connection) => !connection.isBroken,
      destroy: (connection) => connection.close(),
      min: 0,
      max: SERVER_CONNECTIONS,
      acquireTimeoutMillis: CONNECTION_WAIT_MS,
      idleTimeoutMillis: CONNECTION_IDLE_MS,
      propagateCreateError: true,
      log: (message) => log(`${parts.name}-pool`, { message }),
    });
  }

  /**
   * Runs `work` on a connection of its own. When the signal aborts, the call ends at once, and in the background the
   * statement is stopped on the server and the connection discarded. Whatever `work` leaves on the connection is
   * cleared.
   */
  async use<T>(signal: AbortSignal, work: Work<C, T>): Promise<T> {
    const all = AbortSignal.any([signal, this.#ending.signal]);
    for (;;) {
      const askedAt = performance.now();
      const connection = await this.#acquire(all);
      const progress: Progress = { reached: 'nothing-sent', committing: false };
      const isNew = (this.#madeAt.get(connection) ?? 0) > askedAt;
      try {
        return await this.#workOn(connection, all, progress, work);
      } catch (error) {
        if (!(error instanceof Lost)) throw error;
        // A connection that went stale while idle in the pool: the statement was never sent, so another one may take
        // it.
        if (isNew || progress.reached !== 'nothing-sent') throw this.#parts.lost(error.cause, progress.reached);
      }
    }
  }

  /** Stops a connection's work and discards it, in the background of a complete answer. */
  discard(connection: C): void {
    if (this.#stops.has(connection)) return;
    const stopping = this.#parts.stop(connection).catch((error: unknown) => this.#report('stop', error));
    this.#stops.set(connection, stopping);
    this.#behind(stopping);
  }

  /** The same guard, with a note on statements of ended calls that the server still runs. */
  withLeftovers(guard: Guard): Guard {
    const left = this.#leftWords();
    return left === undefined ? guard : { ...guard, reason: `${guard.reason} ${left}` };
  }

  /** Abandons connection attempts, ends what runs and closes everything. */
  end(): Promise<void> {
    this.#ended ??= this.#end();
    return this.#ended;
  }

  async #end(): Promise<void> {
    this.#ending.abort(sessionEnded());
    while (this.#chores.size > 0) await Promise.all(this.#chores);
    await this.#pool.destroy();
  }

  async #make(): Promise<C> {
    const making = new AbortController();
    this.#making.add(making);
    const signal = AbortSignal.any([making.signal, this.#ending.signal]);
    try {
      throwIfAborted(signal);
      const connection = await this.#parts.connect(signal);
      await this.#prepare(connection, signal);
      this.#madeAt.set(connection, performance.now());
      return connection;
    } finally {
      this.#making.delete(making);
    }
  }

  async #prepare(connection: C, signal: AbortSignal): Promise<void> {
    const preparing = this.#parts.prepare?.(connection);
    if (preparing === undefined) return;
    await withTimeLimit({ ms: CONNECT_TIMEOUT_MS, reason: noAnswer, signals: [signal] }, async (inTime) => {
      try {
        await unlessAborted(preparing, inTime);
      } catch (error) {
        connection.cut();
        throw inTime.aborted ? error : this.#parts.refused(error);
      }
    });
  }

  async #workOn<T>(connection: C, signal: AbortSignal, progress: Progress, work: Work<C, T>): Promise<T> {
    const stopped = Promise.withResolvers<never>();
    let patience: NodeJS.Timeout | undefined;
    const stop = (reason: unknown): void => {
      stopped.reject(reason);
      this.discard(connection);
    };
    const onAbort = (): void => {
      if (!progress.committing) stop(reasonOf(signal));
      // A commit is in transit and cannot be recalled, so its answer is worth a short wait.
      else patience = setTimeout(() => stop(lostInCommit(signal, progress)), SERVER_GOODBYE_MS);
    };
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      return await Promise.race([work(connection, progress), stopped.promise]);
    } catch (error) {
      // Determined before the connection is returned, which may break it.
      const isOurs = error instanceof AppError || error === signal.reason;
      throw !isOurs && this.#parts.isLost(error, connection) ? new Lost(error) : error;
    } finally {
      clearTimeout(patience);
      signal.removeEventListener('abort', onAbort);
      this.#behind(this.#giveBack(connection));
    }
  }

  async #acquire(signal: AbortSignal): Promise<C> {
    for (;;) {
      throwIfAborted(signal);
      try {
        return await this.#acquireOnce(signal);
      } catch (error) {
        if (signal.aborted) throw this.#leftWaiting(reasonOf(signal));
        if (error instanceof TimeoutError) throw this.#noneFree();
        if (!(error instanceof Unwanted)) throw error;
      }
    }
  }

  async #acquireOnce(signal: AbortSignal): Promise<C> {
    const pending = this.#pool.acquire();
    this.#waiting += 1;
    try {
      const connection = await stoppedBy(
        signal,
        () => pending.abort(),
        () => pending.promise,
      );
      if (!signal.aborted) return connection;
      this.#pool.release(connection);
      throw reasonOf(signal);
    } finally {
      this.#waiting -= 1;
      if (signal.aborted) this.#giveUpOldest();
    }
  }

  /** A call has left: the connection attempt made for it may hang, and must not become the next call's. */
  #giveUpOldest(): void {
    const [oldest] = this.#making;
    if (oldest === undefined || this.#making.size <= this.#waiting) return;
    // At once, so that another call leaving at the same moment abandons another attempt.
    this.#making.delete(oldest);
    oldest.abort(new Unwanted());
  }

  /** Clears what the call left: its transaction, settings and locks. A connection that cannot be reset is discarded. */
  async #giveBack(connection: C): Promise<void> {
    // A statement its call no longer waits for is stopped rather than awaited.
    if (connection.isBusy && !connection.isBroken) this.discard(connection);
    const stopping = this.#stops.get(connection);
    if (stopping !== undefined) await stopping.then(() => this.#untilGone(connection));
    else if (!connection.isBroken) await this.#reset(connection);
    this.#pool.release(connection);
  }

  /** The place of a statement that the server still runs is not reused: such statements must not pile up there. */
  async #untilGone(connection: C): Promise<void> {
    const since = performance.now();
    for (let round = 0, unanswered = 0; unanswered < LEFTOVER_UNANSWERED; round += 1) {
      const isOver = await this.#pause(LEFTOVER_ASK_MS[Math.min(round, LEFTOVER_ASK_MS.length - 1)] ?? 0);
      if (isOver) break;
      try {
        if (!(await this.#parts.stillRuns(connection, this.#ending.signal))) break;
        unanswered = 0;
        this.#keep(connection, since);
      } catch (error) {
        unanswered += 1;
        if (!this.#ending.signal.aborted) this.#report('watch', error);
      }
    }
    if (this.#leftovers.delete(connection)) {
      this.#log(`${this.#parts.name}-leftover-gone`, { ms: Math.round(performance.now() - since) });
    }
    if (!connection.isBroken) connection.cut();
  }

  #keep(connection: C, since: number): void {
    if (this.#leftovers.has(connection) || performance.now() - since < LEFTOVER_GRACE_MS) return;
    this.#leftovers.add(connection);
    this.#log(`${this.#parts.name}-still-runs`, { leftovers: this.#leftovers.size });
  }

  /** Whether the session ended meanwhile. */
  async #pause(ms: number): Promise<boolean> {
    const { signal } = this.#ending;
    await pause(ms, undefined, { signal }).catch(() => undefined);
    return signal.aborted;
  }

  async #reset(connection: C): Promise<void> {
    const tooLong = setTimeout(() => connection.cut(), SERVER_GOODBYE_MS);
    try {
      await connection.reset();
    } catch (error) {
      this.#report('reset', error);
      connection.cut();
    } finally {
      clearTimeout(tooLong);
    }
  }

  /** Never the error's own message, which may contain hosts and values. */
  #report(what: 'stop' | 'reset' | 'watch', error: unknown): void {
    this.#log(`${this.#parts.name}-${what}-failed`, { ...this.#parts.refused(error).details });
  }

  #behind(chore: Promise<void>): void {
    const tracked = chore.finally(() => this.#chores.delete(tracked));
    this.#chores.add(tracked);
  }

  #noneFree(): AppError {
    if (this.#pool.numUsed() < SERVER_CONNECTIONS) return noAnswer();
    const left = this.#leftWords();
    const which = left === undefined ? 'are in use' : 'are taken';
    return new AppError(
      'E_NO_CONNECTION',
      `All ${SERVER_CONNECTIONS} connections to the database ${which}, and none became free in ${CONNECTION_WAIT_MS / 1000} seconds.${left === undefined ? '' : ` ${left}`}`,
      {
        hint:
          left === undefined
            ? 'Wait for the slow statements, or cancel them, then call again.'
            : 'Wait until they end, or end them with the database’s own tools, then call again.',
      },
    );
  }

  /** The deadline error of a call that waited for a place, extended by what occupies the places. */
  #leftWaiting(reason: unknown): unknown {
    const left = this.#leftWords();
    if (left === undefined || !(reason instanceof AppError) || reason.code !== 'E_TIMEOUT') return reason;
    return new AppError(reason.code, `${reason.message} No connection was free. ${left}`, {
      hint: reason.hint,
      details: { ...reason.details, stillRunning: this.#leftovers.size },
      cause: reason,
    });
  }

  #leftWords(): string | undefined {
    const { size } = this.#leftovers;
    if (size === 0) return undefined;
    return size === 1
      ? '1 cancelled statement is still running on the server.'
      : `${size} cancelled statements are still running on the server.`;
  }
}

function lostInCommit(signal: AbortSignal, { reached }: Progress): AppError {
  return lostConnection(reached, { cause: signal.reason });
}

function noAnswer(): AppError {
  return new AppError('E_NO_CONNECTION', 'The server did not answer in time.', {
    hint: 'Check host, port and firewall of the connection, and whether the server is overloaded.',
  });
}

function sessionEnded(): AppError {
  return new AppError('E_NO_CONNECTION', 'The connection to the database is being closed.', {
    hint: 'Call again when the project is open again.',
  });
}
