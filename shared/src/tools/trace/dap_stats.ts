import * as z from 'zod';
import { cutFields } from '../debug/fields.ts';
import { defineTool, READ_ONLY, READS } from '../define-tool.ts';
import { recordedSession } from './fields.ts';

export const dapStats = defineTool({
  name: 'dap_stats',
  title: 'Statistics',
  description: 'How much a debug session printed, by category, source file, hour or session.',
  toolset: 'trace',
  runsIn: 'editor',
  input: z.strictObject({
    sessionId: recordedSession,
    groupBy: z.enum(['category', 'source', 'hour', 'session']).default('category').describe('What tells groups apart'),
  }),
  output: z.object({
    distribution: z.array(z.object({ group: z.string(), events: z.int(), characters: z.int() })),
    totalEvents: z.int(),
    ...cutFields,
  }),
  annotations: READ_ONLY,
  errors: ['E_NO_SESSION', 'E_SESSION_NOT_FOUND'],
  timeoutMs: 30_000,
  text: { as: 'json' },
  words: READS,
  examples: [
    { input: {}, given: 'a paused program', gives: 'ok' },
    { input: { sessionId: 'no-such' }, gives: 'E_SESSION_NOT_FOUND' },
    { input: { groupBy: 'x' }, gives: 'E_INVALID_PARAMS' },
  ],
});
