import { Connection, type ConnectionConfiguration, Request, TYPES } from 'tedious';
import { type HeldBytes, MessageHold } from '../held-bytes.ts';
import { MAX_MESSAGE_CHARS, MAX_MESSAGES, SERVER_GOODBYE_MS } from '../limits.ts';
import type { DriverValue } from '../values.ts';
import { type DriverColumn, type ResultColumn, readColumn } from './columns.ts';
import { ConnectionLost, connectionError, isAboutStatement } from './errors.ts';
import { RawValues } from './wire/raw-values.ts';

/** Takes a statement's results as they arrive. */
export interface Receiver {
  /** A result begins. */
  columns?(columns: readonly ResultColumn[]): void;
  row?(values: DriverValue[]): void;
}

export interface Completed {
  /** The last reported number of rows, read or changed. */
  readonly count: number | undefined;
}

/** A value for `@name`, of one of the driver's types. */
export interface Parameter {
  readonly name: string;
  readonly type: (typeof TYPES)[keyof typeof TYPES];
  readonly value: unknown;
  readonly options?: { readonly precision: number; readonly scale: number } | undefined;
}

/** The server's messages about the session itself, which come with every new connection. */
const SESSION_NOTES: ReadonlySet<number> = new Set([5701, 5703]);

/** The driver's connection, with results whose values lose nothing. */
class LosslessConnection extends Connection {
  /** Until the login is over, messages contain no results. */
  lossless = false;
  #answer: RawValues | undefined;
  #isUnwanted = false;
  readonly #hold: MessageHold;

  constructor(configuration: ConnectionConfiguration, held: HeldBytes) {
    super(configuration);
    const hold = new MessageHold(held);
    this.#hold = hold;
    this.on('end', () => hold.end());
  }

  /**
   * A statement is about to be sent: the next message is its answer, and one after that confirms that it was stopped.
   */
  expectAnswer(): void {
    this.#answer = undefined;
    this.#isUnwanted = false;
  }

  /** Discards the rest of the answer unread. The server's confirmation of the stop comes after it. */
  dropAnswer(): void {
    // A stop sent before the statement is answered like the statement itself.
    if (!this.attentionSent) return;
    this.#isUnwanted = true;
    this.#answer?.discardRest();
  }

  override createTokenStreamParser(...[message, handler]: Parameters<Connection['createTokenStreamParser']>) {
    if (!this.lossless) return super.createTokenStreamParser(message, handler);
    const values = new RawValues(message, this.#hold);
    if (this.#answer === undefined) {
      this.#answer = values;
      if (this.#isUnwanted) values.discardRest();
    }
    return super.createTokenStreamParser(message.pipe(values), handler);
  }
}

/** One connection to the server, for a single call; it is never reused for another. */
export class ServerConnection {
  readonly #driver: LosslessConnection;
  readonly #messages: string[] = [];
  readonly #ended = Promise.withResolvers<void>();
  #request: Request | undefined;
  #isBroken = false;
  #isStopped = false;
  readonly #late = Promise.withResolvers<void>();
  #patience: NodeJS.Timeout | undefined;
  #stoppedAt: number | undefined;
  #cutBusyAt: number | undefined;
  #sessionId: number | undefined;

  private constructor(driver: LosslessConnection) {
    this.#driver = driver;
    // A running statement reports its own failure.
    driver.on('error', () => {
      this.#isBroken = true;
    });
    driver.on('end', () => {
      this.#isBroken = true;
      this.#ended.resolve();
    });
    driver.on('infoMessage', ({ number, message }) => {
      if (!SESSION_NOTES.has(number)) this.#note(message);
    });
  }

  /** Connects and logs in. Rejects with an explained error, or with the signal's reason. */
  static open(configuration: ConnectionConfiguration, held: HeldBytes, signal: AbortSignal): Promise<ServerConnection> {
    signal.throwIfAborted();
    const driver = new LosslessConnection(configuration, held);
    const connection = new ServerConnection(driver);
    let loginNumber: number | undefined;
    const onRefusal = ({ number }: { readonly number: number }): void => {
      loginNumber ??= number;
    };
    const onAbort = (): void => driver.close();
    driver.on('errorMessage', onRefusal);
    signal.addEventListener('abort', onAbort, { once: true });
    return new Promise((resolve, reject) => {
      driver.connect((error) => {
        signal.removeEventListener('abort', onAbort);
        driver.off('errorMessage', onRefusal);
        if (signal.aborted) {
          driver.close();
          reject(signal.reason);
        } else if (error !== undefined) {
          reject(connectionError(error, loginNumber));
        } else {
          driver.lossless = true;
          resolve(connection);
        }
      });
    });
  }

  get isBroken(): boolean {
    return this.#isBroken;
  }

  /** Whether a statement is still unanswered. */
  get isBusy(): boolean {
    return this.#request !== undefined;
  }

  /** The server's id of the session, once it has been prepared. */
  get sessionId(): number | undefined {
    return this.#sessionId;
  }

  /** How long ago the server was asked to stop the running statement. */
  get stoppedMs(): number {
    return this.#stoppedAt === undefined ? 0 : performance.now() - this.#stoppedAt;
  }

  /** When it was cut during an unanswered statement, on the clock of `performance.now()`. */
  get cutBusyAt(): number | undefined {
    return this.#cutBusyAt;
  }

  /** The server's messages since the last call. */
  takeMessages(): string[] {
    return this.#messages.splice(0);
  }

  /** Applies the settings a call starts with. The server's messages about them are dropped. */
  async prepare(settings: string): Promise<void> {
    await this.run(`${settings}; SELECT @@SPID`, {
      row: ([id]) => {
        this.#sessionId = typeof id === 'number' ? id : undefined;
      },
    });
    this.takeMessages();
  }

  /** Sends a text as one batch, exactly as it is. */
  run(sql: string, receiver: Receiver = {}): Promise<Completed> {
    return this.#send(sql, receiver, (request) => this.#driver.execSqlBatch(request));
  }

  /** Sends a query of ours with values bound to its parameters. */
  ask(sql: string, parameters: Readonly<Record<string, string>>, receiver: Receiver): Promise<Completed> {
    const all = Object.entries(parameters).map(([name, value]) => ({ name, type: TYPES.NVarChar, value }));
    return this.runWith(sql, all, receiver);
  }

  /** Sends a statement with bound values (sp_executesql): they never become part of its text. */
  runWith(sql: string, parameters: readonly Parameter[], receiver: Receiver = {}): Promise<Completed> {
    return this.#send(sql, receiver, (request) => {
      for (const { name, type, value, options } of parameters) request.addParameter(name, type, value, options);
      this.#driver.execSql(request);
    });
  }

