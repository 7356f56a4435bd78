import * as z from 'zod';
import { pathText, plain } from '../../plain-text.ts';
import { defineTool } from '../define-tool.ts';

export const toggleDebuggerBreakpoint = defineTool({
  name: 'toggle_debugger_breakpoint',
  title: 'Toggle a breakpoint',
  description: 'Set a breakpoint where there is none, or remove the one that is there.',
  toolset: 'ide',
  runsIn: 'editor',
  input: z.strictObject({
    filePathInProject: z.string().min(1).max(4_096).describe('From the project root'),
    line: z.int().min(1).max(10_000_000).describe('The first is 1'),
  }),
  output: z.object({ result: z.enum(['Breakpoint added', 'Breakpoint removed']) }),
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  errors: ['E_FILE_NOT_FOUND', 'E_OUTSIDE_PROJECT', 'E_INVALID_LINE'],
  timeoutMs: 5_000,
  text: { as: 'raw', field: 'result' },
  words: { effect: 'changes breakpoints', beforeRun: 'It sets or removes a breakpoint.' },
  approval: {
    question: ({ filePathInProject, line }) => ({
      ask: plain`Set or remove this breakpoint?`,
      facts: [
        { label: plain`File`, value: pathText(filePathInProject) },
        { label: plain`Line`, value: plain`${line}` },
      ],
    }),
    covers: () => 'toggle_debugger_breakpoint',
  },
  examples: [
    { input: { filePathInProject: 'src/greeting.ts', line: 2 }, gives: 'ok' },
    { input: { filePathInProject: 'src/greeting.ts', line: 2000 }, gives: 'E_INVALID_LINE' },
    { input: { filePathInProject: 'src/nosuch.ts', line: 1 }, gives: 'E_FILE_NOT_FOUND' },
    { input: { filePathInProject: '../greeting.ts', line: 1 }, gives: 'E_OUTSIDE_PROJECT' },
    { input: { filePathInProject: 'src/greeting.ts', line: 0 }, gives: 'E_INVALID_PARAMS' },
  ],
});
