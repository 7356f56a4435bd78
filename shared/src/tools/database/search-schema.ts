import * as z from 'zod';
import { searchText } from '../../answer-texts.ts';
import { defineTool, READ_ONLY } from '../define-tool.ts';
import { writtenAs } from '../written-as.ts';
import { connection } from './fields.ts';
import { READS_DATABASE } from './words.ts';

export const SCHEMA_KINDS = ['table', 'column', 'view', 'routine', 'index', 'key'] as const;

const output = z.object({
  matches: z.array(
    z.object({
      kind: z.enum(SCHEMA_KINDS),
      name: z.string(),
      table: z.string().optional(),
      type: z.string().optional(),
      comment: z.string().optional(),
    }),
  ),
  total: z.int(),
  truncated: z.boolean(),
  near: z.array(z.string()).optional().describe('Names that may have been meant, when nothing matches'),
});

export const searchSchema = defineTool({
  name: 'search-schema',
  title: 'Search schema',
  description:
    'Find tables, columns, views, routines, indexes and keys by name or comment. All words must match (order total); | separates alternatives (email|phone); with * or ? the whole name must match.',
  toolset: 'database',
  runsIn: 'sidecar',
  input: z.strictObject({
    pattern: z.string().min(1).max(200).describe('Words or patterns'),
    kind: z.enum(SCHEMA_KINDS).optional().describe('Only this kind'),
    connection,
  }),
  output,
  annotations: READ_ONLY,
  errors: ['E_NO_CONNECTION', 'E_SQL'],
  timeoutMs: 10_000,
  text: writtenAs(output, searchText),
  words: READS_DATABASE,
  examples: [
    { input: { pattern: '*_id' }, gives: 'ok' },
    { input: { pattern: 'customers', kind: 'table' }, gives: 'ok' },
    { input: { pattern: 'x', kind: 'nonsense' }, gives: 'E_INVALID_PARAMS' },
  ],
});
