import * as z from 'zod';
import { defineTool } from '../define-tool.ts';
import { cutFields, expression, frameId, resultFields, sessionId } from './fields.ts';
import { approvedCode, RUNS_CODE, RUNS_IN_PROGRAM } from './words.ts';

export const debugEvaluate = defineTool({
  name: 'debug_evaluate',
  title: 'Evaluate',
  description:
    'Evaluate an expression where the program stands. Use after debug_start, at a stop. It runs in the program and may change it; open a result with debug_get_variable.',
  toolset: 'debug',
  runsIn: 'editor',
  input: z.strictObject({
    expression,
    frameId: frameId.optional(),
    context: z.enum(['repl', 'watch', 'hover']).default('repl').describe('How it is meant'),
    sessionId,
  }),
  output: z.object({ result: z.string(), ...resultFields, ...cutFields }),
  annotations: RUNS_CODE,
  errors: ['E_NO_SESSION', 'E_EVALUATE_FAILED', 'E_INVALID_REFERENCE', 'E_NOT_PAUSED'],
  timeoutMs: 10_000,
  text: { as: 'json' },
  words: RUNS_IN_PROGRAM,
  approval: approvedCode(),
  examples: [
    { input: { expression: 'i + 1' }, given: 'a paused program', gives: 'ok' },
    { input: { expression: 'nosuch.field' }, given: 'a paused program', gives: 'E_EVALUATE_FAILED' },
    { input: { expression: 'i', frameId: 1_000_000 }, given: 'a paused program', gives: 'E_INVALID_REFERENCE' },
    { input: { expression: 'i' }, given: 'a debugger', gives: 'E_NO_SESSION' },
    { input: { expression: 1 }, gives: 'E_INVALID_PARAMS' },
    { input: {}, gives: 'E_INVALID_PARAMS' },
  ],
});
