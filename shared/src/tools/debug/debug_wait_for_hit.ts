import * as z from 'zod';
import { defineTool, READ_ONLY, READS } from '../define-tool.ts';
import { brief, outcomeFields, sessionId, waitMs } from './fields.ts';
import { behindWait } from './words.ts';

export const debugWaitForHit = defineTool({
  name: 'debug_wait_for_hit',
  title: 'Wait for a breakpoint',
  description:
    'Wait until the program stops (breakpoint, exception, pause) or ends. Use it after debug_start. Answers at once if it stands already, and misses no stop since the start.',
  toolset: 'debug',
  runsIn: 'editor',
  input: z.strictObject({ sessionId, timeoutMs: waitMs, brief }),
  output: z.object(outcomeFields),
  annotations: READ_ONLY,
  errors: ['E_NO_SESSION', 'E_NOT_PAUSED', 'E_INVALID_REFERENCE'],
  timeoutMs: 305_000,
  deadlineMs: behindWait,
  text: { as: 'json' },
  words: READS,
  examples: [
    { input: {}, given: 'a paused program', gives: 'ok' },
    { input: {}, gives: 'E_NO_SESSION' },
    { input: { timeoutMs: 99 }, gives: 'E_INVALID_PARAMS' },
  ],
});
