import * as z from 'zod';
import { defineTool, READ_ONLY } from '../define-tool.ts';
import { connection } from './fields.ts';
import { READS_DATABASE } from './words.ts';

export const SCHEMA_KINDS = ['table', 'column', 'view', 'routine'] as const;

export const searchSchema = defineTool({
  name: 'search-schema',
  title: 'Search schema',
  description:
    'Search tables, columns, views and routines by name. Use it on a large schema to find where something is stored, e.g. email or order_*. Case does not matter; without * or ? the pattern may stand anywhere in the name.',
  toolset: 'database',
  runsIn: 'sidecar',
  input: z.strictObject({
    pattern: z.string().min(1).max(200).describe('Part of a name, or a pattern with * and ?, e.g. user or *_id'),
    kind: z.enum(SCHEMA_KINDS).optional().describe('Only this kind: table, column, view or routine'),
    connection,
  }),
  output: z.object({
    matches: z.array(
      z.object({
        kind: z.enum(SCHEMA_KINDS),
        name: z.string(),
        table: z.string().optional(),
        type: z.string().optional(),
      }),
    ),
    total: z.int(),
    truncated: z.boolean(),
  }),
  annotations: READ_ONLY,
  errors: ['E_NO_CONNECTION', 'E_SQL'],
  timeoutMs: 10_000,
  text: { as: 'json' },
  words: READS_DATABASE,
  examples: [
    { input: { pattern: '*_id' }, gives: 'ok' },
    { input: { pattern: 'customers', kind: 'table' }, gives: 'ok' },
    { input: { pattern: 'x', kind: 'nonsense' }, gives: 'E_INVALID_PARAMS' },
  ],
});
