import * as z from 'zod';
import { defineTool, READ_ONLY, READS } from '../define-tool.ts';

export const bridgeStatus = defineTool({
  name: 'bridge_status',
  title: 'Editor status',
  description: 'Whether the editor of this project is there and answers. Use it when editor tools fail.',
  toolset: 'debug',
  runsIn: 'sidecar',
  input: z.strictObject({}),
  output: z.object({
    healthy: z.boolean(),
    attached: z.boolean(),
    window: z.string().describe('The project'),
    editor: z.string().optional(),
    version: z.string().describe('Of DevDB'),
    lastSeen: z.string().optional().describe('When the editor went'),
  }),
  annotations: READ_ONLY,
  errors: [],
  timeoutMs: 5_000,
  text: { as: 'json' },
  words: READS,
  examples: [{ input: {}, gives: 'ok' }],
});
