import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { type Command, textOption, UsageError } from './command.ts';
import { UNINSTALL_TIMEOUT_MS } from './limits.ts';
import { uninstall } from './uninstall/uninstall.ts';

/** Run by the editor, through the extension's own script, after it has uninstalled the extension. */
export const uninstallCommand: Command = {
  name: 'uninstall',
  usage: 'uninstall --extension DIR',
  summary: 'Removes what DevDB wrote on this machine; the editor runs it when the extension is uninstalled.',
  help: [],
  options: { extension: { type: 'string' } },
  hidden: true,
  run: async (values, _positionals, { home, bundleDir, env, print }) => {
    const extension = textOption(values, 'extension');
    if (extension === undefined) throw new UsageError('--extension DIR is missing.');
    const machine = { platform: process.platform, userHome: homedir(), env };
    const signal = AbortSignal.timeout(UNINSTALL_TIMEOUT_MS);
    await uninstall({ home, bundleDir, machine, extensionDir: resolve(extension), say: print, signal });
    return 0;
  },
};
