import { ROWS_NEWS_MS } from './limits.ts';

/** Tells that there are more rows: the first ones at once, later ones now and then. */
export class RowsNews {
  readonly #tell: () => void;
  #timer: NodeJS.Timeout | undefined;
  #isDue = false;

  constructor(tell: () => void) {
    this.#tell = tell;
  }

  changed(): void {
    this.#isDue = true;
    if (this.#timer === undefined) this.#pass();
  }

  /** No more rows come: reports what is still unreported. */
  end(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#isDue) this.#tell();
    this.#isDue = false;
  }

  #pass(): void {
    this.#timer = undefined;
    if (!this.#isDue) return;
    this.#isDue = false;
    this.#tell();
    this.#timer = setTimeout(() => this.#pass(), ROWS_NEWS_MS);
  }
}
