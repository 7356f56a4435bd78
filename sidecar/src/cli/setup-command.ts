import { homedir } from 'node:os';
import { SETUP_CLIENTS } from '@devdb/shared/protocol/setup-clients';
import { type HttpTarget, setup } from '../clients/setup/configuration.ts';
import { fitNode } from '../clients/setup/fit-node.ts';
import { atPrompt } from '../host/prompt-words.ts';
import { readToken } from '../host/token.ts';
import { VERSION } from '../host/version.ts';
import { installBundle } from '../host/versions.ts';
import { readRegistry } from '../registry/read-registry.ts';
import { type Command, type CommandContext, type OptionValues, projectOption, UsageError } from './command.ts';

/** `devdb setup <client>`. */
export const setupCommand: Command = {
  name: 'setup',
  usage: `setup ${SETUP_CLIENTS.join('|')} [--write] [--http --project DIR]`,
  summary: "Prints a client's configuration, or merges it into the client's own file.",
  help: [
    '  --write        edit the file; other entries and its formatting are kept',
    '  --http         connect over HTTP to the window of --project DIR instead of stdio',
    '',
    'A file that does not parse is reported and left unchanged.',
  ],
  options: { write: { type: 'boolean' }, http: { type: 'boolean' }, project: { type: 'string' } },
  takesWords: true,
  run: async (values, positionals, context) => {
    const [given, ...more] = positionals;
    const client = SETUP_CLIENTS.find((one) => one === given);
    if (client === undefined || more.length > 0) throw new UsageError(`name one client: ${SETUP_CLIENTS.join(', ')}.`);
    const { env, home, bundleDir } = context;
    // The path in the configuration has to exist when the client starts it.
    await installBundle({ home, bundleDir, version: VERSION });
    const { signal } = new AbortController();
    const running = { execPath: process.execPath, isElectron: process.versions['electron'] !== undefined };
    const outcome = await setup({
      client,
      write: values.get('write') === true,
      launcher: home.launcher,
      node: await fitNode(env, running, signal),
      http: values.get('http') === true ? httpTarget(values, context) : undefined,
      platform: process.platform,
      userHome: homedir(),
      env,
      signal,
    });
    if (outcome.stdout !== '') context.print(outcome.stdout.trimEnd());
    if (outcome.stderr !== '') context.complain(outcome.stderr.trimEnd());
    return outcome.exitCode;
  },
};

function httpTarget(values: OptionValues, { home }: CommandContext): HttpTarget {
  const projectRoot = projectOption(values);
  const port = readRegistry(home)[projectRoot];
  const token = readToken(home);
  if (port === undefined || token === undefined) {
    throw new Error(
      `${projectRoot} is not open: open it in VS Code, or run: devdb serve --project ${atPrompt(projectRoot)}`,
    );
  }
  return { projectRoot, port, token };
}
