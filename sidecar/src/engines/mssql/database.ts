import type { EngineContext, Guard, ServerTarget } from '../engine.ts';
import type { Work } from '../server-pool.ts';
import type { DriverValue } from '../values.ts';
import { readerOf } from './address.ts';
import type { ServerConnection } from './connection.ts';
import { Connections } from './connections.ts';
import { isAboutStatement } from './failures.ts';
import { beginGuarded, NOT_CONNECTED, prepareLook, readGuard } from './guard.ts';

/** Rows of one result, in the order of the query's results. */
export type Results = readonly (readonly (readonly DriverValue[])[])[];

/** One database: its connections, and what is known about the rights of its login. */
export class Database {
  readonly connections: Connections;
  readonly reader: string | undefined;
  readonly log: EngineContext['log'];
  readonly database: string;
  #guard: Guard = NOT_CONNECTED;
  #isGuardKnown = false;

  constructor(target: ServerTarget, context: EngineContext) {
    this.connections = new Connections(target, context);
    this.reader = readerOf(target);
    this.log = context.log;
    this.database = target.database;
  }

  get guard(): Guard {
    return this.#guard;
  }

  /** A connection in the guarded transaction. */
  guarded<T>(signal: AbortSignal, work: Work<ServerConnection, T>): Promise<T> {
    return this.connections.use(signal, async (connection, progress) => {
      await beginGuarded(connection, this.reader);
      await this.#learnGuard(connection);
      connection.takeMessages();
      return work(connection, progress);
    });
  }

  /** A connection that looks at catalogues and plans. */
  looking<T>(signal: AbortSignal, work: (connection: ServerConnection) => Promise<T>): Promise<T> {
    return this.connections.use(signal, async (connection, progress) => {
      progress.reached = 'read';
      await connection.run(prepareLook(this.reader));
      await this.#learnGuard(connection);
      return work(connection);
    });
  }

  /** The results of a query of ours. */
  ask(sql: string, parameters: Readonly<Record<string, string>>, signal: AbortSignal): Promise<Results> {
    return this.looking(signal, (connection) => askOn(connection, sql, parameters));
  }

  /** Asked once: rights change rarely, and the next start of the project asks again. */
  async #learnGuard(connection: ServerConnection): Promise<void> {
    if (this.#isGuardKnown) return;
    try {
      this.#guard = await readGuard(connection);
    } catch (error) {
      if (!isAboutStatement(error)) throw error;
      this.#guard = RIGHTS_UNKNOWN;
    }
    this.#isGuardKnown = true;
  }
}

const RIGHTS_UNKNOWN: Guard = {
  strength: 'guarded',
  reason:
    'The server did not tell the rights of the login: reads are checked word by word, run alone and are rolled back. Connect with a login that can only read (db_datareader); `devdb role --print` writes the GRANT script.',
};

/** The results of a query of ours, on a connection that is there already. */
export async function askOn(
  connection: ServerConnection,
  sql: string,
  parameters: Readonly<Record<string, string>>,
): Promise<Results> {
  const results: DriverValue[][][] = [];
  await connection.ask(sql, parameters, {
    columns: () => results.push([]),
    row: (values) => results.at(-1)?.push(values),
  });
  return results;
}