  /** Stops rows until `resume`: the server waits when its buffers are full. */
  pause(): void {
    this.#request?.pause();
  }

  resume(): void {
    this.#request?.resume();
  }

  /** Asks the server to stop the running statement, which then ends with the driver's own error. */
  cancel(): void {
    if (this.#request === undefined || this.#isBroken) return;
    this.#stoppedAt ??= performance.now();
    this.#request.cancel();
    this.#driver.dropAnswer();
    this.#patience ??= setTimeout(() => this.#late.resolve(), SERVER_GOODBYE_MS);
  }

  /** Resolves when the server has not confirmed a stop in time. */
  get stopIsLate(): Promise<void> {
    return this.#late.promise;
  }

  /**
   * Stops the statement, then closes the connection, on which nothing more is sent. If the stop is not confirmed in
   * time the connection stays open: the confirmation is how the server shows that the statement is over.
   */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.cancel();
    await Promise.race([this.#idle(), this.stopIsLate]);
    if (!this.isBusy) await this.close();
  }

  /** No client can reliably clear what a session leaves behind, so each call gets a new one. */
  reset(): Promise<void> {
    return this.close();
  }

  /** Closes the connection; the server rolls back what was not committed. */
  close(): Promise<void> {
    this.cut();
    return this.#ended.promise;
  }

  cut(): void {
    this.#isStopped = true;
    if (this.isBusy && !this.#isBroken) this.#cutBusyAt = performance.now();
    this.#isBroken = true;
    clearTimeout(this.#patience);
    this.#driver.close();
  }

  /** Resolves when nothing is running: the server answered, or the driver gave up. */
  async #idle(): Promise<void> {
    const request = this.#request;
    if (request === undefined || this.#isBroken) return;
    const done = Promise.withResolvers<void>();
    request.once('requestCompleted', () => done.resolve());
    await Promise.race([done.promise, this.#ended.promise]);
  }

  #send(sql: string, receiver: Receiver, start: (request: Request) => void): Promise<Completed> {
    if (this.#isStopped) {
      return Promise.reject(new ConnectionLost(new Error('The call was stopped before this was sent.')));
    }
    return new Promise((resolve, reject) => {
      let count: number | undefined;
      const request = new Request(sql, (error) => {
        if (this.#request === request) this.#settled();
        if (error === null || error === undefined) resolve({ count });
        else reject(isAboutStatement(error) ? error : new ConnectionLost(error));
      });
      const onDone = (rows: number | undefined): void => {
        count = rows ?? count;
      };
      request.on('done', onDone);
      request.on('doneInProc', onDone);
      receive(request, receiver);
      this.#request = request;
      this.#driver.expectAnswer();
      start(request);
    });
  }

  #settled(): void {
    this.#request = undefined;
    clearTimeout(this.#patience);
    this.#patience = undefined;
  }

  #note(text: string): void {
    if (this.#messages.length < MAX_MESSAGES) this.#messages.push(text.slice(0, MAX_MESSAGE_CHARS));
  }
}

function receive(request: Request, receiver: Receiver): void {
  let columns: readonly ResultColumn[] = [];
  request.on('columnMetadata', (described) => {
    if (!Array.isArray(described)) throw new Error('The driver named columns twice.');
    columns = described.map((column: DriverColumn) => readColumn(column));
    receiver.columns?.(columns);
  });
  const { row: take } = receiver;
  if (take === undefined) return;
  request.on('row', (cells: readonly { readonly value: unknown }[]) => {
    const values = new Array<DriverValue>(columns.length);
    for (let i = 0; i < columns.length; i += 1) values[i] = columns[i]?.read(cells[i]?.value) ?? null;
    receiver.row?.(values);
  });
}
