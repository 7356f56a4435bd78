import type { Command } from './command.ts';

/** Only the help of `devdb mcp`: the command itself never loads this bundle, so that it starts fast. */
export const mcpHelp: Command = {
  name: 'mcp',
  usage: 'mcp [--toolsets a,b] [--timeout MS]',
  summary:
    'The MCP server on stdio that clients start; it passes each call on to the window that has projectRoot open.',
  help: [
    '  --toolsets a,b  only these toolsets: database, refactor, code, debug, ide',
    '  --timeout MS    time-out of calls that state none of their own',
    '',
    'devdb setup <client> prints the configuration that starts it.',
  ],
  options: {},
  run: async () => {
    throw new Error('devdb mcp starts from its own file; this one only has its help.');
  },
};
