import type { ArrangedRows, RowFilter, RowSort, ShownResult } from '../page-messages.ts';
import type { Host } from './host.ts';
import { orderOf } from './result-answers.ts';

export interface ArrangementParts {
  readonly host: Host;
  readonly shown: () => ShownResult;
  /** The rows have another order from now on. */
  readonly changed: () => void;
  readonly say: (what: unknown) => void;
}

/** The rows that a result has, as its reader has sorted and filtered them. The sidecar knows each order by its number. */
export class Arrangement {
  readonly #parts: ArrangementParts;
  #order: { readonly number: number; readonly rows: number } | undefined;
  #sort: RowSort | undefined;
  #filters: readonly RowFilter[] = [];
  /** How often it was asked for another order: only the last one counts. */
  #turns = 0;

  constructor(parts: ArrangementParts) {
    this.#parts = parts;
  }

  get sort(): RowSort | undefined {
    return this.#sort;
  }

  get filters(): readonly RowFilter[] {
    return this.#filters;
  }

  /** The number of the order; 0 for the rows as they came. */
  get order(): number {
    return this.#order?.number ?? 0;
  }

  get rows(): number {
    return this.#order?.rows ?? this.#parts.shown().rows;
  }

  /** What is on show, for an export; undefined where the rows are all there and as they came. */
  get forExport(): ArrangedRows | undefined {
    const isFiltered = this.#filters.length > 0;
    if (this.#order === undefined || (this.#sort === undefined && !isFiltered)) return undefined;
    return { order: this.order, rows: this.rows, ...(this.#sort && { sort: this.#sort }), isFiltered };
  }

  arrange(sort: RowSort | undefined, filters: readonly RowFilter[]): void {
    const { host, shown, changed, say } = this.#parts;
    say('Sorting');
    this.#turns += 1;
    const turn = this.#turns;
    host.ask({ kind: 'arrange', result: shown().id, filters: [...filters], ...(sort && { sort }) }).then(
      (answer) => {
        if (turn !== this.#turns) return;
        this.#order = orderOf(answer);
        this.#sort = sort;
        this.#filters = filters;
        changed();
      },
      (error: unknown) => {
        if (turn === this.#turns) say(error);
      },
    );
  }
}
