import * as z from 'zod';
import { EXPORT_TIMEOUT_MS } from '../limits.ts';
import { defineTool } from './define-tool.ts';
import { connection, query, timeoutMs } from './fields.ts';

const EXPORT_FORMATS = ['csv', 'jsonl'] as const;

export const exportQuery = defineTool({
  name: 'export-query',
  title: 'Export a query to a file',
  description:
    'Write every row of a read to a new file inside the project, streamed, without size limit. Use it when run-query says truncated and all rows are needed. The file must not exist yet; a failed export leaves none behind.',
  toolset: 'database',
  runsIn: 'sidecar',
  input: z.strictObject({
    query,
    path: z
      .string()
      .min(1)
      .describe('New file inside the project, ending .csv or .jsonl as the format says, e.g. exports/users.csv'),
    format: z.enum(EXPORT_FORMATS).describe('csv (RFC 4180, header line) or jsonl (one object a line)'),
    timeoutMs,
    connection,
  }),
  output: z.object({ path: z.string(), rows: z.int(), bytes: z.int(), format: z.enum(EXPORT_FORMATS) }),
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  errors: ['E_NO_CONNECTION', 'E_UNKNOWN_TABLE', 'E_SQL', 'E_READ_ONLY', 'E_OUTSIDE_PROJECT'],
  timeoutMs: EXPORT_TIMEOUT_MS,
  text: { as: 'json' },
});
