import * as z from 'zod';
import { pathText, plain } from '../../plain-text.ts';
import { defineTool } from '../define-tool.ts';

export const openFileInEditor = defineTool({
  name: 'open_file_in_editor',
  title: 'Open a file in the editor',
  description: 'Shows a file of the project to the user, in a tab.',
  toolset: 'ide',
  runsIn: 'editor',
  input: z.strictObject({
    filePath: z.string().min(1).max(4_096).describe('Absolute, or from the project root'),
  }),
  output: z.object({ result: z.literal('file is opened') }),
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  errors: ['E_FILE_NOT_FOUND', 'E_OUTSIDE_PROJECT', 'E_EDIT_FAILED'],
  timeoutMs: 10_000,
  text: { as: 'raw', field: 'result' },
  words: { effect: 'opens a file', beforeRun: 'It opens a file in front of you.' },
  approval: {
    question: ({ filePath }) => ({
      ask: plain`Open this file?`,
      facts: [{ label: plain`File`, value: pathText(filePath) }],
    }),
    covers: () => 'open_file_in_editor',
  },
  examples: [
    { input: { filePath: 'src/greeting.ts' }, gives: 'ok' },
    { input: { filePath: 'src/nosuch.ts' }, gives: 'E_FILE_NOT_FOUND' },
    { input: { filePath: '../outside.ts' }, gives: 'E_OUTSIDE_PROJECT' },
    { input: {}, gives: 'E_INVALID_PARAMS' },
  ],
});
