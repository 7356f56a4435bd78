import * as z from 'zod';
import { MAX_SQL_BYTES } from '../limits.ts';
import { once } from '../once.ts';
import { method } from './method.ts';

/** The name that the editor gives a result: rows that the sidecar keeps for a person who scrolls through them. */
const result = once(() => z.string().min(1).max(100));

const rowCount = once(() => z.int().min(0));

const columnSchema = once(() => z.object({ name: z.string(), type: z.string().optional() }));
export type ResultColumn = z.infer<ReturnType<typeof columnSchema>>;

/** Why a result has fewer rows than its statement: the most that is kept of one, or a disk without room. */
const STOPS = ['size', 'disk'] as const;

/** How a statement that a person ran has ended. */
const outcomeSchema = once(() =>
  z.object({
    rows: rowCount(),
    columns: z.array(columnSchema()),
    /** The database's name, as a person knows it. */
    database: z.string(),
    /** Rows that a write has changed. */
    affectedRows: z.int().optional(),
    messages: z.array(z.string()).optional(),
    stopped: z.enum(STOPS).optional(),
  }),
);
export type ResultOutcome = z.infer<ReturnType<typeof outcomeSchema>>;

/**
 * Runs a statement that a person wrote, through the gate: a read under guard, a write after the same question as an
 * agent's. Answered when it has ended; its rows can be read as soon as they are there, and stay until the result is
 * closed, also when the statement failed or was cancelled.
 */
export const runForPerson = method(
  'sidecar/runForPerson',
  () =>
    z.strictObject({
      result: result(),
      root: z.string().optional(),
      connection: z.string().optional(),
      query: z.string().min(1).max(MAX_SQL_BYTES),
      /** It goes into the history of what the person ran. */
      keep: z.boolean().optional(),
    }),
  outcomeSchema,
);

/**
 * Some rows, as JSON: an array of cells for each row. A cell is null, a boolean, a number, a text, `{bytes,hex}`, or
 * `{text,chars}` and `{bytes,hex}` with a part of a long one. Fewer rows than asked for where these are large. `places`
 * are the numbers that the rows have in the result as it came.
 */
export const readRows = method(
  'sidecar/readRows',
  () => z.strictObject({ result: result(), order: z.int(), from: rowCount(), count: z.int().min(1).max(1_000) }),
  () => z.object({ rows: z.string(), places: z.array(rowCount()) }),
);

/** One cell whole, up to a limit that the answer tells. */
export const readCell = method(
  'sidecar/readCell',
  () => z.strictObject({ result: result(), order: z.int(), row: rowCount(), column: rowCount() }),
  () =>
    z.object({
      kind: z.enum(['null', 'boolean', 'number', 'text', 'binary']),
      /** Binary as hex. */
      text: z.string(),
      /** Characters of a text, bytes of a binary. */
      length: z.int(),
      isCut: z.boolean(),
    }),
);

/** The comparisons of a filter. */
export const COMPARISONS = ['contains', 'equals', 'less', 'greater', 'null', 'not-null'] as const;

const filterSchema = once(() =>
  z.strictObject({
    /** Every column when left out. */
    column: rowCount().optional(),
    is: z.enum(COMPARISONS),
    value: z.string().max(10_000),
  }),
);
export type RowFilter = z.infer<ReturnType<typeof filterSchema>>;

export const filtersSchema = once(() => z.array(filterSchema()).max(20));

const sortSchema = once(() => z.strictObject({ column: rowCount(), descending: z.boolean() }));
export type RowSort = z.infer<ReturnType<typeof sortSchema>>;

/**
 * Sorts and filters a result whose statement has ended; without either it is as it came. From then on its rows are
 * asked for with the new order's number: a page of an earlier one is never mixed in.
 */
export const arrangeRows = method(
  'sidecar/arrangeRows',
  () => z.strictObject({ result: result(), sort: sortSchema().optional(), filters: filtersSchema() }),
  () => z.object({ order: z.int(), rows: rowCount() }),
);

/** The forms in which rows are copied. */
export const COPY_FORMS = ['tsv', 'csv', 'json', 'insert', 'markdown'] as const;
export type CopyForm = (typeof COPY_FORMS)[number];

