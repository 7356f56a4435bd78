import * as z from 'zod';
import { plain } from '../../plain-text.ts';
import { defineTool } from '../define-tool.ts';
import { brief, outcomeFields, sessionId, waitMs } from './fields.ts';
import { approvedInSession, behindWait, CHANGES, MOVES_PROGRAM } from './words.ts';

export const debugContinue = defineTool({
  name: 'debug_continue',
  title: 'Continue',
  description:
    'Let the paused program run on to its next stop or its end. The answer is that outcome, with place, source, locals and new output. After debug_start, at a stop.',
  toolset: 'debug',
  runsIn: 'editor',
  input: z.strictObject({ sessionId, timeoutMs: waitMs, brief }),
  output: z.object(outcomeFields),
  annotations: CHANGES,
  errors: ['E_NO_SESSION', 'E_NOT_PAUSED', 'E_INVALID_REFERENCE'],
  timeoutMs: 35_000,
  deadlineMs: behindWait,
  text: { as: 'json' },
  words: MOVES_PROGRAM,
  approval: approvedInSession(plain`Let the debugged program run on?`),
  examples: [
    { input: {}, given: 'a paused program', gives: 'ok' },
    { input: {}, gives: 'E_NO_SESSION' },
    { input: { sessionId: 'no-such' }, gives: 'E_NO_SESSION' },
    { input: { timeoutMs: 'long' }, gives: 'E_INVALID_PARAMS' },
  ],
});
