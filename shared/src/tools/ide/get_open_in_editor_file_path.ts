import * as z from 'zod';
import { defineTool, READ_ONLY, READS } from '../define-tool.ts';

export const getOpenInEditorFilePath = defineTool({
  name: 'get_open_in_editor_file_path',
  title: 'Get the path of the open file',
  description: "Absolute path of the file in the user's active editor; empty when none is open.",
  toolset: 'ide',
  runsIn: 'editor',
  input: z.strictObject({}),
  output: z.object({ path: z.string() }),
  annotations: READ_ONLY,
  errors: ['E_OUTSIDE_PROJECT'],
  timeoutMs: 5_000,
  text: { as: 'raw', field: 'path' },
  words: READS,
  examples: [{ input: {}, gives: 'ok' }],
});
