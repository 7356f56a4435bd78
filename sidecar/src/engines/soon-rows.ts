import { ROWS_SOON_MS } from './limits.ts';

/**
 * Says when rows are passed on although their chunk is not full: the first one at once, then before their number has
 * doubled, and whenever a moment has passed. A person who waits for a slow statement sees what there is.
 */
export class SoonRows {
  readonly #now: () => number;
  #rows = 0;
  #nextRow = 1;
  #lastAt: number;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
    this.#lastAt = now();
  }

  /** A row was written: whether to pass on what there is. */
  isDue(): boolean {
    this.#rows += 1;
    const now = this.#now();
    if (this.#rows < this.#nextRow && now - this.#lastAt < ROWS_SOON_MS) return false;
    this.#nextRow = 2 * this.#rows;
    this.#lastAt = now;
    return true;
  }
}
