import * as z from 'zod';
import { plain } from '../../plain-text.ts';
import { defineTool } from '../define-tool.ts';
import { pathInProject, text } from './fields.ts';
import { fileApproval, WRITES_FILE } from './words.ts';

export const replaceFileTextByPath = defineTool({
  name: 'replace_file_text_by_path',
  title: 'Replace the text of a file',
  description:
    'Replaces the whole text of a project file through the editor (undo works, encoding and line ends stay) and saves it.',
  toolset: 'ide',
  runsIn: 'editor',
  input: z.strictObject({ pathInProject, text }),
  output: z.object({
    path: z.string(),
    relativePath: z.string(),
    size: z.int().describe('Bytes of the file now'),
    operationTimeMs: z.number(),
  }),
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  errors: ['E_FILE_NOT_FOUND', 'E_FILE_TOO_LARGE', 'E_NOT_TEXT', 'E_OUTSIDE_PROJECT', 'E_EDIT_FAILED'],
  timeoutMs: 10_000,
  text: { as: 'json' },
  words: WRITES_FILE,
  approval: fileApproval('replace_file_text_by_path', plain`Replace the text of this file?`),
  examples: [
    { input: { pathInProject: 'src/greeting.ts', text: 'export {};\n' }, gives: 'ok' },
    { input: { pathInProject: 'src/nosuch.ts', text: '' }, gives: 'E_FILE_NOT_FOUND' },
    { input: { pathInProject: 'data/shop.db', text: '' }, gives: 'E_NOT_TEXT' },
    { input: { pathInProject: '../outside.ts', text: '' }, gives: 'E_OUTSIDE_PROJECT' },
    { input: { pathInProject: 'src/greeting.ts' }, gives: 'E_INVALID_PARAMS' },
  ],
});
