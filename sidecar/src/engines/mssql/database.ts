import type { EngineContext, Guard, ServerTarget } from '../engine.ts';
import type { Work } from '../server-pool.ts';
import { readerOf } from './address.ts';
import { askOn, type Results } from './ask.ts';
import type { ServerConnection } from './connection.ts';
import { askedAboutCatalog, isAboutStatement } from './errors.ts';
import {
  begin,
  foreignGuard,
  NOT_CONNECTED,
  prepareSession,
  RIGHTS_UNKNOWN,
  readGuard,
  sessionSettings,
} from './guard.ts';
import { ignores, NOT_RUNNING_MODES, type NotRunningMode, withoutModes } from './not-running.ts';
import { Connections } from './pool.ts';
import { type Product, readProduct } from './product.ts';
import { BeyondReading, beyondReading } from './reach.ts';

/** One database: its connections, and what is known about the server and its login's rights. */
export class Database {
  readonly connections: Connections;
  readonly reader: string | undefined;
  readonly log: EngineContext['log'];
  readonly database: string;
  #guard: Guard = NOT_CONNECTED;
  #isGuardKnown = false;
  #product: Product | undefined;
  readonly #ignoredModes = new Set<NotRunningMode>();

  constructor(target: ServerTarget, context: EngineContext) {
    this.connections = new Connections(target, context);
    this.reader = readerOf(target);
    this.log = context.log;
    this.database = target.database;
  }

  get guard(): Guard {
    return this.connections.withLeftovers(withoutModes(this.#guard, this.#ignoredModes));
  }

  /** The server accepted a mode in which it should run nothing, and ran a statement all the same. */
  noteIgnored(mode: NotRunningMode): void {
    this.#ignoredModes.add(mode);
  }

  /** A connection in the guarded transaction. Throws BeyondReading for a statement that may do more than read. */
  guarded<T>(signal: AbortSignal, sql: string, work: Work<ServerConnection, T>): Promise<T> {
    return this.connections.use(signal, async (connection, progress) => {
      await this.#prepare(connection);
      const reason = await this.beyondReading(connection, sql);
      if (reason !== undefined) throw new BeyondReading(reason);
      await begin(connection, 'OFF');
      return work(connection, progress);
    });
  }

  /** A connection for reading catalogues and plans. */
  looking<T>(signal: AbortSignal, work: (connection: ServerConnection) => Promise<T>): Promise<T> {
    return this.connections.use(signal, async (connection, progress) => {
      progress.reached = 'read';
      await this.#prepare(connection);
      return work(connection);
    });
  }

  /** A connection with the login's own rights, for what the reader may not do. */
  acting<T>(signal: AbortSignal, lockTimeoutMs: number, work: Work<ServerConnection, T>): Promise<T> {
    return this.connections.use(signal, async (connection, progress) => {
      await connection.prepare(sessionSettings(lockTimeoutMs));
      return work(connection, progress);
    });
  }

  /** Why a statement may do more than its text shows; undefined where everything it reaches only reads. */
  beyondReading(connection: ServerConnection, sql: string): Promise<string | undefined> {
    return beyondReading(connection, sql, this.#product?.isMicrosoft ?? false);
  }

  /** The results of a query of ours. */
  ask(sql: string, parameters: Readonly<Record<string, string>>, signal: AbortSignal): Promise<Results> {
    return askedAboutCatalog(() => this.looking(signal, (connection) => askOn(connection, sql, parameters)));
  }

  /** No transaction is open yet, so a failure here cannot end one. */
  async #prepare(connection: ServerConnection): Promise<void> {
    await connection.prepare(prepareSession(this.reader));
    await this.#learn(connection);
    connection.takeMessages();
  }

  /**
   * Asked once: rights rarely change, and the next start of the project asks again. After a failure it is asked again.
   */
  async #learn(connection: ServerConnection): Promise<void> {
    if (this.#isGuardKnown) return;
    try {
      this.#product ??= await readProduct(connection);
      this.#guard = this.#product.isMicrosoft ? await readGuard(connection) : await this.#learnForeign(connection);
      this.#isGuardKnown = true;
    } catch (error) {
      if (!isAboutStatement(error)) throw error;
      this.#guard = RIGHTS_UNKNOWN;
    }
  }

  /** Nothing is assumed about a server that is not Microsoft's. */
  async #learnForeign(connection: ServerConnection): Promise<Guard> {
    for (const mode of NOT_RUNNING_MODES) if (await ignores(connection, mode)) this.noteIgnored(mode);
    return foreignGuard(this.#product?.name ?? '');
  }
}
