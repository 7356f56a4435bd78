import { AppError } from '@devdb/shared/errors';
import type { ResultColumn, RowFilter, RowSort } from '@devdb/shared/protocol/result-methods';
import type { Cell } from '@devdb/shared/tools/database/fields';
import type { ExportFormat, ExportSink, RowSet } from '../engines/engine.ts';
import type { Literals } from '../engines/literals.ts';
import type { ResultSource } from '../engines/row-editing.ts';
import { cellsHead } from '../engines/row-lines.ts';
import { arrangeInThread } from './arrange-in-thread.ts';
import { cellsOf, rowCells, shownCell } from './cells.ts';
import { exportRows } from './export-rows.ts';
import { inOrder } from './in-order.ts';
import { MAX_PAGE_BYTES } from './limits.ts';
import { ResultEdits } from './result-edits.ts';
import { ResultFile, ResultStopped } from './result-file.ts';
import type { RowOrder } from './row-order.ts';

/** How a result is shown: in the order in which the rows came, or in another. */
interface Arrangement {
  readonly number: number;
  readonly order: RowOrder | undefined;
}

export interface PersonResultOptions {
  /** Where the rows are written; further files begin with this path. */
  readonly path: string;
  readonly maxBytes: number;
  /** Where the thread that sorts is. */
  readonly bundleDir: string;
  readonly onRows: () => void;
}

/** The rows of one statement that a person ran. */
export class PersonResult implements ExportSink {
  readonly #path: string;
  readonly #bundleDir: string;
  readonly #file: ResultFile;
  readonly #ended = new AbortController();
  /** Its rows as rows of a table. */
  readonly edits = new ResultEdits(this);
  #arrangement: Arrangement = { number: 0, order: undefined };
  #arranging: Promise<unknown> = Promise.resolve();
  #arrangements = 0;
  /** Ends the arrangement that was asked for last, when another one is. */
  #latest = new AbortController();
  #stopped: ResultStopped['why'] | undefined;
  #isComplete = false;
  #source: ResultSource | undefined;
  /** Settle when whoever reads all rows has stopped. */
  readonly #readers = new Map<Promise<void>, RowOrder | undefined>();

  private constructor(path: string, bundleDir: string, file: ResultFile) {
    this.#path = path;
    this.#bundleDir = bundleDir;
    this.#file = file;
  }

  static async create({ path, maxBytes, bundleDir, onRows }: PersonResultOptions): Promise<PersonResult> {
    return new PersonResult(path, bundleDir, await ResultFile.create(path, maxBytes, onRows));
  }

  /** Aborts when the result is closed: nothing may be written or read any more. */
  get closed(): AbortSignal {
    return this.#ended.signal;
  }

  get columns(): readonly ResultColumn[] {
    return this.#file.columns;
  }

  get rows(): number {
    return this.#file.rows;
  }

  /** How values are written in the dialect of its database. */
  get literals(): Literals {
    return this.source.session.literals;
  }

