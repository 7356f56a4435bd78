import type { AppFolder } from '../app-folder.ts';
import { filesBelow, type Search } from '../listed-files.ts';

const SEARCH: Search = {
  files: /^(main|root|app|server|conf|config\w*|configuration|settings?|viper|env|init|load\w*|setup|bootstrap)\.go$/,
  enters: (name, depth, parent) =>
    depth < 4 &&
    (/^(cmd|internal|pkg|app|api|server|common|conf|config\w*|settings?|viper|util|initializers?|infra\w*)$/.test(
      name,
    ) ||
      parent === 'cmd'),
  most: 20,
};
const MAX_FILES = 20;
const NAMES = /\.SetConfigName\(\s{0,20}(?:["`]([\w.-]{1,80})["`]\s{0,20}\))?/g;
const ENDING = /\.(ya?ml|toml|json|ini)$/;

/**
 * The names under which a Go program has viper look for its settings file, without their endings. Empty where it names
 * none, or where running code would say the name or add another file.
 */
export async function settingsNames(app: AppFolder, signal: AbortSignal): Promise<ReadonlySet<string>> {
  const names = new Set<string>();
  for (const file of (await filesBelow(app, SEARCH, signal)).slice(0, MAX_FILES)) {
    const read = await app.read(file);
    if (read.state !== 'text') continue;
    for (const [, name] of read.text.matchAll(NAMES)) {
      if (name === undefined || read.text.includes('.MergeInConfig(')) return new Set();
      names.add(name.replace(ENDING, ''));
    }
  }
  return names;
}
