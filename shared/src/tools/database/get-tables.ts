import * as z from 'zod';
import { defineTool, READ_ONLY } from '../define-tool.ts';
import { connection } from './fields.ts';
import { READS_DATABASE } from './words.ts';

export const getTables = defineTool({
  name: 'get-tables',
  title: 'Get tables',
  description:
    "Get list of tables in the project's database, views included; outside the default schema as schema.table.",
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
