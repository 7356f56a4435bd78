import * as z from 'zod';
import { nameText, pathText, plain } from '../../plain-text.ts';
import { defineTool } from '../define-tool.ts';
import { changedFiles, unsavedFiles } from './changes.ts';
import { codePath, line, rest, truncated } from './fields.ts';

export const codeActions = defineTool({
  name: 'code_actions',
  title: 'List or apply code actions',
  description: 'Quick fixes and refactorings offered at a line or for a file; apply makes one and saves.',
  toolset: 'code',
  runsIn: 'editor',
  input: z.strictObject({
    path: codePath,
    line,
    kind: z.string().optional().describe('E.g. quickfix'),
    apply: z.string().optional().describe('Title of one'),
  }),
  output: z.object({
    actions: z.array(z.object({ title: z.string(), kind: z.string().optional() })),
    applied: z.string().optional(),
    changedFiles,
    unsavedFiles,
    truncated,
    rest,
  }),
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  errors: ['E_FILE_NOT_FOUND', 'E_OUTSIDE_PROJECT', 'E_NO_PROVIDER', 'E_NOT_FOUND', 'E_EDIT_FAILED'],
  timeoutMs: 30_000,
  text: { as: 'json' },
  words: { effect: 'changes files with apply', beforeRun: 'With apply it changes files as the action says.' },
  approval: {
    changes: ({ apply }) => apply !== undefined,
    question: ({ path, apply = '' }) => ({
      ask: plain`Apply this code action?`,
      facts: [
        { label: plain`Action`, value: nameText(apply) },
        { label: plain`File`, value: pathText(path) },
      ],
    }),
    covers: () => 'code_actions',
  },
  examples: [
    { input: { path: 'src/untidy.ts', kind: 'source' }, gives: 'ok' },
    { input: { path: 'src/untidy.ts', kind: 'source', apply: 'Organize Imports' }, gives: 'ok' },
    { input: { path: 'src/untidy.ts', line: 3, apply: 'No such action' }, gives: 'E_NOT_FOUND' },
    { input: { path: 'src/nosuch.ts' }, gives: 'E_FILE_NOT_FOUND' },
    { input: { path: '../x.ts' }, gives: 'E_OUTSIDE_PROJECT' },
    { input: { path: 'src/notes.txt' }, gives: 'E_NO_PROVIDER' },
    { input: { path: 'src/main.ts', line: 0 }, gives: 'E_INVALID_PARAMS' },
  ],
});
