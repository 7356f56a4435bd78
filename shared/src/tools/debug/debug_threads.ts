import * as z from 'zod';
import { defineTool, READ_ONLY, READS } from '../define-tool.ts';
import { cutFields, sessionId } from './fields.ts';

export const debugThreads = defineTool({
  name: 'debug_threads',
  title: 'Threads',
  description: 'The threads of the debugged program, and which of them stand still. After debug_start.',
  toolset: 'debug',
  runsIn: 'editor',
  input: z.strictObject({ sessionId }),
  output: z.object({
    threads: z.array(z.object({ threadId: z.int(), name: z.string(), paused: z.boolean() })),
    ...cutFields,
  }),
  annotations: READ_ONLY,
  errors: ['E_NO_SESSION'],
  timeoutMs: 5_000,
  text: { as: 'json' },
  words: READS,
  examples: [
    { input: {}, given: 'a paused program', gives: 'ok' },
    { input: {}, gives: 'E_NO_SESSION' },
    { input: { sessionId: 3 }, gives: 'E_INVALID_PARAMS' },
  ],
});
