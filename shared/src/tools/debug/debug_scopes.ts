import * as z from 'zod';
import { defineTool, READ_ONLY, READS } from '../define-tool.ts';
import { frameId } from './fields.ts';

export const debugScopes = defineTool({
  name: 'debug_scopes',
  title: 'Scopes of a frame',
  description:
    'The scopes of a frame (local, closure, global), each with a variablesReference for debug_get_variable. After debug_start, at a stop.',
  toolset: 'debug',
  runsIn: 'editor',
  input: z.strictObject({ frameId }),
  output: z.object({
    scopes: z.array(
      z.object({
        name: z.string(),
        variablesReference: z.int(),
        expensive: z.boolean(),
        namedVariables: z.int().optional(),
        indexedVariables: z.int().optional(),
      }),
    ),
  }),
  annotations: READ_ONLY,
  errors: ['E_NO_SESSION', 'E_INVALID_REFERENCE'],
  timeoutMs: 5_000,
  text: { as: 'json' },
  words: READS,
  examples: [
    { input: { frameId: 1 }, given: 'a paused program', gives: 'ok' },
    { input: { frameId: 1_000_000 }, gives: 'E_INVALID_REFERENCE' },
    { input: { frameId: 'top' }, gives: 'E_INVALID_PARAMS' },
  ],
});
