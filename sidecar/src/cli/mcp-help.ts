import type { Command } from './command.ts';

/** Only the help of `devdb mcp`: for a fast start, the command itself never loads this bundle. */
export const mcpHelp: Command = {
  name: 'mcp',
  usage: 'mcp [--toolsets a,b] [--timeout MS] [--structured MODE]',
  summary: 'The stdio MCP server that clients start. It forwards each call to the window that has projectRoot open.',
  help: [
    '  --toolsets a,b  only these toolsets: database, refactor, code, debug, ide',
    '  --timeout MS    time-out for calls that set none',
    '  --structured M  structuredContent beside the text: auto (by client), always or never',
    '',
    'devdb setup <client> prints the configuration that starts it.',
  ],
  options: {},
  run: async () => {
    throw new Error('devdb mcp is started from its own file; this command only prints its help.');
  },
};
