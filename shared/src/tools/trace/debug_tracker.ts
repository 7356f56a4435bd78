import * as z from 'zod';
import { cutFields } from '../debug/fields.ts';
import { defineTool, READ_ONLY, READS } from '../define-tool.ts';
import { recordedSession, session } from './fields.ts';

export const debugTracker = defineTool({
  name: 'debug_tracker',
  title: 'Recorded sessions',
  description: 'Which debug sessions were recorded, what their debuggers can do, and how long they took to answer.',
  toolset: 'trace',
  runsIn: 'editor',
  input: z.strictObject({ sessionId: recordedSession }),
  output: z.object({
    sessions: z.array(
      z.object({
        ...session.shape,
        capabilities: z.array(z.string()),
        requests: z.array(
          z.object({ command: z.string(), count: z.int(), failed: z.int(), meanMs: z.number(), mostMs: z.number() }),
        ),
      }),
    ),
    ...cutFields,
  }),
  annotations: READ_ONLY,
  errors: ['E_SESSION_NOT_FOUND'],
  timeoutMs: 30_000,
  text: { as: 'json' },
  words: READS,
  examples: [
    { input: {}, gives: 'ok' },
    { input: { sessionId: 'no-such' }, gives: 'E_SESSION_NOT_FOUND' },
    { input: { sessionId: 1 }, gives: 'E_INVALID_PARAMS' },
  ],
});
