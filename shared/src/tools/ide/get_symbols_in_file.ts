import * as z from 'zod';
import { READ_TIMEOUT_MS, rest, truncated } from '../code/fields.ts';
import { defineTool, READ_ONLY, READS } from '../define-tool.ts';
import { pathInProject } from './code-fields.ts';

const range = z.object({
  startLine: z.int(),
  startCharacter: z.int(),
  endLine: z.int(),
  endCharacter: z.int(),
});

export const getSymbolsInFile = defineTool({
  name: 'get_symbols_in_file',
  title: 'Get the symbols of a file',
  description: 'All symbols of a file with their 0-based ranges; code_symbols is shorter.',
  toolset: 'ide',
  runsIn: 'editor',
  input: z.strictObject({ pathInProject }),
  output: z.object({
    symbols: z.array(
      z.object({
        name: z.string(),
        kind: z.string(),
        range,
        selectionRange: range,
        text: z.string(),
        detail: z.string(),
      }),
    ),
    truncated,
    rest,
  }),
  annotations: READ_ONLY,
  errors: ['E_FILE_NOT_FOUND', 'E_OUTSIDE_PROJECT', 'E_NO_PROVIDER'],
  timeoutMs: READ_TIMEOUT_MS,
  text: { as: 'json' },
  words: READS,
  examples: [
    { input: { pathInProject: 'src/greeting.ts' }, gives: 'ok' },
    { input: { pathInProject: 'src/nosuch.ts' }, gives: 'E_FILE_NOT_FOUND' },
    { input: { pathInProject: '../x.ts' }, gives: 'E_OUTSIDE_PROJECT' },
    { input: { pathInProject: 'src/notes.txt' }, gives: 'E_NO_PROVIDER' },
    { input: {}, gives: 'E_INVALID_PARAMS' },
  ],
});
