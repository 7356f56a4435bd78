import * as z from 'zod';
import { overviewText } from '../../overview-text.ts';
import { defineTool, READ_ONLY } from '../define-tool.ts';
import { writtenAs } from '../written-as.ts';
import { connection, rows } from './fields.ts';
import { cut } from './result-fields.ts';
import { READS_DATABASE } from './words.ts';

const OVERVIEW_EXTRAS = ['indexes', 'views', 'lookups'] as const;

const lookupRows = z.union([z.object({ columns: z.array(z.string()), rows, cut }), z.object({ error: z.string() })]);

const table = z.object({
  name: z.string(),
  kind: z.string().describe('table, view, virtual table ...'),
  columns: z
    .array(z.string())
    .describe('name type (with the values of an enumerated one), then PK, NOT NULL, UNIQUE, GENERATED as they hold'),
  columnCount: z.int().optional().describe('How many columns there are, where not all are listed'),
  rows: z.int().nullable().describe('Row estimate; null where it is not known without reading the table'),
  atMost: z.literal(true).optional().describe('rows is a bound: there are this many or fewer'),
  lookup: z.literal(true).optional().describe('A small table of codes and what they mean'),
  lookupRows: lookupRows.optional().describe('Its rows, with include lookups'),
  softDelete: z.array(z.string()).optional().describe('Columns that say that a row no longer counts'),
  kinds: z.array(z.string()).optional().describe('Columns of codes without a declared foreign key'),
  comment: z.string().optional(),
  indexes: z.array(z.string()).optional().describe('With include indexes: UNIQUE name (columns)'),
  definition: z.string().optional().describe('Of a view, with include views'),
});

const output = z.object({
  tables: z.array(table),
  foreignKeys: z.array(z.string()).describe('orders(user_id) -> users(id)'),
  guessedKeys: z
    .array(z.string())
    .optional()
    .describe('Columns named like the key of another table, without a declared foreign key'),
  referencedBy: z
    .array(z.string())
    .optional()
    .describe('Foreign keys of other tables that point to the named ones, when tables is given'),
  unknown: z
    .array(z.object({ name: z.string(), near: z.array(z.string()) }))
    .optional()
    .describe('Names in tables that are not known, with those that are near'),
  truncated: z.boolean(),
  more: z.string().optional().describe('What is left out, and how to get it'),
  tableLink: z
    .string()
    .optional()
    .describe('With the name of a table after it, a link for the user that opens its data in their editor'),
});

export const getOverview = defineTool({
  name: 'get-overview',
  title: 'Get schema overview',
  description:
    'Get the whole schema in one compact answer: tables, views, columns, keys both ways, row estimates, lookup tables, soft-delete and status columns. Use it first on an unknown database.',
  toolset: 'database',
  runsIn: 'sidecar',
  input: z.strictObject({
    tables: z.array(z.string().min(1)).max(500).optional().describe('Only these tables'),
    include: z
      .array(z.enum(OVERVIEW_EXTRAS))
      .max(OVERVIEW_EXTRAS.length)
      .optional()
      .describe('lookups: rows of lookup tables'),
    connection,
  }),
  output,
  annotations: READ_ONLY,
  errors: ['E_NO_CONNECTION', 'E_UNKNOWN_TABLE', 'E_SQL'],
  timeoutMs: 20_000,
  text: writtenAs(output, overviewText),
  words: READS_DATABASE,
  examples: [
    { input: {}, gives: 'ok' },
    { input: { tables: ['customers'] }, gives: 'ok' },
    { input: { tables: ['customers', 'ordres'] }, gives: 'ok' },
    { input: { include: ['indexes', 'views', 'lookups'] }, gives: 'ok' },
    { input: { tables: ['costumers'] }, gives: 'E_UNKNOWN_TABLE' },
    { input: { tables: 'customers' }, gives: 'E_INVALID_PARAMS' },
    { input: { include: ['triggers'] }, gives: 'E_INVALID_PARAMS' },
  ],
});
