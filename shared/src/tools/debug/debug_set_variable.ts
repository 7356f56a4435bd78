import * as z from 'zod';
import { nameText, plain } from '../../plain-text.ts';
import { defineTool } from '../define-tool.ts';
import { resultFields, sessionId, variablesReference } from './fields.ts';
import { RUNS_CODE, RUNS_IN_PROGRAM } from './words.ts';

export const debugSetVariable = defineTool({
  name: 'debug_set_variable',
  aliases: ['variable_set'],
  title: 'Set a variable',
  description:
    'Change a variable where the program stands, e.g. to try a fix before writing it. After debug_start, at a stop.',
  toolset: 'debug',
  runsIn: 'editor',
  input: z.strictObject({
    name: z.string().min(1).max(1_000).describe('As debug_list_variables has it'),
    value: z.string().max(10_000).describe('An expression in the language of the program, e.g. 42 or "text"'),
    variablesReference: variablesReference.optional().describe('Of the object or scope that holds it'),
    sessionId,
  }),
  output: z.object({ name: z.string(), value: z.string(), ...resultFields }),
  annotations: RUNS_CODE,
  errors: [
    'E_NO_SESSION',
    'E_NOT_PAUSED',
    'E_INVALID_REFERENCE',
    'E_VARIABLE_NOT_FOUND',
    'E_SET_FAILED',
    'E_NOT_SUPPORTED',
  ],
  timeoutMs: 10_000,
  text: { as: 'json' },
  words: RUNS_IN_PROGRAM,
  approval: {
    question: ({ name, value }) => ({
      ask: plain`Change this variable of the debugged program?`,
      statement: value,
      facts: [{ label: plain`Variable`, value: nameText(name) }],
    }),
    covers: ({ name, value }) => JSON.stringify([name, value]),
    inOwnSession: true,
  },
  examples: [
    { input: { name: 'sum', value: '40' }, given: 'a paused program', gives: 'ok' },
    { input: { name: 'nosuch', value: '1' }, given: 'a paused program', gives: 'E_VARIABLE_NOT_FOUND' },
    { input: { name: 'sum', value: '1 +' }, given: 'a paused program', gives: 'E_SET_FAILED' },
    { input: { name: 'sum', value: '1' }, given: 'a debugger', gives: 'E_NO_SESSION' },
    { input: { name: 'sum' }, gives: 'E_INVALID_PARAMS' },
  ],
});
