import type { OverviewColumn } from './overview-text.ts';

/** What get-overview can add, when it is asked for. */
export type Included = 'indexes' | 'views' | 'lookups' | typeof KEYS_ALONE | typeof GRAPH;

/** Only foreign keys are wanted: a server may leave out the columns, which in a large schema take seconds to read. */
export const KEYS_ALONE = 'keys alone';

/** The schema is wanted as a graph for a diagram, in place of the answer for an agent. */
export const GRAPH = 'graph';

/** A declared foreign key; its names are as in a statement. */
export interface KeyFacts {
  readonly columns: readonly string[];
  /** The table it points to, as in a statement. */
  readonly parent: string;
  /** The same as get-tables lists it; undefined where there is no such table. */
  readonly parentName: string | undefined;
  readonly parentColumns: readonly string[];
}

/** A table as an engine reads it for the overview. */
export interface OverviewTable {
  /** As get-tables lists it. */
  readonly name: string;
  /** As people and models read it in a statement: quoted only where needed. */
  readonly written: string;
  /** The same, quoted and with its schema, for statements of our own. */
  readonly from: string;
  readonly kind: string;
  readonly columns: readonly OverviewColumn[];
  readonly rows: number | null;
  /** `rows` is a bound, not an estimate: there are this many or fewer. */
  readonly atMost?: boolean;
  readonly comment?: string | undefined;
  readonly keys: readonly KeyFacts[];
  readonly indexes?: readonly string[] | undefined;
  /** The definition of a view. */
  readonly definition?: string | undefined;
}

/** A foreign key as text: `orders(customer_id) -> customers(id)`. A key without columns names its parent alone. */
export function keyText(table: Pick<OverviewTable, 'written'>, key: Omit<KeyFacts, 'parentName'>): string {
  const to = key.parentColumns.length === 0 ? '' : list(key.parentColumns);
  return `${table.written}${list(key.columns)} -> ${key.parent}${to}`;
}

function list(names: readonly string[]): string {
  return `(${names.join(', ')})`;
}

/** An index as text: `ix_orders_day (placed_on, id)`, with UNIQUE in front where it is. */
export function indexText(name: string, isUnique: boolean, columns: readonly string[]): string {
  return `${isUnique ? 'UNIQUE ' : ''}${name} ${list(columns)}`;
}
