import * as z from 'zod';
import { defineTool, READ_ONLY } from '../define-tool.ts';
import { cut, fileLimit, needle } from './fields.ts';

export const searchInFilesContent = defineTool({
  name: 'search_in_files_content',
  title: 'Search in files',
  description:
    'Files that contain a text, exactly as given. Unsaved changes count; what .gitignore or the search settings leave out, and binary files, do not.',
  toolset: 'ide',
  runsIn: 'editor',
  input: z.strictObject({ searchText: needle.describe('Text to find, case-sensitive'), limit: fileLimit }),
  output: z.object({ files: z.array(z.object({ path: z.string(), absolutePath: z.string() })), ...cut }),
  annotations: READ_ONLY,
  errors: ['E_FILE_NOT_FOUND'],
  timeoutMs: 30_000,
  text: { as: 'json', field: 'files', note: 'rest' },
  words: { effect: 'reads', afterTimeout: 'Leave out large folders with .gitignore or search.exclude.' },
  examples: [
    { input: { searchText: 'greeting(' }, gives: 'ok' },
    { input: { searchText: '--no such text-- \\(' }, gives: 'ok' },
    { input: { searchText: '' }, gives: 'E_INVALID_PARAMS' },
  ],
});
