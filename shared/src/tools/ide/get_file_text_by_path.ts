import * as z from 'zod';
import { defineTool, READ_ONLY, READS } from '../define-tool.ts';
import { byteLimit, cut, pathInProject } from './fields.ts';

export const getFileTextByPath = defineTool({
  name: 'get_file_text_by_path',
  title: 'Get the text of a file',
  description: "Text of a project file as the editor reads it: its encoding, and the user's unsaved changes.",
  toolset: 'ide',
  runsIn: 'editor',
  input: z.strictObject({
    pathInProject,
    offset: z.int().min(0).default(0).describe('Characters to skip'),
    limit: byteLimit,
  }),
  output: z.object({
    content: z.string(),
    path: z.string(),
    relativePath: z.string(),
    unsaved: z.literal(true).optional().describe('The user has not saved this text yet'),
    ...cut,
  }),
  annotations: READ_ONLY,
  errors: ['E_FILE_NOT_FOUND', 'E_FILE_TOO_LARGE', 'E_NOT_TEXT', 'E_OUTSIDE_PROJECT'],
  timeoutMs: 10_000,
  text: { as: 'json' },
  words: READS,
  examples: [
    { input: { pathInProject: 'src/greeting.ts' }, gives: 'ok' },
    { input: { pathInProject: 'src/greeting.ts', offset: 7, limit: 1_024 }, gives: 'ok' },
    { input: { pathInProject: 'src/nosuch.ts' }, gives: 'E_FILE_NOT_FOUND' },
    { input: { pathInProject: 'data/shop.db' }, gives: 'E_NOT_TEXT' },
    { input: { pathInProject: '../outside.ts' }, gives: 'E_OUTSIDE_PROJECT' },
    { input: {}, gives: 'E_INVALID_PARAMS' },
  ],
});
