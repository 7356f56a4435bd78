import * as z from 'zod';
import { plain } from '../../plain-text.ts';
import { defineTool } from '../define-tool.ts';
import { pathInProject, text } from './fields.ts';
import { fileApproval, WRITES_FILE } from './words.ts';

export const createNewFileWithText = defineTool({
  name: 'create_new_file_with_text',
  title: 'Create a file',
  description: 'Creates a project file, with its folders; never replaces one.',
  toolset: 'ide',
  runsIn: 'editor',
  input: z.strictObject({ pathInProject, text }),
  output: z.object({ path: z.string(), relativePath: z.string(), operationTimeMs: z.number() }),
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  errors: ['E_ALREADY_EXISTS', 'E_OUTSIDE_PROJECT', 'E_EDIT_FAILED'],
  timeoutMs: 10_000,
  text: { as: 'json' },
  words: WRITES_FILE,
  approval: fileApproval('create_new_file_with_text', plain`Create this file?`),
  examples: [
    { input: { pathInProject: 'src/new/words.ts', text: 'export {};\n' }, gives: 'ok' },
    { input: { pathInProject: 'src/greeting.ts', text: '' }, gives: 'E_ALREADY_EXISTS' },
    { input: { pathInProject: '../outside.ts', text: '' }, gives: 'E_OUTSIDE_PROJECT' },
    { input: { text: '' }, gives: 'E_INVALID_PARAMS' },
  ],
});
