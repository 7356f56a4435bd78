import * as z from 'zod';
import { MAX_RESULT_ROWS, QUERY_TIMEOUT_MS } from '../limits.ts';
import { defineTool } from './define-tool.ts';
import { columns, connection, query, rows, timeoutMs } from './fields.ts';

export const runQuery = defineTool({
  name: 'run-query',
  title: 'Run a query',
  description:
    'Run a SQL query: one statement. Reads run in a state in which the database itself refuses writes. A write is shown to the person and runs only after a yes. The answer holds columns once and rows as arrays, at most 500 rows or 32 KiB; truncated says when there is more: narrow the query, raise limit, or use export-query for everything.',
  toolset: 'database',
  runsIn: 'sidecar',
  input: z.strictObject({
    query,
    limit: z
      .int()
      .min(1)
      .max(MAX_RESULT_ROWS)
      .optional()
      .describe('Most rows to return, 500 unless told, at most 10000 (and 1 MiB)'),
    timeoutMs,
    connection,
  }),
  output: z.object({
    columns,
    rows,
    rowCount: z.int(),
    truncated: z.boolean(),
    cut: z
      .array(z.object({ row: z.int(), column: z.int(), length: z.int() }))
      .optional()
      .describe('Cells cut at 4 KiB: zero-based row and column, and the full length in bytes'),
    affectedRows: z.int().optional().describe('Rows a write changed'),
    messages: z.array(z.string()).optional().describe('Notices and warnings of the engine'),
  }),
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
  errors: ['E_NO_CONNECTION', 'E_UNKNOWN_TABLE', 'E_SQL', 'E_READ_ONLY', 'E_CONFIRMATION_REQUIRED'],
  timeoutMs: QUERY_TIMEOUT_MS,
  text: { as: 'json' },
});
