import { randomUUID } from 'node:crypto';
import { AppError } from '@devdb/shared/errors';
import { ASK_TIMEOUT_MS, GATE_GRACE_MS, MAX_QUERY_TIMEOUT_MS } from '@devdb/shared/limits';
import { closeResult, type ResultOutcome, runForPerson } from '@devdb/shared/protocol/result-methods';
import type { SidecarClient } from '../../sidecar/sidecar-client.ts';
import type { RowFilter, ShownResult, TableOrder } from './page-messages.ts';

/** Longer than the gate's own deadline, which is the one that counts. */
export const RUN_LIMIT_MS = MAX_QUERY_TIMEOUT_MS + ASK_TIMEOUT_MS + GATE_GRACE_MS;
const CLOSE_LIMIT_MS = 10_000;

/** A statement to run, and where. */
export interface Runnable {
  readonly root: string;
  readonly connection: string | undefined;
  readonly query: string;
  /** It goes into the history. */
  readonly keep?: boolean;
  /** It reads the first rows of a table. */
  readonly table?: TableRows;
}

/** What the database does with a table before it gives rows: all of it is sorted and filtered. */
export interface TableReading {
  readonly order?: TableOrder | undefined;
  readonly filter?: TableFilter | undefined;
}

export interface TableFilter {
  /** By the columns of the result that it was asked for. */
  readonly filters: readonly RowFilter[];
  /** The same in the database's dialect. */
  readonly condition: string;
}

/** How a statement reads a table, and how many rows at most. */
export interface TableRows extends TableReading {
  readonly mostRows: number;
}

/** A run in the place of another one of the same rows, which were edited or are read anew. */
export interface Successor {
  readonly replaces: string;
  /** What was done. */
  readonly note?: string;
}

/** Hears that something about a run has changed: `isMoreRows` where it is only that more rows have come. */
type Changed = (isMoreRows: boolean) => void;

/** One statement that a person runs, with its result in the sidecar. */
export class PersonRun {
  readonly id = randomUUID();
  readonly runnable: Runnable;
  readonly client: SidecarClient;
  readonly #changed: Changed;
  readonly #cancel = new AbortController();
  readonly #successor: Successor | undefined;
  #first: string | undefined;
  #isStopped = false;
  #database: string | undefined;
  #shown: Omit<ShownResult, 'id' | 'statement' | 'replaces' | 'table'> = {
    state: 'waiting',
    columns: [],
    rows: 0,
    note: '',
  };

  constructor(client: SidecarClient, runnable: Runnable, changed: Changed, successor?: Successor) {
    this.client = client;
    this.runnable = runnable;
    this.#changed = changed;
    this.#successor = successor;
  }

  /** The name of its database, once that has answered. */
  get database(): string | undefined {
    return this.#database;
  }

  /** All rows of the statement are there. */
  get isComplete(): boolean {
    return this.#shown.state === 'done' && !this.#isStopped;
  }

  get shown(): ShownResult {
    const { query, table } = this.runnable;
    const { rows } = this.#shown;
    return {
      id: this.id,
      statement: query,
      replaces: this.#successor?.replaces,
      // Exactly as many rows as were asked for may be all there are: only the database knows.
      table: table && {
        isWhole: this.isComplete && rows < table.mostRows,
        order: table.order,
        filters: table.filter?.filters ?? [],
      },
      ...this.#shown,
    };
  }

  /** Runs it to its end; undefined when it succeeded, else what went wrong. */
  async run(): Promise<AppError | undefined> {
    const { root, connection, query, keep = false } = this.runnable;
    const began = performance.now();
    this.#show({ state: 'running', note: 'Running' });
    const unhear = this.client.hearRows(this.id, ({ rows, columns, first }) => {
      this.#first = first ?? this.#first;
      this.#show({ rows, columns }, this.#shown.rows > 0);
    });
    try {
      const params = { result: this.id, root, query, keep, ...(connection === undefined ? {} : { connection }) };
      const options = { signal: this.#cancel.signal, timeoutMs: RUN_LIMIT_MS };
      const outcome = await this.client.call(runForPerson, params, options);
      const { rows, columns } = outcome;
      this.#database = outcome.database;
      this.#isStopped = outcome.stopped !== undefined;
      this.#show({ state: 'done', rows, columns, note: this.#noteOf(outcome, performance.now() - began) });
      return undefined;
    } catch (error) {
      const told = error instanceof AppError ? error : new AppError('E_INTERNAL', String(error));
      this.#show({ state: told.code === 'E_CANCELLED' ? 'cancelled' : 'failed', note: sentencesOf(told) });
      return told;
    } finally {
      unhear();
    }
  }

  #noteOf(outcome: ResultOutcome, ms: number): string {
    const note = noteOf(outcome, ms);
    return this.#successor?.note === undefined ? note : `${this.#successor.note} · ${note}`;
  }

  /** The first rows as JSON, once, when they have come. */
  takeFirst(): string | undefined {
    const first = this.#first;
    this.#first = undefined;
    return first;
  }

  cancel(): void {
    this.#cancel.abort();
  }

  /** Another statement failed before it. */
  skip(): void {
    this.#show({ state: 'cancelled', note: 'Not run: a statement before it failed.' });
  }

  /** Ends it and removes its rows. */
  async close(): Promise<void> {
    this.cancel();
    if (this.#shown.state === 'waiting' || this.client.closed) return;
    await this.client.call(closeResult, { result: this.id }, { timeoutMs: CLOSE_LIMIT_MS });
  }

  #show(change: Partial<typeof this.shown>, isMoreRows = false): void {
    this.#shown = { ...this.#shown, ...change };
    this.#changed(isMoreRows);
  }
}

function noteOf({ database, affectedRows, messages = [], stopped }: ResultOutcome, ms: number): string {
  const changed =
    affectedRows === undefined ? [] : [affectedRows === 1 ? '1 row changed' : `${affectedRows} rows changed`];
  const stop = { size: 'stopped at the most that is kept of a result', disk: 'stopped: the disk is full' } as const;
  const ended = stopped === undefined ? [] : [stop[stopped]];
  return [...changed, ...ended, database, `${(ms / 1000).toFixed(ms < 10_000 ? 2 : 0)} s`, ...messages].join(' · ');
}

function sentencesOf({ message, hint }: AppError): string {
  return hint === undefined ? message : `${message} ${hint}`;
}
