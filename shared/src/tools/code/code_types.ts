import * as z from 'zod';
import { defineTool, READ_ONLY, READS } from '../define-tool.ts';
import {
  isPlace,
  NO_PLACE,
  PLACE_ERRORS,
  place,
  READ_TIMEOUT_MS,
  rest,
  type TypeNode,
  treeOf,
  truncated,
} from './fields.ts';

export const codeTypes = defineTool({
  name: 'code_types',
  title: 'Show type hierarchy',
  description: 'Tree of what a type derives from (super) or what derives from it (sub).',
  toolset: 'code',
  runsIn: 'editor',
  input: z
    .strictObject({ ...place, direction: z.enum(['super', 'sub']).describe('Up or down') })
    .refine(isPlace, NO_PLACE),
  output: z.object({ types: treeOf<TypeNode>(), truncated, rest }),
  annotations: READ_ONLY,
  errors: [...PLACE_ERRORS],
  timeoutMs: READ_TIMEOUT_MS,
  text: { as: 'json' },
  words: READS,
  examples: [
    { input: { path: 'src/shapes.ts', symbol: 'Circle', direction: 'super' }, gives: 'ok' },
    { input: { path: 'src/shapes.ts', symbol: 'Shape', direction: 'sub' }, gives: 'ok' },
    { input: { path: 'src/shapes.ts', symbol: 'Nothing', direction: 'sub' }, gives: 'E_SYMBOL_NOT_FOUND' },
    { input: { path: 'src/notes.txt', symbol: 'bread', direction: 'sub' }, gives: 'E_NO_PROVIDER' },
    { input: { path: 'src/shapes.ts', symbol: 'Shape', direction: 'up' }, gives: 'E_INVALID_PARAMS' },
  ],
});
