import type { Caps, RowSet } from '../engine.ts';
import { RowSetBuilder } from '../row-set.ts';
import type { DriverValue } from '../values.ts';
import type { ResultColumn } from './columns.ts';
import type { Receiver } from './connection.ts';

/** Collects the rows of a statement's first result until a cap is reached; later results are only counted. */
export class CappedResult implements Receiver {
  readonly #builder: RowSetBuilder;
  readonly #onFull: () => void;
  #columns: RowSet['columns'] = [];
  #results = 0;
  #laterRows = 0;
  #isFull = false;

  constructor(caps: Caps, onFull: () => void) {
    this.#builder = new RowSetBuilder(caps);
    this.#onFull = onFull;
  }

  get isFull(): boolean {
    return this.#isFull;
  }

  columns(columns: readonly ResultColumn[]): void {
    this.#results += 1;
    if (this.#results === 1) this.#columns = columns.map(({ name, type }) => ({ name, type }));
  }

  row(values: DriverValue[]): void {
    if (this.#results > 1) this.#laterRows += 1;
    else if (!this.#isFull && !this.#builder.add(values)) {
      this.#isFull = true;
      this.#onFull();
    }
  }

  finish(messages: readonly string[], affectedRows?: number): RowSet {
    const all = this.#results > 1 ? [this.#aboutLater(), ...messages] : messages;
    return {
      ...this.#builder.finish(this.#columns),
      ...(affectedRows === undefined ? {} : { affectedRows }),
      ...(all.length === 0 ? {} : { messages: [...all] }),
    };
  }

  #aboutLater(): string {
    const { rowCount } = this.#builder;
    return `The statement gave ${this.#results} results; these are the rows of the first (${rowCount}), ${this.#laterRows} rows of the later ones are left out.`;
  }
}
