import * as z from 'zod';
import { plain } from '../../plain-text.ts';
import { defineTool } from '../define-tool.ts';
import { condition, sessionId } from './fields.ts';
import { SETS, SETS_BREAKPOINTS } from './words.ts';

export const breakpointSetException = defineTool({
  name: 'breakpoint_set_exception',
  title: 'Stop on exceptions',
  description:
    'Choose which exceptions stop the program of a session, by the filters its debugger offers (JavaScript: all, uncaught). The answer lists them; none switches it off. After debug_start.',
  toolset: 'debug',
  runsIn: 'editor',
  input: z.strictObject({
    filters: z.array(z.string().min(1).max(200)).max(20).describe('e.g. ["uncaught"]; [] for none'),
    condition,
    sessionId,
  }),
  output: z.object({
    filters: z.array(z.string()),
    offered: z.array(z.object({ filter: z.string(), label: z.string().optional() })),
  }),
  annotations: SETS,
  errors: ['E_NO_SESSION', 'E_NOT_SUPPORTED'],
  timeoutMs: 5_000,
  text: { as: 'json' },
  words: SETS_BREAKPOINTS,
  approval: {
    isFinal: ({ condition }) => condition !== undefined,
    question: ({ condition }) => ({
      ask: plain`Change which exceptions stop the program?`,
      ...(condition === undefined ? {} : { statement: condition }),
      facts: [],
    }),
    covers: ({ condition }) => `exceptions ${condition ?? ''}`,
    inOwnSession: true,
  },
  examples: [
    { input: { filters: ['uncaught'] }, given: 'a paused program', gives: 'ok' },
    { input: { filters: ['nosuch'] }, given: 'a paused program', gives: 'E_NOT_SUPPORTED' },
    { input: { filters: [] }, given: 'a debugger', gives: 'E_NO_SESSION' },
    { input: {}, gives: 'E_INVALID_PARAMS' },
  ],
});
