import * as z from 'zod';
import { planText } from '../../answer-texts.ts';
import { QUERY_TIMEOUT_MS } from '../../limits.ts';
import { planFlag, planNode } from '../../plans.ts';
import { defineTool, READ_ONLY } from '../define-tool.ts';
import { writtenAs } from '../written-as.ts';
import { connection, query, timeoutMs } from './fields.ts';
import { READS_BY_STATEMENT } from './words.ts';

const output = z.object({
  plan: z.array(planNode),
  flags: z.array(planFlag),
  analyzed: z.boolean(),
  measured: z.object({ rows: z.int(), durationMs: z.number() }).optional(),
});

export const explainQuery = defineTool({
  name: 'explain-query',
  title: 'Explain a query',
  description:
    'Show how the database would run a statement: its plan, warnings (full scan of a large table, rows misjudged) and the index that would help. Use it before heavy and for slow queries. A write is never run.',
  toolset: 'database',
  runsIn: 'sidecar',
  input: z.strictObject({
    query,
    analyze: z.boolean().optional().describe('Run a read and add measured rows and time'),
    timeoutMs,
    connection,
  }),
  output,
  annotations: READ_ONLY,
  errors: ['E_NO_CONNECTION', 'E_UNKNOWN_TABLE', 'E_SQL', 'E_READ_ONLY'],
  timeoutMs: QUERY_TIMEOUT_MS,
  text: writtenAs(output, planText),
  words: READS_BY_STATEMENT,
  examples: [
    { input: { query: 'SELECT * FROM customers WHERE id = 1' }, gives: 'ok' },
    { input: { query: 'DELETE FROM orders', analyze: true }, gives: 'E_READ_ONLY' },
    { input: { query: 'SELECT * FROM costumers' }, gives: 'E_UNKNOWN_TABLE' },
    { input: {}, gives: 'E_INVALID_PARAMS' },
  ],
});
