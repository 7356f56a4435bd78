import * as z from 'zod';
import { defineTool, READ_ONLY, READS } from '../define-tool.ts';
import { cut } from './fields.ts';

export const getOpenInEditorFileText = defineTool({
  name: 'get_open_in_editor_file_text',
  title: 'Get the text of the open file',
  description: "Text of the file in the user's active editor, unsaved changes included; empty when none is open.",
  toolset: 'ide',
  runsIn: 'editor',
  input: z.strictObject({}),
  output: z.object({ text: z.string(), ...cut }),
  annotations: READ_ONLY,
  errors: ['E_FILE_NOT_FOUND', 'E_FILE_TOO_LARGE', 'E_NOT_TEXT', 'E_OUTSIDE_PROJECT'],
  timeoutMs: 10_000,
  text: { as: 'raw', field: 'text', note: 'rest' },
  words: READS,
  examples: [{ input: {}, gives: 'ok' }],
});