/** Whole cells of some rows as text for the clipboard, up to a limit that the answer tells. */
export const copyRows = method(
  'sidecar/copyRows',
  () =>
    z.strictObject({
      result: result(),
      order: z.int(),
      from: rowCount(),
      count: z.int().min(1),
      columns: z.array(rowCount()).min(1),
      form: z.enum(COPY_FORMS),
      /** Without them a copy of one cell is its text alone. */
      heads: z.boolean(),
    }),
  () => z.object({ text: z.string(), rows: rowCount(), isCut: z.boolean() }),
);

/** The forms of a file of rows. */
export const EXPORT_FORMATS = ['csv', 'jsonl'] as const;

/**
 * Writes every row of a read to a new file of the project, as export-query does. The statement runs once more. Progress
 * comes with the call's id.
 */
export const exportForPerson = method(
  'sidecar/exportForPerson',
  () =>
    z.strictObject({
      call: z.string(),
      root: z.string(),
      connection: z.string().optional(),
      query: z.string().min(1).max(MAX_SQL_BYTES),
      path: z.string(),
      format: z.enum(EXPORT_FORMATS),
    }),
  () => z.object({ path: z.string(), rows: rowCount() }),
);

/** Writes every row of a result to a new file of the project, in an order that `arrangeRows` has made. Runs nothing. */
export const exportResult = method(
  'sidecar/exportResult',
  () =>
    z.strictObject({
      call: z.string(),
      root: z.string(),
      result: result(),
      order: z.int(),
      path: z.string(),
      format: z.enum(EXPORT_FORMATS),
    }),
  () => z.object({ path: z.string(), rows: rowCount() }),
);

/** Where the statements of a text stand, as the engine of a database reads it. Opens nothing. */
export const splitStatements = method(
  'sidecar/splitStatements',
  () => z.strictObject({ root: z.string(), connection: z.string().optional(), text: z.string().max(MAX_SQL_BYTES) }),
  () => z.object({ spans: z.array(z.object({ start: rowCount(), end: rowCount() })) }),
);

/**
 * The edits that format the statements of a text that touch `from` to `to`, in the dialect of a database. Opens nothing.
 * Refused for a text that cannot be read; the edits change blanks alone.
 */
export const formatStatements = method(
  'sidecar/formatStatements',
  () =>
    z.strictObject({
      root: z.string(),
      connection: z.string().optional(),
      text: z.string().max(MAX_SQL_BYTES),
      from: rowCount(),
      to: rowCount(),
      indent: z.strictObject({ size: z.int().min(1).max(16), tabs: z.boolean() }),
    }),
  () => z.object({ edits: z.array(z.object({ start: rowCount(), end: rowCount(), text: z.string() })) }),
);

/**
 * The table whose name stands at a place of a text, where its statement leaves no doubt that it is one. Opens nothing:
 * whether there is such a table is not known.
 */
export const tableNameAt = method(
  'sidecar/tableNameAt',
  () =>
    z.strictObject({
      root: z.string(),
      connection: z.string().optional(),
      text: z.string().max(MAX_SQL_BYTES),
      offset: rowCount(),
    }),
  () => z.object({ name: z.object({ start: rowCount(), end: rowCount(), path: z.array(z.string()) }).optional() }),
);

/** A database that a person may choose for a file. */
const choiceSchema = once(() =>
  z.object({ id: z.string(), name: z.string(), type: z.string(), target: z.string(), isDefault: z.boolean() }),
);
export type DatabaseChoice = z.infer<ReturnType<typeof choiceSchema>>;

/** The databases of a project. Opens none. */
export const databaseChoices = method(
  'sidecar/databaseChoices',
  () => z.strictObject({ root: z.string() }),
  () => z.object({ databases: z.array(choiceSchema()) }),
);

/** The tables of a database with their columns, as a statement writes them: what a person's words are completed with. */
export const schemaNames = method(
  'sidecar/schemaNames',
  () => z.strictObject({ root: z.string(), connection: z.string().optional() }),
  () => z.object({ tables: z.array(z.object({ name: z.string(), columns: z.array(z.string()) })) }),
);

/** Ends the statement where it still runs, and removes the rows. */
export const closeResult = method(
  'sidecar/closeResult',
  () => z.strictObject({ result: result() }),
  () => z.object({}),
);
