import * as z from 'zod';
import { QUERY_TIMEOUT_MS } from '../../limits.ts';
import { defineTool } from '../define-tool.ts';
import { connection, query, timeoutMs } from './fields.ts';
import { limit, resultFields } from './result-fields.ts';
import { MAY_CHANGE_DATA } from './words.ts';

export const runQuery = defineTool({
  name: 'run-query',
  title: 'Run a query',
  description:
    'Run a SQL query. Reads cannot write: the database itself refuses it. A write is shown to the user and runs only after a yes. At most 500 rows or 32 KiB; when truncated, narrow it, raise limit, or use export-query.',
  toolset: 'database',
  runsIn: 'sidecar',
  input: z.strictObject({
    query,
    limit,
    timeoutMs,
    connection,
  }),
  output: z.object({
    ...resultFields,
    affectedRows: z.int().optional().describe('Rows a write changed'),
  }),
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
  errors: ['E_NO_CONNECTION', 'E_UNKNOWN_TABLE', 'E_SQL', 'E_READ_ONLY'],
  timeoutMs: QUERY_TIMEOUT_MS,
  text: { as: 'rows' },
  words: MAY_CHANGE_DATA,
  examples: [
    { input: { query: 'SELECT id, name FROM customers ORDER BY id' }, gives: 'ok' },
    { input: { query: 'SELECT id FROM customers', limit: 1 }, gives: 'ok' },
    { input: { query: 'SELEC 1' }, gives: 'E_SQL' },
    { input: { query: 'INSERT INTO costumers VALUES (1)' }, gives: 'E_UNKNOWN_TABLE' },
    { input: { query: 'SELECT nosuch FROM customers' }, gives: 'E_SQL' },
    { input: { query: 'SELECT * FROM costumers' }, gives: 'E_UNKNOWN_TABLE' },
    { input: { query: 'DELETE FROM orders' }, gives: 'E_CONFIRMATION_REQUIRED' },
    { input: { query: "ATTACH 'x.db' AS x" }, gives: 'E_READ_ONLY' },
    { input: { query: 'SELECT 1; DELETE FROM orders' }, gives: 'E_SQL' },
    {
      input: {
        query: 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n) SELECT count(*) FROM n',
        timeoutMs: 150,
      },
      gives: 'E_TIMEOUT',
    },
    { input: { query: '' }, gives: 'E_INVALID_PARAMS' },
    { input: { query: 'SELECT 1', limit: 10_001 }, gives: 'E_INVALID_PARAMS' },
    { input: { query: 'SELECT 1', timeoutMs: 600_001 }, gives: 'E_INVALID_PARAMS' },
  ],
});
