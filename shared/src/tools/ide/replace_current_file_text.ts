import * as z from 'zod';
import { plain } from '../../plain-text.ts';
import { defineTool } from '../define-tool.ts';
import { text } from './fields.ts';
import { WRITES_FILE, writeQuestion } from './words.ts';

export const replaceCurrentFileText = defineTool({
  name: 'replace_current_file_text',
  title: 'Replace the text of the open file',
  description: 'Replaces the whole text of the file in the active editor and saves it.',
  toolset: 'ide',
  runsIn: 'editor',
  input: z.strictObject({ text }),
  output: z.object({ result: z.literal('ok'), path: z.string().describe('Path from the project root') }),
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  errors: [
    'E_NO_ACTIVE_EDITOR',
    'E_FILE_NOT_FOUND',
    'E_FILE_TOO_LARGE',
    'E_NOT_TEXT',
    'E_OUTSIDE_PROJECT',
    'E_EDIT_FAILED',
  ],
  timeoutMs: 10_000,
  text: { as: 'raw', field: 'result' },
  words: WRITES_FILE,
  approval: {
    isFinal: () => false,
    question: (input) =>
      writeQuestion(plain`Replace the text of the open file?`, plain`The one in the active editor`, input.text),
    covers: () => 'replace_current_file_text',
  },
  examples: [
    { input: { text: 'export const open = true;\n' }, gives: 'ok' },
    { input: { text: 1 }, gives: 'E_INVALID_PARAMS' },
  ],
});
