import { SERVER_GOODBYE_MS } from '@devdb/shared/limits';
import { unlessAborted } from '../unless-aborted.ts';
import type { ServerConnection } from './connection.ts';
import { failureOf, isLost } from './failures.ts';

const NO_SUCH_THREAD = 1094;

/** The connection that stops statements of the others. It is being made before the first of them runs, so that a stop is quick. */
export class Control {
  readonly #open: (signal: AbortSignal) => Promise<ServerConnection>;
  readonly #ending = new AbortController();
  #opening: Promise<ServerConnection> | undefined;
  /** One statement after another: kills queue up. */
  #queue: Promise<void> = Promise.resolve();

  constructor(open: (signal: AbortSignal) => Promise<ServerConnection>) {
    this.#open = open;
  }

  /** Begins to open it if need be, and does not wait for that. */
  getReady(): void {
    // A failure is told by the kill that needs the connection; until then nobody misses it.
    this.#connection().catch(() => undefined);
  }

  /**
   * Stops what a thread runs, then the thread: a statement that was still on its way must not begin after the kill, and
   * a late kill must not meet another statement. Done or failed in the time of a goodbye, whatever it has to wait for.
   */
  async kill(threadId: number): Promise<void> {
    const late = new AbortController();
    const tooLong = setTimeout(() => late.abort(new Error('The server did not answer in time.')), SERVER_GOODBYE_MS);
    const before = this.#queue;
    const killed = unlessAborted(before, late.signal).then(() => this.#kill(threadId, late.signal));
    this.#queue = killed.catch(() => undefined);
    try {
      await killed;
    } finally {
      clearTimeout(tooLong);
    }
  }

  /** Gives up what is being made, and closes what is open. */
  end(): void {
    this.#ending.abort(new Error('The session has ended.'));
    // One that could not be opened needs no goodbye.
    this.#opening?.then(
      (connection) => connection.close(),
      () => undefined,
    );
    this.#opening = undefined;
  }

  async #kill(threadId: number, late: AbortSignal): Promise<void> {
    for (const statement of [`KILL QUERY ${threadId}`, `KILL ${threadId}`]) {
      try {
        await this.#run(statement, late);
      } catch (error) {
        // It is gone already, which is all that was wanted.
        if (failureOf(error).errno !== NO_SUCH_THREAD) throw error;
      }
    }
  }

  /** A control connection that went away while nothing was to be stopped is opened once more; one that hangs is not. */
  async #run(statement: string, late: AbortSignal): Promise<void> {
    const connection = await unlessAborted(this.#connection(), late);
    try {
      await runUntil(late, connection, statement);
    } catch (error) {
      if (late.aborted || !isLost(error)) throw error;
      await runUntil(late, await unlessAborted(this.#connection(), late), statement);
    }
  }

  async #connection(): Promise<ServerConnection> {
    for (;;) {
      this.#opening ??= this.#open(this.#ending.signal);
      const opening = this.#opening;
      try {
        const connection = await opening;
        if (!connection.isBroken) return connection;
      } catch (error) {
        if (this.#opening === opening) this.#opening = undefined;
        throw error;
      }
      if (this.#opening === opening) this.#opening = undefined;
    }
  }
}

/** Nobody knows how far a server came that does not answer: its connection is cut. */
async function runUntil(late: AbortSignal, connection: ServerConnection, statement: string): Promise<void> {
  try {
    await unlessAborted(connection.run(statement), late);
  } catch (error) {
    if (late.aborted) connection.cut();
    throw error;
  }
}
