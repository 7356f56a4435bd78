import * as z from 'zod';
import { cutFields } from '../debug/fields.ts';
import { defineTool, READ_ONLY, READS } from '../define-tool.ts';
import { count, event, recordedSession, session } from './fields.ts';

export const dapExceptions = defineTool({
  name: 'dap_exceptions',
  title: 'Exceptions',
  description: 'The exceptions at which a debug session stopped, with what the program printed before each.',
  toolset: 'trace',
  runsIn: 'editor',
  input: z.strictObject({
    sessionId: recordedSession,
    count,
    withContext: z.boolean().default(true).describe('With the output before'),
    contextLines: z.int().min(0).max(50).default(5).describe('Lines of output before'),
  }),
  output: z.object({
    exceptions: z.array(z.object({ ...event.shape, before: z.array(z.string()).optional() })),
    totalExceptions: z.int(),
    session,
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
    { input: { contextLines: -1 }, gives: 'E_INVALID_PARAMS' },
  ],
});
