import * as z from 'zod';
import { once } from '../once.ts';

const columnSchema = once(() =>
  z.object({
    /** As a statement writes it. */
    name: z.string(),
    type: z.string(),
    isKey: z.boolean(),
    notNull: z.boolean(),
  }),
);

const keySchema = once(() =>
  z.object({
    columns: z.array(z.string()),
    /** A table of the same graph, by its name. */
    parent: z.string(),
    parentColumns: z.array(z.string()),
    /** The column is named like the parent's key; no key is declared. */
    isGuessed: z.boolean(),
  }),
);

const tableSchema = once(() =>
  z.object({
    /** As get-tables lists it. */
    name: z.string(),
    kind: z.string(),
    columns: z.array(columnSchema()),
    /** How many columns there are, where not all are listed. */
    columnCount: z.int().optional(),
    keys: z.array(keySchema()),
  }),
);
export type GraphTable = z.infer<ReturnType<typeof tableSchema>>;
export type GraphKey = GraphTable['keys'][number];

/** Tables and the keys between them. */
export const schemaGraphSchema = once(() =>
  z.object({
    tables: z.array(tableSchema()),
    /** Tables that did not fit. */
    left: z.int(),
  }),
);
export type SchemaGraph = z.infer<ReturnType<typeof schemaGraphSchema>>;
