import type { Duplex } from 'node:stream';
import type { Connection, Submittable } from 'pg';
import type { DatabaseError } from 'pg-protocol';
import { COMMITTED } from '../reach-query.ts';

/** A result's column, as the server describes it. */
export interface Field {
  readonly name: string;
  readonly dataTypeID: number;
  readonly dataTypeModifier: number;
}

export interface RowReceiver {
  columns?(fields: readonly Field[]): void;
  row?(values: readonly (string | null)[]): void;
}

export interface Completed {
  /** `INSERT`, `CREATE TABLE`: the server's word for what it did. */
  readonly command: string;
  readonly count: number | undefined;
}

/** How a text is sent: `script` may contain several statements, the other two exactly one. */
export type Mode = 'script' | 'statement' | 'compile';

/** A value for `$1`, `$2`, ... as text in the server's format. */
export interface Parameter {
  /** The number of its type; 0 lets the server choose one. */
  readonly type: number;
  readonly text: string | null;
}

/** Somebody has committed since the statement was judged, so it was not run. */
export class CommittedMeanwhile extends Error {}

/** The judged statement has its own name, so that exactly what was judged is run. */
const JUDGED = 'devdb_judged';

/** Divides by zero when somebody has committed. It uses no operator that a search path could replace. */
function unchangedQuery(committed: string): string {
  return `SELECT 1 OPERATOR(pg_catalog./) CASE WHEN ${COMMITTED} OPERATOR(pg_catalog.=) '${committed}' THEN 1 ELSE 0 END`;
}

const DIVISION_BY_ZERO = '22012';

/**
 * One exchange with the server, directly on the driver's connection: rows are passed on as they arrive, as the server's
 * text, and not kept. The driver calls the `handle...` methods.
 */
export class StatementRun implements Submittable {
  readonly done: Promise<Completed>;
  isSettled = false;
  readonly #text: string;
  readonly #mode: Mode;
  readonly #receiver: RowReceiver;
  readonly #onStream: (stream: Duplex) => void;
  readonly #parameters: readonly Parameter[];
  readonly #settle = Promise.withResolvers<Completed>();
  #completed: Completed = { command: '', count: undefined };
  /** The database state in which it may run, until the server has confirmed that state. */
  #wanted: string | undefined;

  constructor(
    text: string,
    mode: Mode,
    receiver: RowReceiver,
    onStream: (stream: Duplex) => void,
    parameters: readonly Parameter[],
    wanted: string | undefined,
  ) {
    this.#wanted = wanted;
    this.#parameters = parameters;
    this.#text = text;
    this.#mode = mode;
    this.#receiver = receiver;
    this.#onStream = onStream;
    this.done = this.#settle.promise;
  }

  submit(connection: Connection): void {
    this.#onStream(connection.stream);
    if (this.#mode === 'script') {
      connection.query(this.#text);
      return;
    }
    connection.stream.cork();
    // The driver writes each as a number, whatever its declared type.
    const types = this.#parameters.map(({ type }) => String(type));
    const name = this.#wanted === undefined ? '' : JUDGED;
    if (name !== '') connection.close({ type: 'S', name }, true);
    connection.parse({ text: this.#text, name, types }, true);
    if (this.#wanted !== undefined) this.#askFirst(connection, this.#wanted);
    if (this.#mode === 'compile') {
      connection.describe({ type: 'S', name }, true);
    } else {
      connection.bind({ statement: name, values: this.#parameters.map(({ text }) => text) }, true);
      connection.describe({ type: 'P', name: '' }, true);
      connection.execute({}, true);
    }
    connection.sync();
    connection.stream.uncork();
  }

  /**
   * The statement has been compiled by now, which has resolved its names and locked its relations. If no other
   * transaction has committed since the judgement, those are exactly the ones judged, and the locks keep them so until it has run. An
   * error here makes the server skip everything that follows.
   */
  #askFirst(connection: Connection, committed: string): void {
    connection.parse({ text: unchangedQuery(committed), name: '', types: [] }, true);
    connection.bind({ values: [] }, true);
    connection.execute({}, true);
  }

  handleRowDescription(message: { readonly fields: readonly Field[] }): void {
    this.#receiver.columns?.(message.fields);
  }

  handleDataRow(message: { readonly fields: readonly (string | null)[] }): void {
    if (this.#wanted === undefined) this.#receiver.row?.(message.fields);
  }

  handleCommandComplete(message: { readonly text: string }): void {
    if (this.#wanted !== undefined) {
      this.#wanted = undefined;
      return;
    }
    const [, command = '', count] = /^(.*?)(?: \d+)??(?: (\d+))?$/s.exec(message.text) ?? [];
    this.#completed = { command, count: count === undefined ? undefined : Number(count) };
  }

  handleEmptyQuery(): void {
    this.#completed = { command: '', count: undefined };
  }

  handleReadyForQuery(): void {
    this.isSettled = true;
    this.#settle.resolve(this.#completed);
  }

  handleError(error: DatabaseError | Error): void {
    this.isSettled = true;
    const changed = this.#wanted !== undefined && 'code' in error && error.code === DIVISION_BY_ZERO;
    this.#settle.reject(
      changed ? new CommittedMeanwhile('Somebody has committed meanwhile.', { cause: error }) : error,
    );
  }

  /** Only for portals fetched in parts, which never happens here. */
  handlePortalSuspended(): void {
    this.handleError(new Error('The server suspended a statement that was to run to its end.'));
  }

  /** COPY is refused before it is sent; if it gets through in some other form, it receives no data. */
  handleCopyInResponse(connection: Connection & { sendCopyFail(message: string): void }): void {
    connection.sendCopyFail('DevDB sends no data to COPY');
  }

  handleCopyData(): void {
    this.#completed = { command: 'COPY', count: undefined };
  }
}
