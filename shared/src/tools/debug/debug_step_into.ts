import * as z from 'zod';
import { plain } from '../../plain-text.ts';
import { defineTool } from '../define-tool.ts';
import { brief, outcomeFields, sessionId, waitMs } from './fields.ts';
import { approvedInSession, behindWait, CHANGES, MOVES_PROGRAM } from './words.ts';

export const debugStepInto = defineTool({
  name: 'debug_step_into',
  title: 'Step into',
  description:
    'Step into the next call of the paused program. Answers where it stands then. After debug_start, at a stop.',
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
  approval: approvedInSession(plain`Step into the next call?`),
  examples: [
    { input: {}, given: 'a paused program', gives: 'ok' },
    { input: {}, gives: 'E_NO_SESSION' },
    { input: { sessionId: 'no-such' }, gives: 'E_NO_SESSION' },
    { input: { timeoutMs: 'long' }, gives: 'E_INVALID_PARAMS' },
  ],
});
