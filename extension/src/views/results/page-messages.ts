import {
  changesSchema,
  RELATIONS,
  type Relation,
  type RowChange,
  type ShownTableFacts,
} from '@devdb/shared/protocol/edit-methods';
import {
  COMPARISONS,
  COPY_FORMS,
  type CopyForm,
  type ResultColumn,
  type RowFilter,
  type RowSort,
} from '@devdb/shared/protocol/result-methods';
import * as z from 'zod';
import type { KeptTab } from './kept-tab.ts';

/** A chart's picture is far smaller. */
const MAX_PICTURE_CHARS = 16 * 1024 * 1024;

const place = z.int().min(0);
const typedCells = z.array(z.tuple([place, z.string().nullable()]));

/** What was typed and not applied, so that it outlives its page: cells of rows by their number as they came, new rows. */
const keptChanges = z.strictObject({
  edited: z.array(z.tuple([place, typedCells])),
  deleted: z.array(place),
  added: z.array(typedCells),
});
export type KeptChanges = z.infer<typeof keptChanges>;

/** A result as its page shows it. */
export interface ShownResult {
  readonly id: string;
  readonly statement: string;
  readonly state: 'waiting' | 'running' | 'done' | 'failed' | 'cancelled';
  readonly columns: readonly ResultColumn[];
  readonly rows: number;
  /** A sentence: how it ended, or what went wrong. */
  readonly note: string;
  /** The result in whose place it came: the same rows, read once more. */
  readonly replaces?: string | undefined;
  readonly table?: ShownTable | undefined;
}

/** The order in which the database reads a table. */
export interface TableOrder {
  readonly column: string;
  readonly descending: boolean;
}

/** Of the rows of a table: whether all that pass the filters are there, and how the database has read the table. */
export interface ShownTable {
  readonly isWhole: boolean;
  readonly order: TableOrder | undefined;
  /** By the columns of the result. */
  readonly filters: readonly RowFilter[];
}

export type LeftStatement = KeptTab['statements'][number];

/** Messages to the page. */
export type ToPage =
  | { readonly kind: 'results'; readonly results: readonly ShownResult[] }
  /** The first rows of a result, as JSON. */
  | { readonly kind: 'first-rows'; readonly result: string; readonly rows: string }
  | { readonly kind: 'answer'; readonly ask: number; readonly value: unknown }
  | { readonly kind: 'refused'; readonly ask: number; readonly message: string }
  /** What was typed in a page before this one. */
  | { readonly kind: 'restore'; readonly result: string; readonly changes: KeptChanges }
  /** The sidecar has ended, and the rows with it. */
  | { readonly kind: 'gone' }
  /** What the editor is to keep of the tab; nothing where it is left out. */
  | { readonly kind: 'keep'; readonly tab?: KeptTab | undefined }
  /** The window was reloaded, and the rows of these statements are gone. */
  | { readonly kind: 'left'; readonly statements: readonly LeftStatement[] };

const sort = z.strictObject({ column: place, descending: z.boolean() });
/** Rows that their reader has sorted or filtered, by the number of their order. */
const arranged = z.strictObject({ order: z.int(), rows: place, sort: sort.optional(), isFiltered: z.boolean() });
export type ArrangedRows = z.infer<typeof arranged>;
const order = { result: z.string(), order: z.int() };
const filter = z.strictObject({ column: place.optional(), is: z.enum(COMPARISONS), value: z.string() });

/** What the page says, and what it asks; an ask is answered under its number. */
export const fromPageSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('ready') }),
  z.strictObject({ kind: z.literal('cancel') }),
  z.strictObject({ kind: z.literal('run-again') }),
  z.strictObject({ kind: z.literal('open-statement') }),
  // Without a sort: in the database's own order.
  z.strictObject({ kind: z.literal('sort-table'), result: z.string(), sort: sort.optional() }),
  z.strictObject({ kind: z.literal('export'), result: z.string(), arranged: arranged.optional() }),
  // SVG as text, PNG in base64.
  z.strictObject({
    kind: z.literal('save-chart'),
    result: z.string(),
    form: z.enum(['svg', 'png']),
    data: z.string().max(MAX_PICTURE_CHARS),
  }),
  // How many changes would be lost if the result went, and which.
  z.strictObject({ kind: z.literal('pending'), result: z.string(), count: place, changes: keptChanges }),
  z.strictObject({ kind: z.literal('table'), ask: z.int(), result: z.string() }),
  z.strictObject({ kind: z.literal('preview'), ask: z.int(), result: z.string(), changes: changesSchema() }),
  z.strictObject({ kind: z.literal('apply'), ask: z.int(), result: z.string(), changes: changesSchema() }),
  z.strictObject({
    kind: z.literal('related'),
    ask: z.int(),
    result: z.string(),
    row: place,
    column: place,
    which: z.enum(RELATIONS),
  }),
  z.strictObject({ kind: z.literal('rows'), ask: z.int(), ...order, from: place, count: z.int().min(1) }),
  z.strictObject({ kind: z.literal('cell'), ask: z.int(), ...order, row: place, column: place }),
  z.strictObject({
    kind: z.literal('arrange'),
    ask: z.int(),
    result: z.string(),
    sort: sort.optional(),
    filters: z.array(filter),
  }),
  // Answered before the table is read: with a refusal, it is not.
  z.strictObject({ kind: z.literal('filter-table'), ask: z.int(), result: z.string(), filters: z.array(filter) }),
  z.strictObject({
    kind: z.literal('copy'),
    ask: z.int(),
    ...order,
    from: place,
    count: z.int().min(1),
    columns: z.array(place).min(1),
    form: z.enum(COPY_FORMS),
    heads: z.boolean(),
  }),
]);
export type FromPage = z.infer<typeof fromPageSchema>;
export type Ask = Extract<FromPage, { ask: number }>;
export type { CopyForm, Relation, ResultColumn, RowChange, RowFilter, RowSort, ShownTableFacts };
