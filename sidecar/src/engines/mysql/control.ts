import { SERVER_GOODBYE_MS } from '@devdb/shared/limits';
import type { ServerConnection } from './connection.ts';
import { ConnectionLost, failureOf, isLost } from './failures.ts';

const NO_SUCH_THREAD = 1094;

/** The connection that stops statements of the others. It is open before the first of them runs, so that a stop is quick. */
export class Control {
  readonly #open: () => Promise<ServerConnection>;
  #opening: Promise<ServerConnection> | undefined;
  /** One statement after another: kills queue up. */
  #queue: Promise<void> = Promise.resolve();

  constructor(open: () => Promise<ServerConnection>) {
    this.#open = open;
  }

  /** Opens it if need be. A failure is told when it is needed. */
  async ready(): Promise<void> {
    await Promise.allSettled([this.#connection()]);
  }

  /**
   * Stops what a thread runs, then the thread: a statement that was still on its way must not begin after the kill, and
   * a late kill must not meet another statement.
   */
  kill(threadId: number): Promise<void> {
    const killed = this.#queue.then(() => this.#kill(threadId));
    this.#queue = killed.catch(() => undefined);
    return killed;
  }

  async end(): Promise<void> {
    const opened = await Promise.allSettled([this.#opening]);
    for (const one of opened) if (one.status === 'fulfilled') one.value?.close();
    this.#opening = undefined;
  }

  async #kill(threadId: number): Promise<void> {
    for (const statement of [`KILL QUERY ${threadId}`, `KILL ${threadId}`]) {
      try {
        await this.#run(statement);
      } catch (error) {
        // It is gone already, which is all that was wanted.
        if (failureOf(error).errno !== NO_SUCH_THREAD) throw error;
      }
    }
  }

  /** A control connection that went away while nothing was to be stopped is opened once more; one that hangs is not. */
  async #run(statement: string): Promise<void> {
    const connection = await this.#connection();
    if ((await this.#bounded(connection, statement)) !== 'lost') return;
    this.#opening = undefined;
    if ((await this.#bounded(await this.#connection(), statement)) === 'lost') throw new ConnectionLost(undefined);
  }

  async #bounded(connection: ServerConnection, statement: string): Promise<'done' | 'lost'> {
    const hangs = Promise.withResolvers<never>();
    const tooLong = setTimeout(() => {
      hangs.reject(new Error('The server did not answer in time.'));
      connection.cut();
    }, SERVER_GOODBYE_MS);
    try {
      await Promise.race([connection.run(statement), hangs.promise]);
      return 'done';
    } catch (error) {
      if (isLost(error)) return 'lost';
      throw error;
    } finally {
      clearTimeout(tooLong);
    }
  }

  async #connection(): Promise<ServerConnection> {
    for (;;) {
      this.#opening ??= this.#open();
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
