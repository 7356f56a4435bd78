import type { AppFolder } from './app-folder.ts';
import { readJsonc } from './readers/jsonc.ts';
import { at, entriesOf, textOf } from './readers/located.ts';

/** Folders where projects keep the connection of their library. */
const FOLDERS = [
  '',
  'src',
  'src/config',
  'src/configs',
  'src/database',
  'src/database/config',
  'src/db',
  'src/common/config',
  'src/shared/services',
  'src/models',
  'src/typeorm',
  'app/config',
  'app/models',
  'config',
  'database',
  'db',
  'models',
  'sequelize',
  'server',
  'server/config',
  'server/models',
  'lib',
];
/** A test's own connection is never the default. */
const SCRIPT = /^(?!.*[.-](?:spec|test|e2e|d)\.)[\w.-]{1,60}\.[cm]?[jt]s$/;
const LIKELY = /data-?source|database|db|connection|sequelize|knex|orm|index|app|server|main|env/;
const LIKELY_LAST: ReadonlySet<string> = new Set(['module', 'config', 'service', 'provider', 'providers']);
const PATH = /(?:^|[\s=])(?:\.\/)?([\w@-][\w@./-]{0,150}\.[cm]?[jt]s)(?=$|\s)/g;
const MAX_FILES = 60;

/** Scripts of an application that depends on a library which may hold its connection: the usual ones, and those named. */
export async function scriptFiles(app: AppFolder, library: RegExp, signal: AbortSignal): Promise<readonly string[]> {
  if (!app.has('package.json')) return [];
  const read = await app.read('package.json');
  if (read.state !== 'text' || !library.test(read.text)) return [];
  const files = new Set(namedIn(read.text));
  for (const folder of FOLDERS.filter((one) => one === '' || app.has(one.split('/')[0] ?? ''))) {
    const listing = await app.project.list(app.path(folder), { files: SCRIPT }, signal);
    if (listing.state !== 'listed') continue;
    for (const { name } of listing.items.filter((item) => isLikely(item.name))) {
      files.add(folder === '' ? name : `${folder}/${name}`);
    }
  }
  return [...files].slice(0, MAX_FILES);
}

/** Whether a script's name speaks of a connection, or of the parts of an application that hold one. */
function isLikely(name: string): boolean {
  const words = name.toLowerCase().split(/[.-]/).slice(0, -1);
  return LIKELY.test(words.join('-')) || LIKELY_LAST.has(words.at(-1) ?? '');
}

/** The files that the package's scripts name. */
function namedIn(text: string): string[] {
  const scripts = entriesOf(at(readJsonc(text).value, 'scripts')).map(([, script]) => textOf(script) ?? '');
  const paths = scripts.flatMap((script) => [...script.slice(0, 2_000).matchAll(PATH)].map(([, path = '']) => path));
  return paths.filter(
    (path) => !path.split('/').some((part) => part === '..' || part === 'dist' || part === 'node_modules'),
  );
}
