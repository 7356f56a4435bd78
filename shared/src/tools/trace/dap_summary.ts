import * as z from 'zod';
import { cutFields } from '../debug/fields.ts';
import { defineTool, READ_ONLY, READS } from '../define-tool.ts';
import { counts, event, recordedSession, session } from './fields.ts';

export const dapSummary = defineTool({
  name: 'dap_summary',
  title: 'Session summary',
  description:
    'What a debug session did, in short: counts, exceptions, what failed, its last output. Use it first, after a session.',
  toolset: 'trace',
  runsIn: 'editor',
  input: z.strictObject({
    sessionId: recordedSession,
    compact: z.boolean().default(false).describe('Without samples'),
  }),
  output: z.object({
    session,
    counts,
    health: z.enum(['ok', 'failed', 'threw']),
    samples: z.array(event).optional(),
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
    { input: { compact: 1 }, gives: 'E_INVALID_PARAMS' },
  ],
});
