import * as z from 'zod';
import { cutFields } from '../debug/fields.ts';
import { defineTool, READ_ONLY, READS } from '../define-tool.ts';
import { session } from './fields.ts';

export const dapCompare = defineTool({
  name: 'dap_compare',
  title: 'Compare sessions',
  description: 'What differs between two debug sessions, e.g. a run that works and one that fails.',
  toolset: 'trace',
  runsIn: 'editor',
  input: z.strictObject({
    sessionA: z.string().min(1).max(200).describe('From debug_tracker'),
    sessionB: z.string().min(1).max(200).describe('From debug_tracker'),
    compareBy: z.enum(['counts', 'exceptions', 'outputs']).default('counts').describe('What to compare'),
  }),
  output: z.object({
    sessionA: session,
    sessionB: session,
    comparison: z.object({
      counts: z.record(z.string(), z.object({ a: z.int(), b: z.int() })).optional(),
      onlyInA: z.array(z.string()).optional(),
      onlyInB: z.array(z.string()).optional(),
      firstDifference: z.object({ line: z.int(), a: z.string().optional(), b: z.string().optional() }).optional(),
    }),
    ...cutFields,
  }),
  annotations: READ_ONLY,
  errors: ['E_SESSION_NOT_FOUND'],
  timeoutMs: 30_000,
  text: { as: 'json' },
  words: READS,
  examples: [
    { input: { sessionA: 'the session', sessionB: 'the session' }, given: 'a paused program', gives: 'ok' },
    { input: { sessionA: 'a', sessionB: 'b' }, gives: 'E_SESSION_NOT_FOUND' },
    { input: { sessionA: 'a' }, gives: 'E_INVALID_PARAMS' },
  ],
});
