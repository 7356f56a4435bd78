import type { Caps, RowSet } from '../engine.ts';
import { RowSetBuilder } from '../row-set.ts';
import type { DriverValue } from '../values.ts';
import { cellReader, type ReadCell } from './values.ts';
import type { Field, RowReceiver } from './wire/statement-run.ts';

/** Turns rows of the server's text into values. */
export class RowReader {
  readonly #readers: readonly ReadCell[];

  constructor(fields: readonly Field[], readerOf: (type: number) => ReadCell = cellReader) {
    this.#readers = fields.map(({ dataTypeID }) => readerOf(dataTypeID));
  }

  read(values: readonly (string | null)[]): DriverValue[] {
    const row = new Array<DriverValue>(values.length);
    for (let i = 0; i < values.length; i += 1) {
      const text = values[i];
      const reader = this.#readers[i];
      row[i] = text === null || text === undefined || reader === undefined ? null : reader(text);
    }
    return row;
  }
}

/** Gathers the rows of a statement until a cap is reached. */
export class CappedResult implements RowReceiver {
  readonly #builder: RowSetBuilder;
  readonly #onFull: () => void;
  #reader = new RowReader([]);
  #full = false;
  fields: readonly Field[] = [];

  constructor(caps: Caps, onFull: () => void) {
    this.#builder = new RowSetBuilder(caps);
    this.#onFull = onFull;
  }

  columns(fields: readonly Field[]): void {
    this.fields = fields;
    this.#reader = new RowReader(fields);
  }

  row(values: readonly (string | null)[]): void {
    if (this.#full || this.#builder.add(this.#reader.read(values))) return;
    this.#full = true;
    this.#onFull();
  }

  finish(columns: RowSet['columns'], extra: Pick<RowSet, 'affectedRows' | 'messages'>): RowSet {
    return { ...this.#builder.finish(columns), ...extra };
  }
}
