import * as z from 'zod';
import { defineTool, READ_ONLY, READS } from '../define-tool.ts';
import { cut, fileLimit, needle } from './fields.ts';

export const findFilesByNameSubstring = defineTool({
  name: 'find_files_by_name_substring',
  title: 'Find files by name',
  description: 'Files whose name contains a text, without case, of all that search_in_files_content looks into.',
  toolset: 'ide',
  runsIn: 'editor',
  input: z.strictObject({ nameSubstring: needle.describe('Part of the name, without folders'), limit: fileLimit }),
  output: z.object({
    files: z.array(z.object({ path: z.string(), name: z.string(), directory: z.string(), absolutePath: z.string() })),
    ...cut,
  }),
  annotations: READ_ONLY,
  errors: ['E_FILE_NOT_FOUND'],
  timeoutMs: 30_000,
  text: { as: 'json', field: 'files', note: 'rest' },
  words: READS,
  examples: [
    { input: { nameSubstring: 'GREET' }, gives: 'ok' },
    { input: { nameSubstring: 'src/' }, gives: 'ok' },
    { input: {}, gives: 'E_INVALID_PARAMS' },
  ],
});