  /** What its rows come from. */
  get source(): ResultSource {
    if (this.#source === undefined) throw closedResult();
    return this.#source;
  }

  /** Why it does not have all rows of the statement, where it has not. */
  get stopped(): ResultStopped['why'] | undefined {
    return this.#stopped;
  }

  begin(source: ResultSource): void {
    this.#source = source;
  }

  async write(chunk: Buffer, rows: number): Promise<void> {
    this.closed.throwIfAborted();
    try {
      await this.#file.write(chunk, rows);
    } catch (error) {
      // The file may have been closed under a write.
      this.closed.throwIfAborted();
      if (error instanceof ResultStopped) this.#stopped = error.why;
      throw error;
    }
  }

  /** Takes the rows of a statement that are there already: those that a write returns. */
  async take({ columns, rows }: Pick<RowSet, 'columns' | 'rows'>): Promise<void> {
    if (columns.length === 0) return;
    const lines = rows.map((row) => `${JSON.stringify(row)}\n`).join('');
    await this.write(Buffer.from(cellsHead(columns) + lines), rows.length);
  }

  /** The statement has ended: no more rows come. */
  complete(): void {
    this.#isComplete = true;
  }

  /** A page as JSON: fewer rows than asked for where they are large, but never none. */
  async page(orderNumber: number, from: number, count: number, signal: AbortSignal): Promise<string> {
    const rows: string[] = [];
    let bytes = 0;
    for await (const { line } of this.lines(orderNumber, from, count, signal)) {
      const text = JSON.stringify(rowCells(line, this.columns.length).map(shownCell));
      rows.push(text);
      bytes += text.length + (line?.length ?? MAX_PAGE_BYTES) / 8;
      if (bytes > MAX_PAGE_BYTES) break;
    }
    return `[${rows.join(',')}]`;
  }

  /** The numbers that rows of an order have in the result as it came. */
  async places(orderNumber: number, from: number, count: number): Promise<number[]> {
    const { number, order } = this.#arrangement;
    if (number !== orderNumber) throw arrangedAnew();
    if (order !== undefined) return [...(await order.at(from, count))];
    return Array.from({ length: Math.max(0, Math.min(count, this.rows - from)) }, (_, at) => from + at);
  }

  /** The cells of one row. */
  async row(orderNumber: number, row: number, signal: AbortSignal): Promise<readonly Cell[]> {
    for await (const { line } of this.lines(orderNumber, row, 1, signal)) {
      const cells = cellsOf(line);
      if (cells === undefined) throw tooLong();
      return cells;
    }
    throw noRow(row);
  }

  /** A row as it came, whatever the order is. */
  async cellsInFile(row: number, signal: AbortSignal): Promise<readonly Cell[]> {
    for await (const [line] of this.#file.lines(row, 1, AbortSignal.any([signal, this.closed]))) {
      const cells = cellsOf(line);
      if (cells === undefined) throw tooLong();
      return cells;
    }
    throw noRow(row);
  }

  /** Rows as they stand in the file, in the order with this number. */
  async *lines(
    orderNumber: number,
    from: number,
    count: number,
    signal: AbortSignal,
  ): AsyncGenerator<{ readonly line: string | undefined }> {
    const { number, order } = this.#arrangement;
    if (number !== orderNumber) throw arrangedAnew();
    const both = AbortSignal.any([signal, this.closed]);
    if (order === undefined) {
      for await (const lines of this.#file.lines(from, count, both)) for (const line of lines) yield { line };
      return;
    }
    for (const row of await order.at(from, count)) {
      for await (const lines of this.#file.lines(row, 1, both)) yield { line: lines[0] };
    }
  }

  /** Every row of an order, as it stands in the file. The order is kept until then, also when another one comes. */
  async *all(orderNumber: number, signal: AbortSignal): AsyncGenerator<string | undefined> {
    const { number, order } = this.#arrangement;
    if (number !== orderNumber) throw arrangedAnew();
    const both = AbortSignal.any([signal, this.closed]);
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    this.#readers.set(ended, order);
    try {
      if (order === undefined) for await (const lines of this.#file.lines(0, this.rows, both)) yield* lines;
      else yield* inOrder(order, this.#file, both);
    } finally {
      this.#readers.delete(ended);
      end();
      if (order !== this.#arrangement.order) await this.#drop(order);
    }
  }

  exportTo(order: number, format: ExportFormat, sink: ExportSink, signal: AbortSignal): Promise<void> {
    return exportRows(this, order, format, sink, signal);
  }

  /** Sorts and filters; the latest one asked for holds, and ends those before it. */
  arrange(sort: RowSort | undefined, filters: readonly RowFilter[], signal: AbortSignal) {
    if (!this.#isComplete) {
      throw new AppError('E_NOT_SUPPORTED', 'A result is sorted and filtered when its statement has ended.', {
        hint: 'Wait for the last row, or cancel the statement to work with the rows so far.',
      });
    }
    this.#latest.abort(arrangedAnew());
    const latest = new AbortController();
    this.#latest = latest;
    const ended = AbortSignal.any([signal, this.closed, latest.signal]);
    const turn = this.#arranging.then(() => this.#arrange(sort, filters, ended));
    this.#arranging = turn.catch(() => undefined);
    return turn;
  }

  /** Ends what is being read and removes the files. */
  async close(): Promise<void> {
    this.#ended.abort(closedResult());
    await this.#arranging;
    await Promise.all(this.#readers.keys());
    await this.#arrangement.order?.remove();
    await this.#file.remove();
  }

  async #arrange(sort: RowSort | undefined, filters: readonly RowFilter[], signal: AbortSignal) {
    signal.throwIfAborted();
    this.#arrangements += 1;
    const number = this.#arrangements;
    const order = sort === undefined && filters.length === 0 ? undefined : await this.#order(sort, filters, signal);
    const before = this.#arrangement;
    this.#arrangement = { number, order };
    await this.#drop(before.order);
    return { order: number, rows: order === undefined ? this.rows : order.length };
  }

  /** Removes an order that is not on show any more, unless somebody reads it: the last reader does so then. */
  async #drop(order: RowOrder | undefined): Promise<void> {
    if (![...this.#readers.values()].includes(order)) await order?.remove();
  }

  #order(sort: RowSort | undefined, filters: readonly RowFilter[], signal: AbortSignal): Promise<RowOrder> {
    const { columns } = this;
    const orderPath = `${this.#path}.order-${this.#arrangements}`;
    const runsFolder = `${this.#path}.runs-${this.#arrangements}`;
    const request = { ...this.#file.span, columns, sort, filters, orderPath, runsFolder };
    return arrangeInThread(request, this.#bundleDir, signal);
  }
}

function noRow(row: number): AppError {
  return new AppError('E_INVALID_PARAMS', `The result has no row ${row + 1}.`);
}

function arrangedAnew(): AppError {
  return new AppError('E_INVALID_REFERENCE', 'The result has been sorted or filtered anew.', {
    hint: 'Read its rows again with the number of the new order.',
  });
}

/** The error of a row that cannot be held in memory. */
export function tooLong(): AppError {
  return new AppError('E_FILE_TOO_LARGE', 'This row is too long to show.', {
    hint: 'Select fewer columns, or export the rows to a file.',
  });
}

/** The error of everything that is asked of a closed result. */
export function closedResult(): AppError {
  return new AppError('E_CANCELLED', 'The result was closed.');
}
