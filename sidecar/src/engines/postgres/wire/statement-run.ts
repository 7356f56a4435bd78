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

/** What the server does first, in the same exchange; where it fails, the statement is not run. */
export interface Before {
  /** Opens a read-only transaction. */
  readonly opening?: readonly string[];
  /** The state of the database in which the statement was judged. */
  readonly wanted?: string | undefined;
  /** From here on the statement may have run. */
  readonly opened?: () => void;
}

/** Somebody has committed since the statement was judged, or its transaction was not opened: it was not run. */
export class NotRunAsJudged extends Error {}

/** The judged statement has its own name, so that exactly what was judged is run. */
const JUDGED = 'devdb_judged';

/** In case something between us and the server has swallowed the opening. */
const IS_READ_ONLY = "pg_catalog.current_setting('transaction_read_only') OPERATOR(pg_catalog.=) 'on'";

/** Divides by zero when somebody has committed. It uses no operator that a search path could replace. */
function unchangedQuery(committed: string, isOpened: boolean): string {
  const isFine = `${COMMITTED} OPERATOR(pg_catalog.=) '${committed}'${isOpened ? ` AND ${IS_READ_ONLY}` : ''}`;
  return `SELECT 1 OPERATOR(pg_catalog./) CASE WHEN ${isFine} THEN 1 ELSE 0 END`;
}

const DIVISION_BY_ZERO = '22012';
const SQLSTATE_LENGTH = 5;

/** An error here makes the server skip everything that follows. */
function askFirst(connection: Connection, text: string): void {
  connection.parse({ text, name: '', types: [] }, true);
  connection.bind({ values: [] }, true);
  connection.execute({}, true);
}

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
  readonly #before: Before;
  /** Answers that come before the statement's own. */
  #ahead: number;

  constructor(
    text: string,
    mode: Mode,
    receiver: RowReceiver,
    onStream: (stream: Duplex) => void,
    parameters: readonly Parameter[],
    before: Before,
  ) {
    this.#before = before;
    this.#ahead = (before.opening?.length ?? 0) + (before.wanted === undefined ? 0 : 1);
    this.#parameters = parameters;
    this.#text = text;
    this.#mode = mode;
    this.#receiver = receiver;
    this.#onStream = onStream;
    this.done = this.#settle.promise;
  }

  submit(connection: Connection): void {
    this.#onStream(connection.stream);
    const { wanted, opening = [] } = this.#before;
    if (opening.length === 0) this.#before.opened?.();
    if (this.#mode === 'script') {
      connection.query(this.#text);
      return;
    }
    connection.stream.cork();
    // The driver writes each as a number, whatever its declared type.
    const types = this.#parameters.map(({ type }) => String(type));
    const name = wanted === undefined ? '' : JUDGED;
    for (const text of opening) askFirst(connection, text);
    if (name !== '') connection.close({ type: 'S', name }, true);
    connection.parse({ text: this.#text, name, types }, true);
    // It has been compiled by now, which has resolved its names and locked its relations. If no other transaction has
    // committed since the judgement, those are exactly the ones judged, and the locks keep them so until it has run.
    if (wanted !== undefined) askFirst(connection, unchangedQuery(wanted, opening.length > 0));
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

  handleRowDescription(message: { readonly fields: readonly Field[] }): void {
    this.#receiver.columns?.(message.fields);
  }

  handleDataRow(message: { readonly fields: readonly (string | null)[] }): void {
    if (this.#ahead === 0) this.#receiver.row?.(message.fields);
  }

  handleCommandComplete(message: { readonly text: string }): void {
    if (this.#ahead > 0) {
      this.#ahead -= 1;
      if (this.#ahead === 1 && this.#before.opening !== undefined) this.#before.opened?.();
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
    this.#settle.reject(this.#isAhead(error) ? new NotRunAsJudged('It was not run.', { cause: error }) : error);
  }

  /** Whether what comes before the statement has failed, with the server still there. */
  #isAhead(error: DatabaseError | Error): boolean {
    if (!('code' in error) || error.code?.length !== SQLSTATE_LENGTH) return false;
    return this.#ahead > 1 || (this.#ahead === 1 && error.code === DIVISION_BY_ZERO);
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
