import type { RowFilter, RowSort, ShownResult } from '../page-messages.ts';
import type { Host } from './host.ts';

export interface WholeTableParts {
  readonly host: Host;
  readonly shown: () => ShownResult;
  /** Says so where something would be lost if the rows were read anew. */
  readonly refusesToLeave: () => boolean;
  readonly say: (what: unknown) => void;
}

/** The table that a result shows the first rows of: the database sorts and filters all of it. */
export class WholeTable {
  readonly #parts: WholeTableParts;

  constructor(parts: WholeTableParts) {
    this.#parts = parts;
  }

  /** Some of its rows are not here. */
  get isPart(): boolean {
    return this.#parts.shown().table?.isWhole === false;
  }

  /** How the database has sorted it. */
  get sort(): RowSort | undefined {
    const { table, columns } = this.#parts.shown();
    const column = columns.findIndex(({ name }) => name === table?.order?.column);
    return table?.order === undefined || column < 0 ? undefined : { column, descending: table.order.descending };
  }

  /** What the database has filtered it by. */
  get filters(): readonly RowFilter[] {
    return this.#parts.shown().table?.filters ?? [];
  }

  /** Whether it is on the way. */
  sortBy(sort: RowSort | undefined): boolean {
    const { host, shown, refusesToLeave, say } = this.#parts;
    if (refusesToLeave()) return false;
    say('Sorting the whole table');
    host.tell({ kind: 'sort-table', result: shown().id, ...(sort && { sort }) });
    return true;
  }

  filterBy(filters: readonly RowFilter[]): void {
    const { host, shown, refusesToLeave, say } = this.#parts;
    if (refusesToLeave()) return;
    say('Filtering the whole table');
    host.ask({ kind: 'filter-table', result: shown().id, filters: [...filters] }).catch(say);
  }
}
