import type { KeptChanges, RowChange } from '../page-messages.ts';

/** A row of the result by its number as it came, or a new one by its number among the new ones. */
export type RowId = { readonly kind: 'row'; readonly place: number } | { readonly kind: 'new'; readonly at: number };

/** Null is NULL; a text is the value as it was typed. */
export type Typed = string | null;

type TypedCells = ReadonlyMap<number, Typed>;

interface State {
  readonly edited: ReadonlyMap<number, TypedCells>;
  readonly deleted: ReadonlySet<number>;
  readonly added: readonly TypedCells[];
}

const NOTHING: State = { edited: new Map(), deleted: new Set(), added: [] };

/** What a person has changed of a result and not applied, step by step. */
export class PendingChanges {
  #state = NOTHING;
  #steps: State[] = [];

  /** How many rows are changed. */
  get count(): number {
    return this.changes().length;
  }

  /** How many rows are new. */
  get added(): number {
    return this.#state.added.length;
  }

  get canUndo(): boolean {
    return this.#steps.length > 0;
  }

  /** What was typed for a cell; undefined where nothing was. */
  typed(row: RowId, column: number): Typed | undefined {
    return this.#cellsOf(row)?.get(column);
  }

  isDeleted(row: RowId): boolean {
    return row.kind === 'row' && this.#state.deleted.has(row.place);
  }

  isEdited(row: RowId): boolean {
    return row.kind === 'row' && this.#state.edited.has(row.place);
  }

  /** Sets a cell; undefined gives it back what it had. */
  set(row: RowId, column: number, value: Typed | undefined): void {
    const cells = new Map(this.#cellsOf(row));
    if (cells.get(column) === value && cells.has(column) === (value !== undefined)) return;
    if (value === undefined) cells.delete(column);
    else cells.set(column, value);
    if (row.kind === 'new') {
      this.#step({ ...this.#state, added: this.#state.added.map((one, at) => (at === row.at ? cells : one)) });
      return;
    }
    const edited = new Map(this.#state.edited);
    if (cells.size === 0) edited.delete(row.place);
    else edited.set(row.place, cells);
    this.#step({ ...this.#state, edited });
  }

  /** Adds an empty row and returns it. */
  add(): RowId {
    const { added } = this.#state;
    this.#step({ ...this.#state, added: [...added, new Map()] });
    return { kind: 'new', at: added.length };
  }

  /** Marks rows as deleted, in one step; those that are all marked are kept again. A new row goes at once. */
  toggleDeleted(rows: readonly RowId[]): void {
    const deleted = new Set(this.#state.deleted);
    const own = rows.flatMap((row) => (row.kind === 'row' ? row.place : []));
    const isKept = own.length === rows.length && own.every((place) => deleted.has(place));
    for (const place of own) {
      if (isKept) deleted.delete(place);
      else deleted.add(place);
    }
    const gone = new Set(rows.flatMap((row) => (row.kind === 'new' ? row.at : [])));
    this.#step({ ...this.#state, deleted, added: this.#state.added.filter((_, at) => !gone.has(at)) });
  }

  /** Takes back what was done to one row. */
  drop(row: RowId): void {
    if (row.kind === 'new') {
      this.toggleDeleted([row]);
      return;
    }
    const [edited, deleted] = [new Map(this.#state.edited), new Set(this.#state.deleted)];
    edited.delete(row.place);
    deleted.delete(row.place);
    this.#step({ ...this.#state, edited, deleted });
  }

  /** Takes back the last step. */
  undo(): void {
    this.#state = this.#steps.pop() ?? this.#state;
  }

  /** Takes back everything; an undo brings it back. */
  clear(): void {
    this.#step(NOTHING);
  }

  /** What is to be applied, in the order of `rows`. A row that is deleted is not edited as well. */
  changes(): RowChange[] {
    return this.rows().map((row) => {
      const cells = [...(this.#cellsOf(row) ?? [])].map(([column, value]) => ({ column, value }));
      if (row.kind === 'new') return { kind: 'insert', cells };
      return this.isDeleted(row) ? { kind: 'delete', row: row.place } : { kind: 'update', row: row.place, cells };
    });
  }

  /** The rows that are changed: those of the result, then the new ones. */
  rows(): RowId[] {
    const { edited, deleted, added } = this.#state;
    const places = [...new Set([...edited.keys(), ...deleted])].sort((a, b) => a - b);
    return [
      ...places.map((place) => ({ kind: 'row' as const, place })),
      ...added.map((_, at) => ({ kind: 'new' as const, at })),
    ];
  }

  /** What another page can go on with. */
  kept(): KeptChanges {
    const { edited, deleted, added } = this.#state;
    return {
      edited: [...edited].map(([place, cells]) => [place, [...cells]]),
      deleted: [...deleted],
      added: added.map((cells) => [...cells]),
    };
  }

  /** Goes on with what was typed before: one step, which an undo takes back whole. */
  restore({ edited, deleted, added }: KeptChanges): void {
    this.#step({
      edited: new Map(edited.map(([place, cells]) => [place, new Map(cells)])),
      deleted: new Set(deleted),
      added: added.map((cells) => new Map(cells)),
    });
  }

  #cellsOf(row: RowId): TypedCells | undefined {
    return row.kind === 'new' ? this.#state.added[row.at] : this.#state.edited.get(row.place);
  }

  #step(state: State): void {
    this.#steps.push(this.#state);
    this.#state = state;
  }
}
