import type { Duplex } from 'node:stream';
import type { Connection, Submittable } from 'pg';
import type { DatabaseError } from 'pg-protocol';
import { COMMITTED } from '../reach-query.ts';

/** A column of a result, as the server describes it. */
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

/** How a text is sent: `script` may hold several statements, the other two hold one and no more. */
export type Mode = 'script' | 'statement' | 'compile';

/** A value for `$1`, `$2`, ... as the server's own text. */
export interface Parameter {
  /** The number of its type; 0 leaves it to the server to find one that fits. */
  readonly type: number;
  readonly text: string | null;
}

/** Somebody has committed since a statement was judged, and it was not run. */
export class CommittedMeanwhile extends Error {}

/** Beside the statement: a name of its own, so that what was judged is what runs. */
const JUDGED = 'devdb_judged';

/** Divides by zero when somebody has committed. It names no operator that a search path could replace. */
function unchangedQuery(committed: string): string {
  return `SELECT 1 OPERATOR(pg_catalog./) CASE WHEN ${COMMITTED} OPERATOR(pg_catalog.=) '${committed}' THEN 1 ELSE 0 END`;
}

const DIVISION_BY_ZERO = '22012';

/**
 * One exchange with the server, straight on the driver's connection: rows are handed on as they come, as the text that
 * the server sent, and nothing is kept. The driver calls the `handle...` methods.
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
  /** The state of the database that it may run in, until the server has said that it is still so. */
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
    // The driver writes each as a number, whatever it is declared as.
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
   * The statement is compiled by now, which has resolved its names and locked its relations. Where nobody has committed
   * since the judgement, those are the very ones that were judged, and the locks keep them so until it has run. An error
   * here makes the server skip all that follows.
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

  /** Rows of a portal that was asked for in parts, which never happens here. */
  handlePortalSuspended(): void {
    this.handleError(new Error('The server suspended a statement that was to run to its end.'));
  }

  /** COPY is refused before it is sent; should it come in a disguise, it gets no data. */
  handleCopyInResponse(connection: Connection & { sendCopyFail(message: string): void }): void {
    connection.sendCopyFail('DevDB sends no data to COPY');
  }

  handleCopyData(): void {
    this.#completed = { command: 'COPY', count: undefined };
  }
}
