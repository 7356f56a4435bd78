import * as z from 'zod';
import { defineTool, READ_ONLY, READS } from '../define-tool.ts';

export const getTerminalText = defineTool({
  name: 'get_terminal_text',
  title: 'Get the terminal text',
  description:
    "The last commands of the active terminal with their output, also the user's own. Read-only. Empty without a terminal; only commands that ran while this toolset was on, in shells with the editor's shell integration, can be read.",
  toolset: 'ide',
  runsIn: 'editor',
  input: z.strictObject({}),
  output: z.object({ text: z.string(), truncated: z.boolean() }),
  annotations: READ_ONLY,
  errors: [],
  timeoutMs: 5_000,
  text: { as: 'raw', field: 'text' },
  words: READS,
  examples: [{ input: {}, gives: 'ok' }],
});
