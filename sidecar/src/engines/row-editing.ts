import type { Cell } from '@devdb/shared/tools/database/fields';
import type { Literals } from './literals.ts';

/** The one table whose rows a SELECT shows as they are. */
export interface ShownTable {
  /** As written, without quotes: the table alone, or after its schema. */
  readonly name: readonly string[];
  /** The table's column behind each column of the result; undefined for all of them, in the table's order. */
  readonly columns: readonly string[] | undefined;
}

export interface EditableColumn {
  readonly name: string;
  /** As declared. */
  readonly type: string;
  readonly isNullable: boolean;
  /** `given`: the database makes the value, as of a generated column. `binary`: not typed. */
  readonly kind: 'plain' | 'given' | 'binary';
}

/** A foreign key, to find the row that it refers to. */
export interface KeyLink {
  readonly columns: readonly string[];
  /** The referenced table, quoted for a statement of our own. */
  readonly parent: string;
  /** The same as people read it. */
  readonly parentName: string;
  readonly parentColumns: readonly string[];
}

/** What is needed to change single rows of a table. */
export interface EditableTable {
  /** As people read it. */
  readonly name: string;
  /** Quoted for a statement of our own. */
  readonly from: string;
  readonly columns: readonly EditableColumn[];
  /** The columns of the primary key; none where there is no key. */
  readonly key: readonly string[];
  /** Why its rows cannot be changed one by one, whatever its key is. */
  readonly refusal?: string | undefined;
  readonly links: readonly KeyLink[];
}

/** How values of a column are written and compared in a dialect. NULL is written and compared the same everywhere. */
export interface RowValues {
  /**
   * A value that a person typed, for an UPDATE or INSERT; `before` is what the cell had. Throws E_INVALID_PARAMS for
   * what is no value of the column's type.
   */
  write(column: EditableColumn, text: string, before: Cell | undefined): string;
  /** The condition that a column still has exactly this value; undefined for a type that cannot be compared. */
  same(column: EditableColumn, cell: Value): string | undefined;
  /** The condition that finds a row by its key, which an index answers. */
  key(column: EditableColumn, cell: Value): string | undefined;
  /** The condition that a column's value, as text in any case, has this in it; undefined for a type without a text. */
  contains(column: EditableColumn, text: string): string | undefined;
  /** The column where it is compared with what `write` gives; undefined for a type that cannot be compared. */
  compared(column: EditableColumn): string | undefined;
  /** What follows the table in an INSERT of defaults alone. */
  readonly onlyDefaults: string;
}

export type Value = Exclude<Cell, null>;

/** `rows-differ`: rolled back, because a statement did not change exactly one row. `counts` are those of all of them. */
export type RowChanges =
  | { readonly kind: 'done' }
  | { readonly kind: 'rows-differ'; readonly counts: readonly number[] };

/** Changing single rows for a person. */
export interface RowEditing {
  readonly values: RowValues;
  /** The table that a SELECT shows; undefined where that is not certain. */
  tableIn(sql: string): Promise<ShownTable | undefined>;
  /** Throws E_UNKNOWN_TABLE, also where the name may mean several tables. */
  table(name: readonly string[], signal: AbortSignal): Promise<EditableTable>;
  /** Runs changes in one transaction, which is committed only if each has changed exactly one row. Never retried. */
  change(statements: readonly string[], signal: AbortSignal): Promise<RowChanges>;
}

/** What the rows of a person's result come from. */
export interface ResultSource {
  readonly query: string;
  /** The id of the database: a default may be another one later. */
  readonly database: string;
  readonly session: { readonly literals: Literals; readonly editing: RowEditing };
}

/** A change as a statement, and how to see what its row is now. */
export interface ChangeStatement {
  /** The place of the change among those that were asked for. */
  readonly change: number;
  readonly sql: string;
  /** Undefined for a new row. */
  readonly row: ShownRow | undefined;
}

/** A row as the result has it. */
export interface ShownRow {
  /** Reads it anew. */
  readonly query: string;
  readonly columns: readonly string[];
  readonly cells: readonly Cell[];
}
