import * as z from 'zod';
import { nameText, plain } from '../../plain-text.ts';
import { defineTool } from '../define-tool.ts';
import { line, outcomeFields, sourcePath, waitMs } from './fields.ts';
import { behindWait, pathFact, RUNS_CODE } from './words.ts';

export const testDebugSingle = defineTool({
  name: 'test_debug_single',
  title: 'Debug a test',
  description:
    'Debug the test on a line with the test extension that the editor has, and wait for the first stop or the end. Set breakpoints first. It opens the file.',
  toolset: 'debug',
  runsIn: 'editor',
  input: z.strictObject({ path: sourcePath, line, column: line.default(1), timeoutMs: waitMs }),
  output: z.object({ ...outcomeFields, sessionName: z.string(), testLine: z.string() }),
  annotations: RUNS_CODE,
  errors: [
    'E_NO_TEST_AT_CURSOR',
    'E_API_UNAVAILABLE',
    'E_FILE_NOT_FOUND',
    'E_INVALID_PATH',
    'E_INVALID_LINE',
    'E_OUTSIDE_PROJECT',
    'E_LAUNCH_FAILED',
    'E_NOT_PAUSED',
    'E_INVALID_REFERENCE',
  ],
  timeoutMs: 60_000,
  deadlineMs: behindWait,
  text: { as: 'json' },
  words: { effect: 'runs a test', beforeRun: 'It runs a test under the debugger.' },
  approval: {
    question: ({ path, line }) => ({
      ask: plain`Run this test under the debugger?`,
      facts: [pathFact(path), { label: plain`Line`, value: nameText(String(line)) }],
    }),
    covers: ({ path }) => path,
  },
  examples: [
    { input: { path: 'src/greeting.spec.js', line: 4 }, given: 'a debugger', gives: 'ok' },
    { input: { path: 'src/greeting.spec.js', line: 1 }, given: 'a debugger', gives: 'E_NO_TEST_AT_CURSOR' },
    { input: { path: 'src/nosuch.js', line: 1 }, given: 'a debugger', gives: 'E_FILE_NOT_FOUND' },
    { input: { path: 'src/loop.js', line: 999 }, given: 'a debugger', gives: 'E_INVALID_LINE' },
    { input: { path: 'src/loop.js' }, gives: 'E_INVALID_PARAMS' },
  ],
});
