import { connect, type Socket } from 'node:net';
import { stoppedBy } from '@devdb/shared/abort';
import { AppError } from '@devdb/shared/errors';
import { type Connection, type ConnectionOptions, createConnection } from 'mysql2';
import * as z from 'zod';
import { mayGoInClear } from '../clear-text.ts';
import type { EngineContext, ServerTarget } from '../engine.ts';
import { type HeldBytes, MessageHold } from '../held-bytes.ts';
import { CONNECT_TIMEOUT_MS } from '../limits.ts';
import { byFirstWay } from '../tls-options.ts';
import { WITHOUT_CLEAR_TEXT } from './auth-plugins.ts';
import { ConnectionLost, connectionError, isAboutEncryption } from './errors.ts';
import { limitPackets } from './packet-limit.ts';
import { isLocalEngine } from './server-objects.ts';
import { type ServerVersion, versionOf } from './server-version.ts';
import { type Encryption, encryptionsOf } from './tls.ts';
import type { Field } from './values.ts';

const KEEP_ALIVE_AFTER_MS = 30_000;

/** A cell as the server sent it, still in the packet's memory: to be read at once. */
export type RawCell = Buffer | null;

export interface RowReceiver {
  columns?(fields: readonly Field[]): void;
  row?(values: readonly RawCell[]): void;
}

/** The end of a statement without rows. */
export interface Completed {
  readonly affectedRows: number | undefined;
  readonly info: string;
  /** How many row sets came. */
  readonly rowSets: number;
}

const fieldList = z.array(
  z.looseObject({
    name: z.string(),
    columnType: z.number(),
    columnLength: z.number(),
    characterSet: z.number(),
    flags: z.number(),
    decimals: z.number(),
    table: z.string(),
    extendedTypeName: z.string().optional(),
    extendedFormat: z.string().optional(),
  }),
);

const okPacket = z.looseObject({ affectedRows: z.coerce.number(), info: z.string().default('') });

interface Running {
  readonly reject: (error: unknown) => void;
}

/** One connection to the server, for one call at a time. */
export class ServerConnection {
  readonly #raw: Connection;
  readonly #socket: Socket;
  #failure: unknown;
  #running: Running | undefined;
  #facts: ServerFacts | undefined;
  /** The session's settings; undefined where it has the server's own. */
  #settings: string | undefined;
  #usual: string | undefined;

