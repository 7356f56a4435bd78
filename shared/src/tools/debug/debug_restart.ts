import * as z from 'zod';
import { plain } from '../../plain-text.ts';
import { defineTool } from '../define-tool.ts';
import { sessionId } from './fields.ts';
import { approvedInSession, RUNS_CODE } from './words.ts';

export const debugRestart = defineTool({
  name: 'debug_restart',
  title: 'Restart debugging',
  description:
    'Run the program of a debug session again, from its start. Use debug_wait_for_hit after it. After debug_start.',
  toolset: 'debug',
  runsIn: 'editor',
  input: z.strictObject({ sessionId }),
  output: z.object({ sessionId: z.string(), restarted: z.boolean() }),
  annotations: RUNS_CODE,
  errors: ['E_NO_SESSION', 'E_LAUNCH_FAILED'],
  timeoutMs: 60_000,
  text: { as: 'json' },
  words: { effect: 'runs a program', beforeRun: 'It runs the debugged program again.' },
  approval: approvedInSession(plain`Run the debugged program again?`),
  examples: [
    { input: {}, given: 'a paused program', gives: 'ok' },
    { input: {}, given: 'a debugger', gives: 'E_NO_SESSION' },
    { input: { sessionId: '' }, gives: 'E_INVALID_PARAMS' },
  ],
});
