import * as z from 'zod';
import { defineTool, READ_ONLY } from '../define-tool.ts';
import { connection } from './fields.ts';
import { READS_DATABASE } from './words.ts';

export const getTables = defineTool({
  name: 'get-tables',
  title: 'Get tables',
  description:
    "Get list of tables in the project's database, views included. Start here when you do not know the schema; then get-schema for one table, or get-overview for all of them at once. Names outside the default schema read schema.table.",
  toolset: 'database',
  runsIn: 'sidecar',
  input: z.strictObject({ connection }),
  output: z.object({ tables: z.array(z.string()) }),
  annotations: READ_ONLY,
  errors: ['E_NO_CONNECTION', 'E_SQL'],
  timeoutMs: 10_000,
  text: { as: 'json', field: 'tables' },
  words: READS_DATABASE,
  examples: [
    { input: {}, gives: 'ok' },
    { input: { connection: 'no-such' }, gives: 'E_NO_CONNECTION' },
    { input: { nonsense: 1 }, gives: 'E_INVALID_PARAMS' },
  ],
});
