import * as z from 'zod';
import { exportText } from '../../answer-texts.ts';
import { EXPORT_TIMEOUT_MS } from '../../limits.ts';
import { defineTool } from '../define-tool.ts';
import { writtenAs } from '../written-as.ts';
import { connection, query, timeoutMs } from './fields.ts';
import { WRITES_A_FILE } from './words.ts';

const EXPORT_FORMATS = ['csv', 'jsonl'] as const;

const output = z.object({
  path: z.string(),
  rows: z.int(),
  bytes: z.int(),
  format: z.enum(EXPORT_FORMATS),
  columns: z.array(z.string()).describe('The first 100'),
  totals: z
    .record(z.string(), z.union([z.number(), z.string()]))
    .optional()
    .describe('Exact sums of the numeric columns; a string where JSON has no such number'),
  first: z.string().optional().describe('The first row as it stands in the file'),
  last: z.string().optional(),
});

export const exportQuery = defineTool({
  name: 'export-query',
  title: 'Export a query to a file',
  description:
    'Write all rows of a read to a new file in the project, without size limit. Answers with totals of the numeric columns and the first and last row.',
  toolset: 'database',
  runsIn: 'sidecar',
  input: z.strictObject({
    query,
    path: z.string().min(1).describe('New file in the project, e.g. exports/users.csv'),
    format: z.enum(EXPORT_FORMATS).describe('As path ends'),
    timeoutMs,
    connection,
  }),
  output,
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  errors: ['E_NO_CONNECTION', 'E_UNKNOWN_TABLE', 'E_SQL', 'E_READ_ONLY', 'E_OUTSIDE_PROJECT'],
  timeoutMs: EXPORT_TIMEOUT_MS,
  text: writtenAs(output, exportText),
  words: WRITES_A_FILE,
  examples: [
    { input: { query: 'SELECT * FROM customers', path: 'out/customers.csv', format: 'csv' }, gives: 'ok' },
    {
      input: { query: 'SELECT * FROM customers', path: '../customers.csv', format: 'csv' },
      gives: 'E_OUTSIDE_PROJECT',
    },
    { input: { query: 'DELETE FROM orders', path: 'out/x.csv', format: 'csv' }, gives: 'E_READ_ONLY' },
    { input: { query: 'SELECT * FROM costumers', path: 'out/y.csv', format: 'csv' }, gives: 'E_UNKNOWN_TABLE' },
    { input: { query: 'SELECT 1', path: 'out/customers.txt', format: 'csv' }, gives: 'E_INVALID_PARAMS' },
  ],
});
