import * as z from 'zod';
import { defineTool, READ_ONLY, READS } from '../define-tool.ts';

export const getDebuggerBreakpoints = defineTool({
  name: 'get_debugger_breakpoints',
  title: 'List breakpoints',
  description: "The project's line breakpoints, the user's too. Lines count from 1.",
  toolset: 'ide',
  runsIn: 'editor',
  input: z.strictObject({}),
  output: z.object({
    breakpoints: z.array(
      z.object({ path: z.string().describe('Absolute'), line: z.int(), enabled: z.literal(false).optional() }),
    ),
    truncated: z.boolean(),
    rest: z.string().optional(),
  }),
  annotations: READ_ONLY,
  errors: [],
  timeoutMs: 5_000,
  text: { as: 'json' },
  words: READS,
  examples: [{ input: {}, gives: 'ok' }],
});
