import * as z from 'zod';
import { RUN_QUERIES_TIMEOUT_MS, WAIT_GRACE_MS } from '../../limits.ts';
import { defineTool, READ_ONLY, READS } from '../define-tool.ts';
import { connection, query, timeoutMs } from './fields.ts';
import { limit, resultFields } from './result-fields.ts';

const MOST_QUERIES = 12;

export const runQueries = defineTool({
  name: 'run-queries',
  title: 'Run several reads',
  description:
    'Run up to 12 reads in one call, answered in order; one that fails says so in its place. They share 500 rows and 32 KiB: large answers are cut, never small ones. Writes: run-query.',
  toolset: 'database',
  runsIn: 'sidecar',
  input: z.strictObject({
    queries: z.array(query).min(1).max(MOST_QUERIES).describe('One read each'),
    limit,
    timeoutMs: timeoutMs.describe('For all together; 60000 by default'),
    connection,
  }),
  output: z.object({
    answers: z.array(
      z.union([
        z.object({ query: z.int().describe('Its number in queries, from 1'), ...resultFields }),
        z.object({
          query: z.int(),
          error: z.object({ code: z.string(), message: z.string(), hint: z.string().optional() }),
        }),
      ]),
    ),
  }),
  annotations: READ_ONLY,
  errors: ['E_NO_CONNECTION'],
  timeoutMs: RUN_QUERIES_TIMEOUT_MS,
  // What was answered in time is worth having: the handler ends before the gate does.
  deadlineMs: (input) => (input.timeoutMs ?? RUN_QUERIES_TIMEOUT_MS) + WAIT_GRACE_MS,
  text: { as: 'answers' },
  words: READS,
  examples: [
    { input: { queries: ['SELECT id, name FROM customers ORDER BY id', 'SELECT count(*) FROM orders'] }, gives: 'ok' },
    { input: { queries: ['SELECT nosuch FROM customers', 'DELETE FROM orders', 'SELECT 1'] }, gives: 'ok' },
    { input: { queries: [] }, gives: 'E_INVALID_PARAMS' },
    { input: { queries: Array.from({ length: MOST_QUERIES + 1 }, () => 'SELECT 1') }, gives: 'E_INVALID_PARAMS' },
    { input: { query: 'SELECT 1' }, gives: 'E_INVALID_PARAMS' },
  ],
});
