import * as z from 'zod';
import { defineTool, READ_ONLY } from '../define-tool.ts';
import { connection } from './fields.ts';
import { READS_DATABASE } from './words.ts';

export const getOverview = defineTool({
  name: 'get-overview',
  title: 'Get schema overview',
  description:
    'Get the whole schema in one compact answer: tables and views with their columns, primary keys, foreign-key graph and row estimates. Use it first on an unknown database instead of many get-schema calls; name tables to narrow it.',
  toolset: 'database',
  runsIn: 'sidecar',
  input: z.strictObject({
    tables: z
      .array(z.string().min(1))
      .max(500)
      .optional()
      .describe('Only these tables, by their names from get-tables'),
    connection,
  }),
  output: z.object({
    tables: z.array(
      z.object({
        name: z.string(),
        kind: z.string().describe('table, view, virtual table ...'),
        columns: z.array(z.string()).describe('name type, then PK, NOT NULL, UNIQUE, GENERATED as they hold'),
        rows: z.int().nullable().describe('Row estimate; null where it is not known without reading the table'),
        comment: z.string().optional(),
      }),
    ),
    foreignKeys: z.array(z.string()).describe('orders(user_id) -> users(id)'),
    referencedBy: z
      .array(z.string())
      .optional()
      .describe('Foreign keys of other tables that point to the named ones, when tables is given'),
    unknown: z
      .array(z.object({ name: z.string(), near: z.array(z.string()) }))
      .optional()
      .describe('Names in tables that are not known, with those that are near'),
    truncated: z.boolean(),
  }),
  annotations: READ_ONLY,
  errors: ['E_NO_CONNECTION', 'E_UNKNOWN_TABLE', 'E_SQL'],
  timeoutMs: 20_000,
  text: { as: 'json' },
  words: READS_DATABASE,
  examples: [
    { input: {}, gives: 'ok' },
    { input: { tables: ['customers'] }, gives: 'ok' },
    { input: { tables: ['customers', 'ordres'] }, gives: 'ok' },
    { input: { tables: ['costumers'] }, gives: 'E_UNKNOWN_TABLE' },
    { input: { tables: 'customers' }, gives: 'E_INVALID_PARAMS' },
  ],
});
