import * as z from 'zod';
import { defineTool, READ_ONLY, READS } from '../define-tool.ts';
import {
  fileLines,
  isPlace,
  limit,
  NO_PLACE,
  PLACE_ERRORS,
  place,
  READ_TIMEOUT_MS,
  rest,
  truncated,
} from './fields.ts';

export const codeReferences = defineTool({
  name: 'code_references',
  title: 'Find references',
  description: 'Every use of a symbol with its line: what a change touches. Exact, unlike grep.',
  toolset: 'code',
  runsIn: 'editor',
  input: z.strictObject({ ...place, limit: limit(200) }).refine(isPlace, NO_PLACE),
  output: z.object({ total: z.int(), files: z.array(fileLines), truncated, rest }),
  annotations: READ_ONLY,
  errors: [...PLACE_ERRORS],
  timeoutMs: READ_TIMEOUT_MS,
  text: { as: 'json' },
  words: READS,
  examples: [
    { input: { path: 'src/greeting.ts', symbol: 'greeting' }, gives: 'ok' },
    { input: { path: 'src/greeting.ts', symbol: 'greeting', limit: 1 }, gives: 'ok' },
    { input: { path: 'src/shapes.ts', symbol: 'Circle.area' }, gives: 'ok' },
    { input: { path: 'src/shapes.ts', symbol: 'area' }, gives: 'E_AMBIGUOUS_SYMBOL' },
    { input: { path: 'src/greeting.ts', symbol: 'nobody' }, gives: 'E_SYMBOL_NOT_FOUND' },
    { input: { path: 'src/notes.txt', symbol: 'bread' }, gives: 'E_NO_PROVIDER' },
    { input: { path: 'src/greeting.ts', line: 0, column: 1 }, gives: 'E_INVALID_PARAMS' },
  ],
});
