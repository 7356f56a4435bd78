import * as z from 'zod';
import { defineTool, READ_ONLY, READS } from '../define-tool.ts';
import { breakpoint, cutFields } from './fields.ts';

export const breakpointList = defineTool({
  name: 'breakpoint_list',
  title: 'List breakpoints',
  description: "List the breakpoints of the window, the user's too, and whether the debugger bound them.",
  toolset: 'debug',
  runsIn: 'editor',
  input: z.strictObject({}),
  output: z.object({
    breakpoints: z.array(breakpoint),
    functions: z.array(z.string()).optional().describe('Breakpoints on functions, by name'),
    total: z.int(),
    ...cutFields,
  }),
  annotations: READ_ONLY,
  errors: [],
  timeoutMs: 5_000,
  text: { as: 'json' },
  words: READS,
  examples: [{ input: {}, gives: 'ok' }],
});
