import type { Command } from './command.ts';
import { status } from './status.ts';

/** `devdb status`. */
export const statusCommand: Command = {
  name: 'status',
  usage: 'status [--json]',
  summary: 'Shows the open projects, their ports, and whether they respond.',
  help: ['  --json  for programs: projectRoot, port, pid, version, alive'],
  options: { json: { type: 'boolean' } },
  run: async (values, _positionals, { home, print }) => {
    print(await status({ home, json: values.get('json') === true, signal: new AbortController().signal }));
    return 0;
  },
};
