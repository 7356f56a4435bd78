import * as z from 'zod';
import { defineTool, READ_ONLY, READS } from '../define-tool.ts';
import { at, isPlace, NO_PLACE, PLACE_ERRORS, place, READ_TIMEOUT_MS, rest, truncated } from './fields.ts';

export const codeHover = defineTool({
  name: 'code_hover',
  title: 'Describe a symbol',
  description: 'Signature, inferred type and documentation of a symbol.',
  toolset: 'code',
  runsIn: 'editor',
  input: z.strictObject(place).refine(isPlace, NO_PLACE),
  output: z.object({ at, text: z.string(), truncated, rest }),
  annotations: READ_ONLY,
  errors: [...PLACE_ERRORS],
  timeoutMs: READ_TIMEOUT_MS,
  text: { as: 'json' },
  words: READS,
  examples: [
    { input: { path: 'src/main.ts', symbol: 'greeting' }, gives: 'ok' },
    { input: { path: 'src/main.ts', symbol: 'nobody' }, gives: 'E_SYMBOL_NOT_FOUND' },
    { input: { path: 'src/notes.txt', symbol: 'bread' }, gives: 'E_NO_PROVIDER' },
    { input: { path: 'src/main.ts', column: 1 }, gives: 'E_INVALID_PARAMS' },
  ],
});
