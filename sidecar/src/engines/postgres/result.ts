import type { Caps, RowSet } from '../engine.ts';
import { type ReadCell, readRow } from '../read-row.ts';
import { RowSetBuilder } from '../row-set.ts';
import { cellReader } from './values.ts';
import type { Field, RowReceiver } from './wire/statement-run.ts';

/** Collects the rows of a statement until a cap is reached. */
export class CappedResult implements RowReceiver {
  readonly #builder: RowSetBuilder;
  readonly #onFull: () => void;
  #readers: readonly ReadCell<string>[] = [];
  #full = false;
  fields: readonly Field[] = [];

  constructor(caps: Caps, onFull: () => void) {
    this.#builder = new RowSetBuilder(caps);
    this.#onFull = onFull;
  }

  columns(fields: readonly Field[]): void {
    this.fields = fields;
    this.#readers = fields.map(({ dataTypeID }) => cellReader(dataTypeID));
  }

  row(values: readonly (string | null)[]): void {
    if (this.#full || this.#builder.add(readRow(values, this.#readers))) return;
    this.#full = true;
    this.#onFull();
  }

  finish(columns: RowSet['columns'], extra: Pick<RowSet, 'affectedRows' | 'messages'>): RowSet {
    return { ...this.#builder.finish(columns), ...extra };
  }
}
