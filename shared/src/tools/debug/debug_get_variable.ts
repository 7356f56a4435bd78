import * as z from 'zod';
import { defineTool, READ_ONLY, READS } from '../define-tool.ts';
import { cutFields, variableFields, variablesReference } from './fields.ts';

export const debugGetVariable = defineTool({
  name: 'debug_get_variable',
  title: 'Get a variable',
  description:
    'The children of a variable or scope, page by page, for what debug_list_variables cut. After debug_start, at a stop.',
  toolset: 'debug',
  runsIn: 'editor',
  input: z.strictObject({
    variablesReference,
    start: z.int().min(0).max(1_000_000_000).default(0).describe('First child'),
    count: z.int().min(1).max(1_000).default(100).describe('Most children'),
    filter: z.enum(['all', 'indexed', 'named']).default('all').describe('Elements, names or both'),
  }),
  output: z.object({
    children: z.array(z.object(variableFields)),
    pagination: z.object({ start: z.int(), count: z.int(), shown: z.int(), hasMore: z.boolean() }),
    ...cutFields,
  }),
  annotations: READ_ONLY,
  errors: ['E_NO_SESSION', 'E_INVALID_REFERENCE'],
  timeoutMs: 10_000,
  text: { as: 'json' },
  words: READS,
  examples: [
    { input: { variablesReference: 1 }, given: 'a paused program', gives: 'ok' },
    { input: { variablesReference: 1_000_000 }, gives: 'E_INVALID_REFERENCE' },
    { input: {}, gives: 'E_INVALID_PARAMS' },
  ],
});
