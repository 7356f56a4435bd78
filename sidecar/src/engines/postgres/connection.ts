import { EventEmitter } from 'node:events';
import { connect as connectSocket, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { stoppedBy } from '@devdb/shared/abort';
import pg from 'pg';
import * as z from 'zod';
import { ClearTextRefused, isClearTextRefusal, mayGoInClear } from '../clear-text.ts';
import type { EngineContext, ServerTarget } from '../engine.ts';
import { type HeldBytes, MessageHold } from '../held-bytes.ts';
import { CONNECT_TIMEOUT_MS, MAX_MESSAGE_CHARS, MAX_MESSAGES, SERVER_GOODBYE_MS } from '../limits.ts';
import { byFirstWay } from '../tls-options.ts';
import { connectionError, failureOf } from './errors.ts';
import { type Encryption, encryptionsOf } from './tls.ts';
import { limitMessages } from './wire/message-limit.ts';
import {
  type Before,
  type Completed,
  type Mode,
  type Parameter,
  type RowReceiver,
  StatementRun,
} from './wire/statement-run.ts';

const KEEP_ALIVE_AFTER_MS = 30_000;

/** The driver's data for a cancel request. */
const backendKey = z.object({ processID: z.number().nullable(), secretKey: z.number().nullable() });

/** One connection to the server, for one call at a time. */
export class ServerConnection {
  readonly #client: pg.Client;
  readonly #socket: Socket;
  readonly #target: ServerTarget;
  readonly #hold: MessageHold;
  readonly #notices: string[] = [];
  #stream: Duplex | undefined;
  #failure: Error | undefined;
  #running: StatementRun | undefined;
  #ended = false;
  #cutAt: number | undefined;
  #isSpent = false;

  private constructor(client: pg.Client, socket: Socket, target: ServerTarget, held: HeldBytes) {
    this.#client = client;
    this.#socket = socket;
    this.#target = target;
    this.#hold = new MessageHold(held);
    // The pool discards a connection that breaks while idle.
    client.on('error', (error) => {
      this.#failure ??= error;
    });
    client.on('end', () => {
      this.#ended = true;
    });
    client.on('notice', ({ severity, message }) => this.#note(`${severity ?? 'NOTICE'}: ${message ?? ''}`));
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
    const socket = new Socket();
    const client = new pg.Client({ ...addressOf(target), ssl, ...SESSION_OPTIONS, stream: () => socket });
    if (!mayGoInClear(target, ssl !== false)) refuseClearText(client, socket);
    const connection = new ServerConnection(client, socket, target, held);
    const cut = (): void => connection.cut();
    try {
      await stoppedBy(signal, cut, () => client.connect());
      return connection;
    } catch (error) {
      cut();
      throw error;
    }
  }

  /** For the query builder that asks the catalogue. */
  get client(): pg.Client {
    return this.#client;
  }

  get isBroken(): boolean {
    return this.#ended || this.#failure !== undefined;
  }

  /** The server's id of the process behind it. */
  get processId(): number | undefined {
    return backendKey.parse(this.#client).processID ?? undefined;
  }

  /** When it was cut, on the clock of `performance.now()`. */
  get cutAt(): number | undefined {
    return this.#cutAt;
  }

  /** Whether a transaction is open, according to the server. */
  get inTransaction(): boolean {
    return this.#client.getTransactionStatus() === 'T';
  }

  /** The server's notices since the last call. */
  takeNotices(): string[] {
    return this.#notices.splice(0);
  }

  /** Whether a statement is still unanswered. */
  get isBusy(): boolean {
    return this.#running?.isSettled === false;
  }

  /** Fails with NotRunAsJudged where what comes `before` it does. */
  run(
    text: string,
    mode: Mode,
    receiver: RowReceiver = {},
    parameters: readonly Parameter[] = [],
    before: Before = {},
  ): Promise<Completed> {
    const run = new StatementRun(text, mode, receiver, (stream) => this.#adopt(stream), parameters, before);
    this.#client.query(run);
    this.#running = run;
    return run.done;
  }

  /** Stops rows until `resume`: the server waits when its buffers are full. */
  pause(): void {
    this.#stream?.pause();
  }

  resume(): void {
    this.#stream?.resume();
  }

  /** It ran something whose traces in the session no reset clears: it is not used again. */
  markSpent(): void {
    this.#isSpent = true;
  }

  /** Restores its initial state: no transaction, no settings, no locks, nothing prepared. */
  async reset(): Promise<void> {
    if (this.#isSpent) return this.close();
    if (this.#client.getTransactionStatus() !== 'I') await this.run('ROLLBACK', 'script');
    await this.run('DISCARD ALL', 'script');
    this.#notices.length = 0;
  }

  /** Stops the running statement on the server, then this connection: a late cancel must not hit another statement. */
  async cancel(): Promise<void> {
    this.cut();
    const { processID, secretKey } = backendKey.parse(this.#client);
    if (processID !== null && secretKey !== null) await sendCancel(this.#target, processID, secretKey);
  }

  /** Closes the connection properly; cuts it if that takes too long. */
  async close(): Promise<void> {
    if (this.#ended) return;
    const late = Promise.withResolvers<void>();
    const tooLong = setTimeout(() => {
      this.cut();
      late.resolve();
    }, SERVER_GOODBYE_MS);
    await Promise.race([this.#client.end(), late.promise]);
    clearTimeout(tooLong);
  }

  /** Ends it at once, whatever the other side does. */
  cut(): void {
    this.#failure ??= new Error('The connection was cut.');
    this.#cutAt ??= performance.now();
    this.#socket.destroy();
  }

  #adopt(stream: Duplex): void {
    if (this.#stream === stream) return;
    this.#stream = stream;
    limitMessages(stream, this.#hold);
  }

  #note(text: string): void {
    if (this.#notices.length < MAX_MESSAGES) this.#notices.push(text.slice(0, MAX_MESSAGE_CHARS));
  }
}

const SESSION_OPTIONS = {
  fallback_application_name: 'DevDB',
  connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  keepAlive: true,
  keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
  types: { getTypeParser: () => String },
} as const;

/**
 * Ends the connection as soon as the server asks for the password itself: our handler runs before the driver, which
 * would send it. Also when another request came first: by then the driver has the password.
 */
function refuseClearText(client: pg.Client, socket: Socket): void {
  const connection: unknown = Reflect.get(client, 'connection');
  if (!(connection instanceof EventEmitter)) throw new Error('The Postgres driver has no connection to listen to.');
  connection.on('authenticationCleartextPassword', () => socket.destroy(new ClearTextRefused()));
}

function addressOf({ host, port, user, password, database, options }: ServerTarget): pg.ClientConfig {
  const { application_name: name, options: startup, connect_timeout: seconds } = options;
  const timeoutMs = Number(seconds) * 1_000;
  return {
    host,
    port,
    ...(user === '' ? {} : { user }),
    // By default Postgres takes the user's name as the database's.
    ...(database === '' ? {} : { database }),
    // A function, because without a password the driver would search the environment and files for one.
    password: () => password?.open() ?? '',
    ...(typeof name === 'string' ? { application_name: name } : {}),
    ...(typeof startup === 'string' ? { options: startup } : {}),
    ...(timeoutMs > 0 && timeoutMs < CONNECT_TIMEOUT_MS ? { connectionTimeoutMillis: timeoutMs } : {}),
  };
}

function isAboutEncryption(error: unknown): boolean {
  if (isClearTextRefusal(error)) return true;
  const { code, message } = failureOf(error);
  return code === '28000' || /does not support SSL/.test(message);
}

/** The server accepts a cancel request before authentication: it needs no password, no TLS, no free connection. */
function sendCancel({ host, port }: ServerTarget, processId: number, secretKey: number): Promise<void> {
  const message = Buffer.alloc(16);
  message.writeInt32BE(16, 0);
  message.writeInt16BE(1234, 4);
  message.writeInt16BE(5678, 6);
  message.writeInt32BE(processId, 8);
  message.writeInt32BE(secretKey, 12);
  return new Promise((resolve) => {
    const socket = host.startsWith('/') ? connectSocket(`${host}/.s.PGSQL.${port}`) : connectSocket(port, host);
    socket.setTimeout(SERVER_GOODBYE_MS, () => socket.destroy());
    // A server that is gone runs nothing.
    socket.on('error', () => socket.destroy());
    socket.on('close', () => resolve());
    socket.end(message);
  });
}
