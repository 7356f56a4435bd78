import { MOST_PAGES, MOST_REQUESTS, PAGE_ROWS } from './limits.ts';

/** Reads some rows; fewer come where they are large, and none behind the last. */
export type ReadRows<Row> = (from: number, count: number) => Promise<readonly Row[]>;

/**
 * The rows that were read last, by pages. What is not there is asked for a few pages at a time, and always the pages
 * that are on show now: somebody who scrolls far sees the place where they stop, not all places before it.
 */
export class RowCache<Row> {
  readonly #read: ReadRows<Row>;
  readonly #onRows: () => void;
  readonly #onFailure: (error: unknown) => void;
  /** The one used last comes last. */
  readonly #pages = new Map<number, readonly Row[]>();
  readonly #asked = new Set<number>();
  /** Pages that lack rows by now: they are shown until they have been read again. */
  readonly #short = new Set<number>();
  #wanted: readonly number[] = [];
  #rows = 0;

  constructor(read: ReadRows<Row>, onRows: () => void, onFailure: (error: unknown) => void) {
    this.#read = read;
    this.#onRows = onRows;
    this.#onFailure = onFailure;
  }

  /** The first rows, where none are there yet. */
  begin(rows: readonly Row[]): void {
    if (this.#pages.has(0)) return;
    this.#pages.set(0, rows);
    if (rows.length < Math.min(this.#rows, PAGE_ROWS)) this.#short.add(0);
    this.#onRows();
  }

  /** How many rows there are now: a page that was not full is read again when it was the last one. */
  grow(rows: number): void {
    if (rows === this.#rows) return;
    this.#short.add(Math.floor(this.#rows / PAGE_ROWS));
    this.#rows = rows;
    this.#ask();
  }

  row(at: number): Row | undefined {
    return this.#pages.get(Math.floor(at / PAGE_ROWS))?.[at % PAGE_ROWS];
  }

  /** These rows are on show. */
  want(from: number, to: number): void {
    const [first, last] = [Math.floor(from / PAGE_ROWS), Math.floor(Math.max(from, to - 1) / PAGE_ROWS)];
    this.#wanted = Array.from({ length: last - first + 1 }, (_, at) => first + at);
    for (const page of this.#wanted) {
      const rows = this.#pages.get(page);
      if (rows === undefined) continue;
      this.#pages.delete(page);
      this.#pages.set(page, rows);
    }
    this.#ask();
  }

  #ask(): void {
    for (const page of this.#wanted) {
      if (this.#asked.size >= MOST_REQUESTS) return;
      const isWhole = this.#pages.has(page) && !this.#short.has(page);
      if (this.#asked.has(page) || isWhole || page * PAGE_ROWS >= this.#rows) continue;
      this.#asked.add(page);
      this.#load(page)
        .catch(this.#onFailure)
        .finally(() => {
          this.#asked.delete(page);
          this.#ask();
        });
    }
  }

  async #load(page: number): Promise<void> {
    const start = page * PAGE_ROWS;
    const known = this.#rows;
    const wanted = Math.min(PAGE_ROWS, known - start);
    const rows: Row[] = [];
    while (rows.length < wanted) {
      const more = await this.#read(start + rows.length, wanted - rows.length);
      if (more.length === 0) break;
      rows.push(...more);
    }
    this.#pages.set(page, rows);
    // The last page may have grown while it was read.
    if (rows.length === PAGE_ROWS || this.#rows === known) this.#short.delete(page);
    for (const [oldest] of this.#pages) {
      if (this.#pages.size <= MOST_PAGES) break;
      this.#pages.delete(oldest);
    }
    this.#onRows();
  }
}
