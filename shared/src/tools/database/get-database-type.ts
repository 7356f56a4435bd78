import * as z from 'zod';
import { defineTool, READ_ONLY } from '../define-tool.ts';
import { connection, engineType } from './fields.ts';
import { READS_DATABASE } from './words.ts';

export const getDatabaseType = defineTool({
  name: 'get-database-type',
  title: 'Get database type',
  description: 'Get database type (sqlite, postgres, mssql, or mysql2, also for MariaDB) to determine SQL syntax.',
  toolset: 'database',
  runsIn: 'sidecar',
  input: z.strictObject({ connection }),
  output: z.object({ type: engineType, product: z.string(), version: z.string() }),
  annotations: READ_ONLY,
  errors: ['E_NO_CONNECTION', 'E_SQL'],
  timeoutMs: 5_000,
  text: { as: 'raw', field: 'type' },
  words: READS_DATABASE,
  examples: [
    { input: {}, gives: 'ok' },
    { input: { connection: 'no-such' }, gives: 'E_NO_CONNECTION' },
    { input: { connection: 1 }, gives: 'E_INVALID_PARAMS' },
  ],
});
