import type { Caps, RowSet } from '../engine.ts';
import { type ReadCell, readRow } from '../read-row.ts';
import { RowSetBuilder } from '../row-set.ts';
import type { RawCell, RowReceiver } from './connection.ts';
import { cellReader, type Field, typeName } from './values.ts';

/** Collects the rows of a statement's first row set until a cap is reached. */
export class CappedResult implements RowReceiver {
  readonly #builder: RowSetBuilder;
  readonly #onOverrun: () => void;
  #readers: readonly ReadCell<Buffer>[] = [];
  #fields: readonly Field[] = [];
  #sets = 0;
  #full = false;
  /** Rows of the first set, including those over the caps. */
  seen = 0;

  /** `onOverrun` is called when more rows arrive after the one that was no longer taken. */
  constructor(caps: Caps, onOverrun: () => void = () => undefined) {
    this.#builder = new RowSetBuilder(caps);
    this.#onOverrun = onOverrun;
  }

  columns(fields: readonly Field[]): void {
    this.#sets += 1;
    if (this.#sets > 1) return;
    this.#fields = fields;
    this.#readers = fields.map(cellReader);
  }

  row(values: readonly RawCell[]): void {
    if (this.#sets > 1) return;
    this.seen += 1;
    if (this.#full) this.#onOverrun();
    else this.#full = !this.#builder.add(readRow(values, this.#readers));
  }

  finish(extra: Pick<RowSet, 'affectedRows'>, messages: readonly string[]): RowSet {
    const columns = this.#fields.map((field) => ({ name: field.name, type: typeName(field) }));
    const all = this.#sets > 1 ? [...messages, leftOut(this.#sets - 1)] : [...messages];
    return { ...this.#builder.finish(columns), ...extra, ...(all.length === 0 ? {} : { messages: all }) };
  }
}

function leftOut(sets: number): string {
  return `The statement answered ${sets} more ${sets === 1 ? 'set' : 'sets'} of rows, which are left out.`;
}
