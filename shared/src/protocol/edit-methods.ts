import * as z from 'zod';
import { MAX_ROW_CHANGES, MAX_TYPED_CHARS } from '../limits.ts';
import { once } from '../once.ts';
import { method } from './method.ts';
import { filtersSchema } from './result-methods.ts';

const place = once(() => z.int().min(0));

/** Undefined stands for what the database gives, null for NULL, a text for the value as a person types it. */
const typedCells = once(() =>
  z.array(z.strictObject({ column: place(), value: z.string().max(MAX_TYPED_CHARS).nullable() })),
);

/** A change of one row, by the row's number in the result as it came. */
const changeSchema = once(() =>
  z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('update'), row: place(), cells: typedCells().min(1) }),
    z.strictObject({ kind: z.literal('delete'), row: place() }),
    z.strictObject({ kind: z.literal('insert'), cells: typedCells() }),
  ]),
);
export type RowChange = z.infer<ReturnType<typeof changeSchema>>;

export const changesSchema = once(() => z.array(changeSchema()).min(1).max(MAX_ROW_CHANGES));

/** What a person may do with a column of a result. */
const columnSchema = once(() =>
  z.object({
    isKey: z.boolean(),
    isNullable: z.boolean(),
    /** A sentence: why its cells are not edited. */
    refusal: z.string().optional(),
  }),
);

const tableSchema = once(() =>
  z.object({
    /** As people read it; undefined where the result shows more or less than the rows of one table. */
    name: z.string().optional(),
    /** A sentence: why its rows are not edited. */
    refusal: z.string().optional(),
    columns: z.array(columnSchema()),
    /** Foreign keys whose columns are all in the result. */
    links: z.array(z.object({ columns: z.array(place()), table: z.string() })),
  }),
);
export type ShownTableFacts = z.infer<ReturnType<typeof tableSchema>>;

/** The table whose rows a result shows, and what can be changed of it. */
export const resultTable = method(
  'sidecar/resultTable',
  () => z.strictObject({ result: z.string(), root: z.string() }),
  tableSchema,
);

/** The statements that changes come to, in the order in which they would run. Runs nothing. */
export const previewChanges = method(
  'sidecar/previewChanges',
  () => z.strictObject({ result: z.string(), changes: changesSchema() }),
  () => z.object({ statements: z.array(z.object({ change: place(), sql: z.string() })) }),
);

/**
 * Makes changes in one transaction, after the person said yes: all of them, or none where a row is no longer what the
 * result shows. A conflict names the change by its place, and says what the row is now.
 */
export const applyChanges = method(
  'sidecar/applyChanges',
  () => z.strictObject({ result: z.string(), root: z.string(), changes: changesSchema() }),
  () =>
    z.object({
      applied: place(),
      conflicts: z.array(z.object({ change: place(), message: z.string() })),
      /** The database that was changed: a default may be another one by now. */
      connection: z.string(),
    }),
);

/** Rows that belong to a cell: the row that its foreign key refers to, or all rows of its table with the same value. */
export const RELATIONS = ['referenced', 'same-value'] as const;
export type Relation = (typeof RELATIONS)[number];

/** The statement that reads the rows which belong to a cell. Runs nothing. */
export const relatedRows = method(
  'sidecar/relatedRows',
  () => z.strictObject({ result: z.string(), row: place(), column: place(), which: z.enum(RELATIONS) }),
  () => z.object({ query: z.string(), connection: z.string() }),
);

/**
 * The condition by which the database finds the rows of a result's table that pass all filters, also those that the
 * result lacks. Reads nothing but the catalog.
 */
export const tableCondition = method(
  'sidecar/tableCondition',
  () => z.strictObject({ result: z.string(), root: z.string(), filters: filtersSchema().min(1) }),
  () => z.object({ condition: z.string() }),
);
