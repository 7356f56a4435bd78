import * as z from 'zod';
import { defineTool, READ_ONLY, READS } from '../define-tool.ts';
import { cut, fileLimit, pathInProject } from './fields.ts';

export const listFilesInFolder = defineTool({
  name: 'list_files_in_folder',
  title: 'List a folder',
  description: 'Files and folders in one folder of the project, not below it.',
  toolset: 'ide',
  runsIn: 'editor',
  input: z.strictObject({
    pathInProject: pathInProject.describe('Folder from the project root; / is the root'),
    limit: fileLimit,
  }),
  output: z.object({
    entries: z.array(
      z.object({
        name: z.string(),
        type: z.enum(['file', 'directory', 'link']).describe('link: one that leads out of the project or nowhere'),
        path: z.string(),
      }),
    ),
    ...cut,
  }),
  annotations: READ_ONLY,
  errors: ['E_FILE_NOT_FOUND', 'E_OUTSIDE_PROJECT'],
  timeoutMs: 10_000,
  text: { as: 'json', field: 'entries', note: 'rest' },
  words: READS,
  examples: [
    { input: { pathInProject: '/' }, gives: 'ok' },
    { input: { pathInProject: 'src' }, gives: 'ok' },
    { input: { pathInProject: 'nosuch' }, gives: 'E_FILE_NOT_FOUND' },
    { input: { pathInProject: '../' }, gives: 'E_OUTSIDE_PROJECT' },
    { input: {}, gives: 'E_INVALID_PARAMS' },
  ],
});
