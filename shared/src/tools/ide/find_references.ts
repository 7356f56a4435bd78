import * as z from 'zod';
import { READ_TIMEOUT_MS, rest, truncated } from '../code/fields.ts';
import { defineTool, READ_ONLY, READS } from '../define-tool.ts';
import { pathInProject, zeroCharacter, zeroLine } from './code-fields.ts';

export const findReferences = defineTool({
  name: 'find_references',
  title: 'Find references by position',
  description: 'All references to the symbol at a 0-based position; code_references takes a name and shows the lines.',
  toolset: 'ide',
  runsIn: 'editor',
  input: z.strictObject({ pathInProject, line: zeroLine, character: zeroCharacter }),
  output: z.object({
    references: z.array(
      z.object({
        path: z.string(),
        line: z.int(),
        character: z.int(),
        endLine: z.int(),
        endCharacter: z.int(),
      }),
    ),
    truncated,
    rest,
  }),
  annotations: READ_ONLY,
  errors: ['E_FILE_NOT_FOUND', 'E_OUTSIDE_PROJECT', 'E_SYMBOL_NOT_FOUND', 'E_NO_PROVIDER'],
  timeoutMs: READ_TIMEOUT_MS,
  text: { as: 'json' },
  words: READS,
  examples: [
    { input: { pathInProject: 'src/greeting.ts', line: 0, character: 18 }, gives: 'ok' },
    { input: { pathInProject: 'src/greeting.ts', line: 900, character: 0 }, gives: 'E_SYMBOL_NOT_FOUND' },
    { input: { pathInProject: 'src/notes.txt', line: 0, character: 0 }, gives: 'E_NO_PROVIDER' },
    { input: { pathInProject: '../x.ts', line: 0, character: 0 }, gives: 'E_OUTSIDE_PROJECT' },
    { input: { pathInProject: 'src/greeting.ts' }, gives: 'E_INVALID_PARAMS' },
  ],
});
