import * as z from 'zod';
import { plain } from '../../plain-text.ts';
import { defineTool } from '../define-tool.ts';
import { text } from './fields.ts';
import { WRITES_FILE, writeQuestion } from './words.ts';

export const replaceSelectedText = defineTool({
  name: 'replace_selected_text',
  title: 'Replace the selected text',
  description:
    "Replaces what the user has selected in the active editor, and saves unless the user's own changes wait.",
  toolset: 'ide',
  runsIn: 'editor',
  input: z.strictObject({ text }),
  output: z.object({
    result: z.literal('ok'),
    path: z.string().describe('Path from the project root'),
    note: z.string().optional(),
  }),
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  errors: [
    'E_NO_ACTIVE_EDITOR',
    'E_NO_SELECTION',
    'E_FILE_NOT_FOUND',
    'E_FILE_TOO_LARGE',
    'E_NOT_TEXT',
    'E_OUTSIDE_PROJECT',
    'E_EDIT_FAILED',
  ],
  timeoutMs: 10_000,
  text: { as: 'raw', field: 'result', note: 'note' },
  words: WRITES_FILE,
  approval: {
    question: (input) =>
      writeQuestion(plain`Replace the selected text?`, plain`The one in the active editor`, input.text),
    covers: () => 'replace_selected_text',
  },
  examples: [
    { input: { text: 'export' }, gives: 'ok' },
    { input: {}, gives: 'E_INVALID_PARAMS' },
  ],
});