  private constructor(raw: Connection, socket: Socket, held: HeldBytes) {
    this.#raw = raw;
    this.#socket = socket;
    // Permanent: an unhandled error event would end the process.
    raw.on('error', (error: unknown) => this.#fail(error));
    raw.on('end', () => this.#fail(undefined));
    const hold = new MessageHold(held);
    limitPackets(raw, hold, (refusal) => this.cut(refusal));
    socket.on('close', () => {
      hold.end();
      this.#fail(undefined);
    });
  }

  /** Connects in the first way that the server accepts. Rejects with an explained error, or when the signal aborts. */
  static open(
    target: ServerTarget,
    { projectRoot, held }: Pick<EngineContext, 'projectRoot' | 'held'>,
    signal: AbortSignal,
  ): Promise<ServerConnection> {
    return byFirstWay({
      ways: () => encryptionsOf(target, projectRoot),
      connect: (ssl) => ServerConnection.#connect(target, ssl, held, signal),
      isAboutWay: isAboutEncryption,
      inWords: connectionError,
      signal,
    });
  }

  static async #connect(
    target: ServerTarget,
    ssl: Encryption,
    held: HeldBytes,
    signal: AbortSignal,
  ): Promise<ServerConnection> {
    signal.throwIfAborted();
    const socket = openSocket(target);
    const raw = createConnection({ ...optionsOf(target, ssl), stream: () => socket });
    const connection = new ServerConnection(raw, socket, held);
    // The driver's own timeout ends with the server's first message; without ours, a server that falls silent later
    // would be awaited for ever.
    const tooLong = setTimeout(
      () => connection.cut({ code: 'ETIMEDOUT', message: 'no answer' }),
      connectTimeoutMs(target),
    );
    try {
      return await stoppedBy(
        signal,
        () => connection.cut(),
        async () => {
          await connection.#logIn();
          connection.#facts = await readFacts(connection);
          return connection;
        },
      );
    } catch (error) {
      connection.cut();
      throw error;
    } finally {
      clearTimeout(tooLong);
    }
  }

  #logIn(): Promise<void> {
    return this.#exclusive((resolve, reject) => {
      this.#raw.connect((error) => (error === null || error === undefined ? resolve() : reject(error)));
    });
  }

  /** The id for KILL. */
  get threadId(): number {
    return this.#raw.threadId;
  }

  get version(): ServerVersion {
    return this.#known.version;
  }

  /** The database of unqualified names; empty when there is none. */
  get database(): string {
    return this.#known.database;
  }

  /** Whether table names are case-sensitive, which they are not on Windows or macOS. */
  get namesAreExact(): boolean {
    return this.#known.namesAreExact;
  }

  /** Whether tables may fetch their rows from elsewhere (FEDERATED, CONNECT, SPIDER). */
  get hasForeignEngines(): boolean {
    return this.#known.hasForeignEngines;
  }

  get #known(): ServerFacts {
    if (this.#facts === undefined) throw new Error('The connection is not open yet.');
    return this.#facts;
  }

  get isBroken(): boolean {
    return this.#failure !== undefined;
  }

  /** Whether a statement is still unanswered. */
  get isBusy(): boolean {
    return this.#running !== undefined;
  }

  /** Runs one statement; rows are passed on as they arrive and not kept. */
  run(sql: string, receiver: RowReceiver = {}, values: readonly (string | number)[] = []): Promise<Completed> {
    return this.#exclusive((resolve, reject) => {
      let done: Completed = { affectedRows: undefined, info: '', rowSets: 0 };
      let failure: unknown;
      const guard = (step: () => void): void => {
        try {
          step();
        } catch (error) {
          failure ??= error;
        }
      };
      const query = this.#raw.query({ sql, ...(values.length === 0 ? {} : { values: [...values] }) });
      query.on('fields', (fields: unknown) => {
        if (fields === undefined) return;
        done = { ...done, rowSets: done.rowSets + 1 };
        guard(() => receiver.columns?.(fieldList.parse(fields)));
      });
      query.on('result', (row: unknown) => {
        if (Array.isArray(row)) guard(() => receiver.row?.(row));
        else guard(() => (done = { ...done, ...okPacket.parse(row) }));
      });
      query.on('error', (error: unknown) => {
        failure ??= error;
      });
      query.on('end', () => (failure === undefined ? resolve(done) : reject(failure)));
    });
  }

  /** Sends a statement of ours without rows, with values that never become part of its text. */
  bind(sql: string, values: readonly (string | null)[]): Promise<void> {
    return this.#exclusive((resolve, reject) => {
      this.#raw.execute(sql, [...values], (error) => {
        this.#raw.unprepare(sql);
        if (error) reject(error);
        else resolve();
      });
    });
  }

  /** Has the server compile a statement, and discards the result. */
  compile(sql: string): Promise<void> {
    return this.#exclusive((resolve, reject) => {
      this.#raw.prepare(sql, (error, statement) => {
        if (error) return reject(error);
        statement.close();
        resolve();
      });
    });
  }

  /**
   * Clears transaction, settings, variables and locks, then applies the settings of the last read again: the next call
   * most likely wants the same and need not wait for them.
   */
  async reset(): Promise<void> {
    await this.#clear();
    if (this.#usual !== undefined) await this.#set(this.#usual);
  }

  /** Gives the session these settings and no others. `isUsual`: the next call probably wants the same. */
  async settle(settings: string, isUsual = false): Promise<void> {
    if (isUsual) this.#usual = settings;
    if (this.#settings === settings) return;
    if (this.#settings !== undefined) await this.#clear();
    await this.#set(settings);
  }

  async #set(settings: string): Promise<void> {
    await this.run(`SET ${settings}`);
    this.#settings = settings;
  }

  #clear(): Promise<void> {
    this.#settings = undefined;
    return this.#exclusive((resolve, reject) => {
      this.#raw.reset((error) => (error ? reject(error) : resolve()));
    });
  }

  /** Stops rows until `resume`: the server waits when its buffers are full. */
  pause(): void {
    this.#raw.pause();
  }

  resume(): void {
    if (!this.isBroken) this.#raw.resume();
  }

  /** Ends the connection at once, whatever the other side does. */
  cut(why?: unknown): void {
    this.#fail(why);
    this.#socket.destroy();
  }

  /** Closes the connection properly. */
  close(): void {
    if (!this.isBroken) this.#raw.end();
    this.#fail(undefined);
    this.#socket.destroySoon();
  }

  #exclusive<T>(start: (resolve: (value: T) => void, reject: (error: unknown) => void) => void): Promise<T> {
    if (this.isBroken) return Promise.reject(this.#failure);
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const running = { reject };
    this.#running = running;
    start(resolve, reject);
    return promise.finally(() => {
      if (this.#running === running) this.#running = undefined;
    });
  }

  #fail(cause: unknown): void {
    // An error with our own message ends the statement; it does not mean a lost connection.
    this.#failure ??= cause instanceof AppError ? cause : new ConnectionLost(cause);
    this.#running?.reject(this.#failure);
  }
}

