import { ROWS_NEWS_MS } from './limits.ts';

export interface RowsNewsParts {
  /** Brings the first rows along. */
  readonly first: () => Promise<void>;
  readonly more: () => void;
}

/** Tells that there are more rows: the first ones at once, later ones now and then. */
export class RowsNews {
  readonly #parts: RowsNewsParts;
  /** Resolves when the first rows are sent, or cannot be. */
  #first: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isDue = false;

  constructor(parts: RowsNewsParts) {
    this.#parts = parts;
  }

  /** A result may have its columns before it has rows. */
  changed(hasRows: boolean): void {
    if (this.#first === undefined && hasRows) {
      // A result that is closed meanwhile has nobody to tell; whoever asks for its rows hears what is wrong with them.
      this.#first = this.#parts.first().catch(() => undefined);
      this.#timer ??= setTimeout(() => this.#pass(), ROWS_NEWS_MS);
      return;
    }
    this.#isDue = true;
    if (this.#timer === undefined) this.#pass();
  }

  /** No more rows come: reports what is still unreported. */
  async end(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#first;
    if (this.#isDue) this.#parts.more();
    this.#isDue = false;
  }

  #pass(): void {
    this.#timer = undefined;
    if (!this.#isDue) return;
    this.#isDue = false;
    this.#parts.more();
    this.#timer = setTimeout(() => this.#pass(), ROWS_NEWS_MS);
  }
}
