import * as z from 'zod';
import { cutFields } from '../debug/fields.ts';
import { defineTool, READ_ONLY, READS } from '../define-tool.ts';
import { count, event, outputCategory, recordedSession, session } from './fields.ts';

export const dapLogs = defineTool({
  name: 'dap_logs',
  title: 'Session output',
  description: 'What a debugged program printed, live or after its end: the last of it, in order.',
  toolset: 'trace',
  runsIn: 'editor',
  input: z.strictObject({
    sessionId: recordedSession,
    count,
    category: outputCategory,
    search: z.string().min(1).max(1_000).optional().describe('Only lines with this text, e.g. error'),
    since: z.int().min(0).optional().describe('Only after this at'),
    reverse: z.boolean().default(false).describe('Newest first'),
  }),
  output: z.object({ logs: z.array(event), matched: z.int(), total: z.int(), session, ...cutFields }),
  annotations: READ_ONLY,
  errors: ['E_NO_SESSION', 'E_SESSION_NOT_FOUND'],
  timeoutMs: 30_000,
  text: { as: 'json' },
  words: READS,
  examples: [
    { input: {}, given: 'a paused program', gives: 'ok' },
    { input: { sessionId: 'no-such' }, gives: 'E_SESSION_NOT_FOUND' },
    { input: { count: 0 }, gives: 'E_INVALID_PARAMS' },
  ],
});
