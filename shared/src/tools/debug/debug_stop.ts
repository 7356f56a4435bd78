import * as z from 'zod';
import { plain } from '../../plain-text.ts';
import { defineTool } from '../define-tool.ts';
import { sessionId } from './fields.ts';
import { approvedInSession, RUNS_CODE } from './words.ts';

export const debugStop = defineTool({
  name: 'debug_stop',
  title: 'Stop debugging',
  description: 'End a debug session and its program; a program that was attached to runs on. After debug_start.',
  toolset: 'debug',
  runsIn: 'editor',
  input: z.strictObject({ sessionId }),
  output: z.object({ sessionId: z.string(), status: z.literal('terminated'), exitCode: z.int().optional() }),
  annotations: { ...RUNS_CODE, openWorldHint: false },
  errors: ['E_NO_SESSION'],
  timeoutMs: 15_000,
  text: { as: 'json' },
  words: {
    effect: 'ends the debugged program',
    beforeRun: 'It ends the program that is being debugged.',
    afterTimeout: 'The program may take its time to end: debug_status says whether it has.',
  },
  approval: approvedInSession(plain`End this debug session?`),
  examples: [
    { input: {}, given: 'a paused program', gives: 'ok' },
    { input: {}, given: 'a debugger', gives: 'E_NO_SESSION' },
    { input: { sessionId: '' }, gives: 'E_INVALID_PARAMS' },
  ],
});
