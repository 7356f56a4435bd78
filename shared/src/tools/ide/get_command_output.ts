import * as z from 'zod';
import { defineTool, READ_ONLY, READS } from '../define-tool.ts';

export const getCommandOutput = defineTool({
  name: 'get_command_output',
  title: "Get the last command's output",
  description:
    'What the last command of execute_command_with_output or execute_terminal_command has written so far, and whether it still runs.',
  toolset: 'ide',
  runsIn: 'editor',
  input: z.strictObject({}),
  output: z.object({
    status: z
      .enum(['none', 'running', 'completed', 'closed', 'sent'])
      .describe('none: no command ran. closed: its terminal was closed. sent: its output cannot be read'),
    output: z.string(),
    exitCode: z.int().optional(),
    command: z.string().optional(),
    truncated: z.boolean(),
  }),
  annotations: READ_ONLY,
  errors: [],
  timeoutMs: 5_000,
  text: { as: 'json' },
  words: READS,
  examples: [{ input: {}, gives: 'ok' }],
});
