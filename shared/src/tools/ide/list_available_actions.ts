import * as z from 'zod';
import { defineTool, READ_ONLY, READS } from '../define-tool.ts';

export const listAvailableActions = defineTool({
  name: 'list_available_actions',
  title: 'List editor actions',
  description:
    'Actions (commands) of the editor and its extensions with their titles, for execute_action_by_id. There are thousands: pass filter.',
  toolset: 'ide',
  runsIn: 'editor',
  input: z.strictObject({
    filter: z.string().max(200).optional().describe('Words that the id or title contains, without case'),
    limit: z.int().min(1).max(10_000).optional().describe('Most actions; 32 KiB when left out'),
  }),
  output: z.object({
    actions: z.array(z.object({ id: z.string(), text: z.string() })),
    truncated: z.boolean(),
    rest: z.string().optional(),
  }),
  annotations: READ_ONLY,
  errors: [],
  timeoutMs: 10_000,
  text: { as: 'json' },
  words: READS,
  examples: [
    { input: { filter: 'format document' }, gives: 'ok' },
    { input: { limit: 0 }, gives: 'E_INVALID_PARAMS' },
  ],
});
