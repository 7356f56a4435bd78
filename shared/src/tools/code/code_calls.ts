import * as z from 'zod';
import { defineTool, READ_ONLY, READS } from '../define-tool.ts';
import {
  type CallNode,
  isPlace,
  NO_PLACE,
  PLACE_ERRORS,
  place,
  READ_TIMEOUT_MS,
  rest,
  treeOf,
  truncated,
} from './fields.ts';

export const codeCalls = defineTool({
  name: 'code_calls',
  title: 'Show calls',
  description: 'Tree of who calls a function (incoming) or what it calls (outgoing).',
  toolset: 'code',
  runsIn: 'editor',
  input: z
    .strictObject({
      ...place,
      direction: z.enum(['incoming', 'outgoing']).describe('Callers or callees'),
      depth: z.int().min(1).max(3).default(1).describe('Levels of calls'),
    })
    .refine(isPlace, NO_PLACE),
  output: z.object({ calls: treeOf<CallNode>(), truncated, rest }),
  annotations: READ_ONLY,
  errors: [...PLACE_ERRORS],
  timeoutMs: READ_TIMEOUT_MS,
  text: { as: 'json' },
  words: READS,
  examples: [
    { input: { path: 'src/greeting.ts', symbol: 'greeting', direction: 'incoming' }, gives: 'ok' },
    { input: { path: 'src/shapes.ts', symbol: 'total', direction: 'outgoing', depth: 2 }, gives: 'ok' },
    { input: { path: 'src/greeting.ts', symbol: 'nobody', direction: 'incoming' }, gives: 'E_SYMBOL_NOT_FOUND' },
    { input: { path: 'src/notes.txt', symbol: 'bread', direction: 'incoming' }, gives: 'E_NO_PROVIDER' },
    { input: { path: 'src/greeting.ts', symbol: 'greeting' }, gives: 'E_INVALID_PARAMS' },
  ],
});