/** Our own socket, so that it can be cut while TLS or the driver waits for the other side. */
function openSocket({ host, port, options }: ServerTarget): Socket {
  const path = socketPathOf(host, options);
  if (path !== undefined) return connect({ path });
  const socket = connect({ host: host.replace(/^\[(.*)\]$/, '$1'), port });
  socket.setNoDelay(true);
  socket.setKeepAlive(true, KEEP_ALIVE_AFTER_MS);
  return socket;
}

function socketPathOf(host: string, options: ServerTarget['options']): string | undefined {
  if (host.startsWith('/')) return host;
  const named = [options['socket'], options['socketPath'], options['unix_socket'], options['unixSocket']];
  return named.find((path) => typeof path === 'string' && path !== '')?.toString();
}

function connectTimeoutMs({ options }: ServerTarget): number {
  // The first is the name in JavaScript drivers; the second is in seconds everywhere.
  const wanted = Number(options['connectTimeout'] ?? Number(options['connect_timeout']) * 1_000);
  return wanted > 0 && wanted < CONNECT_TIMEOUT_MS ? wanted : CONNECT_TIMEOUT_MS;
}

function optionsOf(target: ServerTarget, ssl: Encryption): ConnectionOptions {
  const { host, user, password, database, options } = target;
  const isSafe = ssl !== undefined || socketPathOf(host, options) !== undefined;
  return {
    ...(ssl === undefined ? {} : { ssl }),
    ...(mayGoInClear(target, isSafe) ? {} : { authPlugins: WITHOUT_CLEAR_TEXT }),
    // For the name in the server's certificate.
    host,
    user,
    password: password?.open() ?? '',
    ...(database === '' ? {} : { database }),
    charset: 'UTF8MB4_UNICODE_CI',
    // Rows as the server's text: nothing is rounded, shifted or merged on the way.
    rowsAsArray: true,
    typeCast: false,
    multipleStatements: false,
    // Counts changed rows instead of matched ones; never sends a local file; reads function calls in the usual way.
    flags: ['-FOUND_ROWS', '-LOCAL_FILES', '-IGNORE_SPACE'],
    // Our own timeout covers the whole connecting.
    connectTimeout: 0,
    connectAttributes: { program_name: 'DevDB' },
    ...(options['enableCleartextPlugin'] === true ? { enableCleartextPlugin: true } : {}),
  };
}

interface ServerFacts {
  readonly version: ServerVersion;
  readonly database: string;
  readonly namesAreExact: boolean;
  readonly hasForeignEngines: boolean;
}

async function readFacts(connection: ServerConnection): Promise<ServerFacts> {
  const [version = '', comment = '', folding = '', database = ''] = await firstRow(
    connection,
    'SELECT VERSION(), @@version_comment, @@lower_case_table_names, DATABASE()',
  );
  const engines: string[] = [];
  await connection.run('SHOW ENGINES', {
    row: ([name, support]) => {
      if (support?.toString('latin1') !== 'NO') engines.push(name?.toString('latin1') ?? '');
    },
  });
  return {
    version: versionOf(version, comment),
    database,
    namesAreExact: folding === '0',
    hasForeignEngines: !engines.every(isLocalEngine),
  };
}

async function firstRow(connection: ServerConnection, sql: string): Promise<string[]> {
  let found: string[] = [];
  await connection.run(sql, {
    row: (cells) => {
      found = cells.map((cell) => cell?.toString('utf8') ?? '');
    },
  });
  return found;
}
