import * as z from 'zod';
import { pathText, plain } from '../../plain-text.ts';
import { defineTool } from '../define-tool.ts';
import { changedFiles, unsavedFiles } from './changes.ts';
import { codePath } from './fields.ts';

export const codeFormat = defineTool({
  name: 'code_format',
  title: 'Format a file',
  description: "Format a file with the editor's formatter for it, organize its imports, and save.",
  toolset: 'code',
  runsIn: 'editor',
  input: z.strictObject({
    path: codePath,
    organizeImports: z.boolean().default(true).describe('Sort imports, drop unused'),
  }),
  output: z.object({ changed: z.boolean(), changedFiles, unsavedFiles }),
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  errors: ['E_FILE_NOT_FOUND', 'E_OUTSIDE_PROJECT', 'E_NO_PROVIDER', 'E_EDIT_FAILED'],
  timeoutMs: 30_000,
  text: { as: 'json' },
  words: { effect: 'changes a file', beforeRun: 'It formats a file and saves it.' },
  approval: {
    question: ({ path, organizeImports }) => ({
      ask: plain`Format this file?`,
      facts: [
        { label: plain`File`, value: pathText(path) },
        { label: plain`Imports`, value: organizeImports ? plain`Organized too.` : plain`Left as they are.` },
      ],
    }),
    covers: () => 'code_format',
  },
  examples: [
    { input: { path: 'src/untidy.ts' }, gives: 'ok' },
    { input: { path: 'src/untidy.ts', organizeImports: false }, gives: 'ok' },
    { input: { path: 'src/nosuch.ts' }, gives: 'E_FILE_NOT_FOUND' },
    { input: { path: '../x.ts' }, gives: 'E_OUTSIDE_PROJECT' },
    { input: { path: 'src/notes.txt' }, gives: 'E_NO_PROVIDER' },
    { input: { path: 'src/untidy.ts', organizeImports: 'yes' }, gives: 'E_INVALID_PARAMS' },
  ],
});
