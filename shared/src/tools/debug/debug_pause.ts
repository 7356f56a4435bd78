import * as z from 'zod';
import { plain } from '../../plain-text.ts';
import { defineTool } from '../define-tool.ts';
import { brief, outcomeFields, sessionId } from './fields.ts';
import { approvedInSession, CHANGES, MOVES_PROGRAM } from './words.ts';

export const debugPause = defineTool({
  name: 'debug_pause',
  title: 'Pause',
  description:
    'Stop the running program where it is, e.g. to see what keeps it busy. Answers where it stands. After debug_start.',
  toolset: 'debug',
  runsIn: 'editor',
  input: z.strictObject({ sessionId, brief }),
  output: z.object(outcomeFields),
  annotations: CHANGES,
  errors: ['E_NO_SESSION', 'E_NOT_PAUSED', 'E_INVALID_REFERENCE', 'E_NOT_SUPPORTED'],
  timeoutMs: 15_000,
  text: { as: 'json' },
  words: { ...MOVES_PROGRAM, afterTimeout: 'A program that waits for something may stop only when it comes.' },
  approval: approvedInSession(plain`Pause the debugged program?`),
  examples: [
    { input: {}, given: 'a paused program', gives: 'ok' },
    { input: {}, gives: 'E_NO_SESSION' },
    { input: { sessionId: 1 }, gives: 'E_INVALID_PARAMS' },
  ],
});
