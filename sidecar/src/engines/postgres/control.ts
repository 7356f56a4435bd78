import { unlessAborted, withTimeLimit } from '@devdb/shared/abort';
import { CONNECTION_IDLE_MS, SERVER_GOODBYE_MS } from '../limits.ts';
import type { ServerConnection } from './connection.ts';

/** How long the server has for an answer. */
const GOODBYE = { ms: SERVER_GOODBYE_MS, reason: () => new Error('The server did not answer in time.') };

/** A connection outside the pool for asking about the others' backends: opened when needed, closed when idle. */
export class Control {
  readonly #open: (signal: AbortSignal) => Promise<ServerConnection>;
  readonly #ending = new AbortController();
  #connection: ServerConnection | undefined;
  #idle: NodeJS.Timeout | undefined;
  /** One query at a time. */
  #queue: Promise<unknown> = Promise.resolve();

  constructor(open: (signal: AbortSignal) => Promise<ServerConnection>) {
    this.#open = open;
  }

  /** Whether the backend of a connection cut this long ago still exists. Process ids are reused. */
  isAlive(processId: number, cutMs: number, signal: AbortSignal): Promise<boolean> {
    const before = this.#queue;
    const asked = withTimeLimit({ ...GOODBYE, signals: [signal, this.#ending.signal] }, async (all) => {
      await unlessAborted(before, all);
      return this.#ask(processId, cutMs, all);
    });
    this.#queue = asked.catch(() => undefined);
    return asked;
  }

  end(): void {
    this.#ending.abort(new Error('The session has ended.'));
    clearTimeout(this.#idle);
    this.#connection?.cut();
  }

  async #ask(processId: number, cutMs: number, signal: AbortSignal): Promise<boolean> {
    signal.throwIfAborted();
    clearTimeout(this.#idle);
    const connection = await this.#ready(signal);
    let found = 0;
    const question = `SELECT 1 FROM pg_catalog.pg_stat_activity WHERE pid = ${processId} AND backend_start < pg_catalog.clock_timestamp() - interval '${Math.floor(cutMs)} milliseconds'`;
    try {
      await unlessAborted(
        connection.run(question, 'statement', {
          row: () => {
            found += 1;
          },
        }),
        signal,
      );
    } catch (error) {
      connection.cut();
      throw error;
    }
    this.#idle = setTimeout(() => void connection.close(), CONNECTION_IDLE_MS);
    this.#idle.unref();
    return found > 0;
  }

  async #ready(signal: AbortSignal): Promise<ServerConnection> {
    if (this.#connection === undefined || this.#connection.isBroken) this.#connection = await this.#open(signal);
    return this.#connection;
  }
}
