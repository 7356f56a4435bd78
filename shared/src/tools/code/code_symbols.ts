import * as z from 'zod';
import { defineTool, READ_ONLY, READS } from '../define-tool.ts';
import { codePath, limit, READ_TIMEOUT_MS, rest, type SymbolNode, treeOf, truncated } from './fields.ts';

export const codeSymbols = defineTool({
  name: 'code_symbols',
  title: 'List symbols',
  description: "Outline a file, or find the project's symbols by name, without reading files.",
  toolset: 'code',
  runsIn: 'editor',
  input: z
    .strictObject({
      path: codePath.optional(),
      query: z.string().min(1).optional().describe('Part of a name'),
      kinds: z.array(z.string()).optional().describe('E.g. function'),
      limit: limit(100),
    })
    .refine(({ path, query }) => path !== undefined || query !== undefined, 'give path or query'),
  output: z.object({ symbols: treeOf<SymbolNode>(), truncated, rest }),
  annotations: READ_ONLY,
  errors: ['E_FILE_NOT_FOUND', 'E_OUTSIDE_PROJECT', 'E_NO_PROVIDER'],
  timeoutMs: READ_TIMEOUT_MS,
  text: { as: 'json' },
  words: READS,
  examples: [
    { input: { path: 'src/greeting.ts' }, gives: 'ok' },
    { input: { path: 'src/shapes.ts', kinds: ['class'], limit: 1 }, gives: 'ok' },
    { input: { query: 'greeting' }, gives: 'ok' },
    { input: { path: 'src/nosuch.ts' }, gives: 'E_FILE_NOT_FOUND' },
    { input: { path: '../x.ts' }, gives: 'E_OUTSIDE_PROJECT' },
    { input: { path: 'src/notes.txt' }, gives: 'E_NO_PROVIDER' },
    { input: {}, gives: 'E_INVALID_PARAMS' },
  ],
});
