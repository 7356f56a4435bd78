import * as z from 'zod';
import { schemaText } from '../../answer-texts.ts';
import { defineTool, READ_ONLY } from '../define-tool.ts';
import { writtenAs } from '../written-as.ts';
import { connection, table } from './fields.ts';
import { READS_DATABASE } from './words.ts';

const output = z.object({
  schema: z.string(),
  referencedBy: z.array(z.string()).optional().describe('Foreign keys of other tables that point here'),
});

export const getSchema = defineTool({
  name: 'get-schema',
  title: 'Get table schema',
  description:
    'Get schema for specified table or view: its CREATE statement with defaults, keys, checks, indexes and comments, and which tables reference it.',
  toolset: 'database',
  runsIn: 'sidecar',
  input: z.strictObject({ table, connection }),
  output,
  annotations: READ_ONLY,
  errors: ['E_NO_CONNECTION', 'E_UNKNOWN_TABLE', 'E_SQL'],
  timeoutMs: 10_000,
  text: writtenAs(output, schemaText),
  words: READS_DATABASE,
  examples: [
    { input: { table: 'customers' }, gives: 'ok' },
    { input: { table: 'revenue' }, gives: 'ok' },
    { input: { table: 'costumers' }, gives: 'E_UNKNOWN_TABLE' },
    { input: {}, gives: 'E_INVALID_PARAMS' },
  ],
});
