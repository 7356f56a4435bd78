import * as z from 'zod';
import { connectionsText } from '../../answer-texts.ts';
import { defineTool, READ_ONLY } from '../define-tool.ts';
import { writtenAs } from '../written-as.ts';
import { engineType } from './fields.ts';
import { READS_DATABASE } from './words.ts';

const output = z.object({
  connections: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      type: engineType,
      target: z.string().describe('File or host, port and database; never a password'),
      source: z.object({ file: z.string(), line: z.int().optional(), by: z.string() }),
      isDefault: z.boolean(),
      trusted: z.boolean(),
      needsTrust: z.string().optional().describe('Why it is connected only after an approval'),
      guard: z.enum(['enforced', 'guarded']),
      guardReason: z.string(),
    }),
  ),
  skipped: z.array(z.object({ file: z.string(), line: z.int().optional(), reason: z.string() })),
});

export const listConnections = defineTool({
  name: 'list-connections',
  title: 'List connections',
  description:
    'List the databases found for the project: ids for the field connection, where each was found, the default, how well reads are guarded, and what was skipped and why. Connects to none.',
  toolset: 'database',
  runsIn: 'sidecar',
  input: z.strictObject({}),
  output,
  annotations: READ_ONLY,
  errors: [],
  timeoutMs: 10_000,
  text: writtenAs(output, connectionsText),
  words: READS_DATABASE,
  examples: [{ input: {}, gives: 'ok' }],
});
