import * as z from 'zod';
import { nameText, plain } from '../../plain-text.ts';
import { defineTool } from '../define-tool.ts';
import { breakpoint, condition, line, sourcePath } from './fields.ts';
import { pathFact, SETS, SETS_BREAKPOINTS } from './words.ts';

export const breakpointSet = defineTool({
  name: 'breakpoint_set',
  aliases: ['breakpoint_add'],
  title: 'Set a breakpoint',
  description:
    'Set a breakpoint, or change the one on that line. Use it before debug_start, or while debugging. verified says whether the debugger bound it, line where.',
  toolset: 'debug',
  runsIn: 'editor',
  input: z.strictObject({
    path: sourcePath,
    line,
    condition,
    hitCondition: z.string().min(1).max(200).optional().describe('Stop from this hit on, e.g. 5 or >5'),
    logMessage: z.string().min(1).max(10_000).optional().describe('Print this instead of stopping, e.g. i is {i}'),
  }),
  output: z.object({ breakpoint }),
  annotations: SETS,
  errors: ['E_FILE_NOT_FOUND', 'E_INVALID_LINE', 'E_INVALID_PATH', 'E_OUTSIDE_PROJECT'],
  timeoutMs: 5_000,
  text: { as: 'json' },
  words: SETS_BREAKPOINTS,
  approval: {
    // Its condition and what it prints are code, which runs in whatever program comes by.
    isFinal: ({ condition, hitCondition, logMessage }) => [condition, hitCondition, logMessage].some(Boolean),
    question: ({ path, line, condition, hitCondition, logMessage }) => ({
      ask: plain`Set this breakpoint?`,
      ...codeOf([condition, hitCondition, logMessage]),
      facts: [
        pathFact(path),
        { label: plain`Line`, value: nameText(String(line)) },
        { label: plain`Runs`, value: plain`Code of a breakpoint runs in the program that reaches it.` },
      ],
    }),
    covers: (input) => JSON.stringify([input.condition, input.hitCondition, input.logMessage]),
    inOwnSession: true,
  },
  examples: [
    { input: { path: 'src/loop.js', line: 3 }, gives: 'ok' },
    { input: { path: 'src/loop.js', line: 3, condition: 'i === 2' }, given: 'a paused program', gives: 'ok' },
    { input: { path: 'src/nosuch.js', line: 3 }, gives: 'E_FILE_NOT_FOUND' },
    { input: { path: 'src', line: 3 }, gives: 'E_INVALID_PATH' },
    { input: { path: '../loop.js', line: 3 }, gives: 'E_OUTSIDE_PROJECT' },
    { input: { path: 'src/loop.js', line: 9_999 }, gives: 'E_INVALID_LINE' },
    { input: { path: 'src/loop.js', line: 0 }, gives: 'E_INVALID_PARAMS' },
    { input: { path: 'src/loop.js' }, gives: 'E_INVALID_PARAMS' },
    { input: { path: 'src/loop.js', line: '3' }, gives: 'E_INVALID_PARAMS' },
  ],
});

function codeOf(parts: readonly (string | undefined)[]): { statement?: string } {
  const code = parts.filter((part) => part !== undefined);
  return code.length === 0 ? {} : { statement: code.join('\n') };
}
