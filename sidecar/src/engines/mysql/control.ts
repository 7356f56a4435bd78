import { unlessAborted, withTimeLimit } from '@devdb/shared/abort';
import { SERVER_GOODBYE_MS } from '../limits.ts';
import type { RowReceiver, ServerConnection } from './connection.ts';
import { failureOf, isLost } from './errors.ts';

const NO_SUCH_THREAD = 1094;
/** How long the server has for an answer. */
const GOODBYE = { ms: SERVER_GOODBYE_MS, reason: () => new Error('The server did not answer in time.') };

/**
 * The connection that stops statements on the others. It is opened before the first of them runs, so that a stop is
 * quick.
 */
export class Control {
  readonly #open: (signal: AbortSignal) => Promise<ServerConnection>;
  readonly #ending = new AbortController();
  #opening: Promise<ServerConnection> | undefined;
  /** One statement at a time: kills queue up. */
  #queue: Promise<unknown> = Promise.resolve();

  constructor(open: (signal: AbortSignal) => Promise<ServerConnection>) {
    this.#open = open;
  }

  /** Starts to open it if necessary, without waiting. */
  getReady(): void {
    // The kill that needs the connection reports a failure; until then it does not matter.
    this.#connection().catch(() => undefined);
  }

  /**
   * Stops a thread's statement, then the thread: a statement still in transit must not start after the kill, and a late
   * kill must not hit another statement. Ends within the time of a goodbye, successful or not, whatever it has to wait
   * for.
   */
  kill(threadId: number): Promise<void> {
    return this.#inTurn((late) => this.#kill(threadId, late));
  }

  /** Whether a thread still exists: a killed one stays until its statement notices. */
  isAlive(threadId: number, signal: AbortSignal): Promise<boolean> {
    return this.#inTurn(async (late) => {
      let isThere = false;
      // Each user sees its own threads, on every version and without extra rights.
      await this.#run('SHOW PROCESSLIST', AbortSignal.any([late, signal]), {
        row: ([id]) => {
          isThere ||= id?.toString('utf8') === String(threadId);
        },
      });
      return isThere;
    });
  }

  /** Aborts a connection attempt and closes an open connection. */
  end(): void {
    this.#ending.abort(new Error('The session has ended.'));
    // A connection that could not be opened needs no goodbye.
    this.#opening?.then(
      (connection) => connection.close(),
      () => undefined,
    );
    this.#opening = undefined;
  }

  #inTurn<T>(work: (late: AbortSignal) => Promise<T>): Promise<T> {
    const before = this.#queue;
    const done = withTimeLimit(GOODBYE, async (late) => {
      await unlessAborted(before, late);
      return work(late);
    });
    this.#queue = done.catch(() => undefined);
    return done;
  }

  async #kill(threadId: number, late: AbortSignal): Promise<void> {
    for (const statement of [`KILL QUERY ${threadId}`, `KILL ${threadId}`]) {
      try {
        await this.#run(statement, late);
      } catch (error) {
        // It is already gone, which was the goal.
        if (failureOf(error).errno !== NO_SUCH_THREAD) throw error;
      }
    }
  }

  /** A control connection lost while idle is opened once more; one that hangs is not. */
  async #run(statement: string, late: AbortSignal, receiver: RowReceiver = {}): Promise<void> {
    const connection = await unlessAborted(this.#connection(), late);
    try {
      await runUntil(late, connection, statement, receiver);
    } catch (error) {
      if (late.aborted || !isLost(error)) throw error;
      await runUntil(late, await unlessAborted(this.#connection(), late), statement, receiver);
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

/** How far an unresponsive server got is unknown, so its connection is cut. */
async function runUntil(
  late: AbortSignal,
  connection: ServerConnection,
  statement: string,
  receiver: RowReceiver,
): Promise<void> {
  try {
    await unlessAborted(connection.run(statement, receiver), late);
  } catch (error) {
    if (late.aborted) connection.cut();
    throw error;
  }
}
