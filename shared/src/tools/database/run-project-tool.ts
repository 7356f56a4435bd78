import * as z from 'zod';
import { QUERY_TIMEOUT_MS } from '../../limits.ts';
import { defineTool } from '../define-tool.ts';
import { runQuery } from './run-query.ts';
import { MAY_CHANGE_DATA } from './words.ts';

// Described one by one, so that each becomes its own schema: clients refuse a list of types.
const argument = z.union([
  z.string().describe('a text'),
  z.number().describe('a number'),
  z.boolean().describe('true or false'),
  z.null().describe('no value'),
]);

export const runProjectTool = defineTool({
  name: 'run-project-tool',
  title: "Run one of the project's own tools",
  description:
    "Run one of the project's own tools. Rules and limits are those of run-query: a write runs only after the user's yes.",
  toolset: 'database',
  runsIn: 'sidecar',
  input: z.strictObject({
    tool: z.string().min(1).max(128).describe('Name from list-project-tools'),
    arguments: z.record(z.string(), argument).optional().describe('Values by name, e.g. {"customer_id": 1}'),
  }),
  output: runQuery.output,
  annotations: runQuery.annotations,
  errors: [...runQuery.errors, 'E_NOT_FOUND'],
  timeoutMs: QUERY_TIMEOUT_MS,
  text: { as: 'rows' },
  words: MAY_CHANGE_DATA,
  examples: [
    { input: { tool: 'customer_count' }, gives: 'ok' },
    { input: { tool: 'customer.count', arguments: {} }, gives: 'ok' },
    { input: { tool: 'customer_cuont' }, gives: 'E_NOT_FOUND' },
    { input: { tool: 'customer_count', arguments: { id: 1 } }, gives: 'E_INVALID_PARAMS' },
    { input: { tool: 'customer_forget' }, gives: 'E_CONFIRMATION_REQUIRED' },
    { input: {}, gives: 'E_INVALID_PARAMS' },
  ],
});
