import * as z from 'zod';
import { defineTool, READ_ONLY, READS } from '../define-tool.ts';
import { at, isPlace, limit, NO_PLACE, PLACE_ERRORS, place, READ_TIMEOUT_MS, rest, truncated } from './fields.ts';

export const codeDefinition = defineTool({
  name: 'code_definition',
  title: 'Find a definition',
  description: 'Where a symbol is defined, with its code.',
  toolset: 'code',
  runsIn: 'editor',
  input: z
    .strictObject({
      ...place,
      kind: z
        .enum(['definition', 'declaration', 'type', 'implementation'])
        .default('definition')
        .describe('What to find'),
      limit: limit(20),
    })
    .refine(isPlace, NO_PLACE),
  output: z.object({
    places: z.array(z.object({ at, text: z.string().describe('The code of the symbol, up to 60 lines') })),
    truncated,
    rest,
  }),
  annotations: READ_ONLY,
  errors: [...PLACE_ERRORS],
  timeoutMs: READ_TIMEOUT_MS,
  text: { as: 'json' },
  words: READS,
  examples: [
    { input: { path: 'src/main.ts', symbol: 'greeting' }, gives: 'ok' },
    { input: { path: 'src/shapes.ts', symbol: 'Shape', kind: 'implementation' }, gives: 'ok' },
    { input: { path: 'src/main.ts', line: 3, column: 13 }, gives: 'ok' },
    { input: { path: 'src/main.ts', symbol: 'greting' }, gives: 'E_SYMBOL_NOT_FOUND' },
    { input: { path: 'src/shapes.ts', symbol: 'area' }, gives: 'E_AMBIGUOUS_SYMBOL' },
    { input: { path: 'src/nosuch.ts', symbol: 'a' }, gives: 'E_FILE_NOT_FOUND' },
    { input: { path: '../x.ts', symbol: 'a' }, gives: 'E_OUTSIDE_PROJECT' },
    { input: { path: 'src/notes.txt', symbol: 'bread' }, gives: 'E_NO_PROVIDER' },
    { input: { path: 'src/main.ts' }, gives: 'E_INVALID_PARAMS' },
  ],
});
