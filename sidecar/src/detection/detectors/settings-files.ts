import { posix } from 'node:path';
import type { ServerKind } from '@devdb/shared/engines';
import type { EngineKind } from '../../engines/engine.ts';
import type { AppFolder } from '../app-folder.ts';
import type { Collector, Place } from '../collector.ts';
import type { Compose } from '../compose.ts';
import { engineOf } from '../compose-server.ts';
import { addDsn } from '../dsn-finding.ts';
import { environmentOf } from '../environment-names.ts';
import { filesBelow, type Search } from '../listed-files.ts';
import { readDsn } from '../readers/dsn.ts';
import { kindOfTree, partsOf, readTree, type TreeDatabase } from '../settings-tree.ts';

const FILES =
  /^(config|conf|app|application|settings|base|default|local|dev|development|test|testing|prod|production|stage|staging|qa|env)([._-]\w+)?\.(ya?ml|toml|ini|json)$|^app\.conf$/;
const FOLDERS: ReadonlySet<string> = new Set(['config', 'configs', 'conf', 'configuration', 'etc', 'settings']);
const SEARCH: Search = {
  files: FILES,
  enters: (name, depth) => FOLDERS.has(name) && depth < 3,
  most: 12,
};
const NEUTRAL = /^(config|conf|app|application|settings|base|default|env)$/;
/** A value that the program fills in. */
const FILLED = /\$\{|\$\(|\{\{|^\$[A-Z_]+$/;

/** Adds what an application's settings files of a general format say; for languages whose programs agree on no names. */
export async function addSettingsFiles(
  app: AppFolder,
  collector: Collector,
  packages: readonly EngineKind[],
  signal: AbortSignal,
  program = '',
  loaded: ReadonlySet<string> = new Set(),
): Promise<void> {
  const files = [...(await filesBelow(app, SEARCH, signal)), ...ownFiles(app, program)];
  for (const file of files) {
    const text = await collector.textOf(app, app.path(file));
    if (text === undefined) continue;
    const { found, problems } = readTree(file, text);
    // Other programs' settings have such names too; what cannot be read is only worth a sentence where a database is named.
    if (/database|dsn|postgres|mysql/i.test(text)) {
      for (const { line, reason } of problems) collector.skip(app.path(file), line, reason);
    }
    const undecided = isPassedOver(file, files, loaded) ? true : undefined;
    for (const database of found) await add(app, collector, packages, { file, program, undecided }, database);
  }
}

/**
 * Adds the servers of settings files whose engine and compose service these name: also where a package of its own brings
 * the application its driver, they are the application's.
 */
export async function addServersOfCompose(
  app: AppFolder,
  collector: Collector,
  compose: Compose,
  signal: AbortSignal,
): Promise<void> {
  if (compose.services.length === 0) return;
  for (const file of await filesBelow(app, SEARCH, signal)) {
    const read = await app.read(file);
    for (const database of read.state === 'text' ? readTree(file, read.text).found : []) {
      const { host, database: name } = partsOf(database);
      const service = compose.named(host ?? '', app.folder);
      const kind = kindOfTree(database, []);
      if (name === undefined || database.dsn !== undefined || service === undefined || kind === undefined) continue;
      if (kind === engineOf(service)) addParts(app, collector, placeOf(app, file, database, ''), kind, database);
    }
  }
}

/** Whether the program loads another file beside this one, which it only reads where its start says so. */
function isPassedOver(file: string, files: readonly string[], loaded: ReadonlySet<string>): boolean {
  const isLoaded = (one: string): boolean => loaded.has(posix.parse(one).name);
  return !isLoaded(file) && files.some((one) => isLoaded(one) && posix.dirname(one) === posix.dirname(file));
}

/** Many programs call their settings file by their own name. */
function ownFiles(app: AppFolder, program: string): readonly string[] {
  if (!/^[\w-]{2,40}$/.test(program) || NEUTRAL.test(program)) return [];
  const folders = ['', ...[...FOLDERS].filter((name) => app.has(name)).map((name) => `${name}/`)];
  return folders.flatMap((folder) => ENDINGS.map((ending) => `${folder}${program}.${ending}`));
}

interface SettingsFile {
  readonly file: string;
  readonly program: string;
  readonly undecided: true | undefined;
}

const ENDINGS = ['yml', 'yaml', 'toml', 'ini', 'json'];

async function add(
  app: AppFolder,
  collector: Collector,
  packages: readonly EngineKind[],
  { file, program, undecided }: SettingsFile,
  database: TreeDatabase,
): Promise<void> {
  const place = { ...placeOf(app, file, database, program), undecided };
  const { what } = place;
  const filled = [database.dsn, ...(database.dsn === undefined ? Object.values(partsOf(database)) : [])];
  if (filled.some((text) => text !== undefined && FILLED.test(text))) {
    collector.skip(
      place.file,
      place.line,
      `${what}: refers to variables that the program fills in; name the database in .devdbrc`,
    );
    return;
  }
  if (database.dsn === undefined && !isComplete(database)) {
    addHalf(collector, place, kindOfTree(database, packages), database);
    return;
  }
  const dsn = database.dsn === undefined ? undefined : readDsn(database.dsn, database.driver);
  const kind = kindOfTree(database, packages);
  if (dsn !== undefined) await addDsn(collector, app, place, dsn);
  else if (kind === undefined)
    collector.skip(place.file, place.line, `${what}: neither the settings nor the packages name one engine`);
  else addParts(app, collector, place, kind, database);
}

function isComplete(database: TreeDatabase): boolean {
  const { file, database: name } = partsOf(database);
  return file !== undefined || name !== undefined;
}

/** A server with an account, whose database the program names itself. */
function addHalf(
  collector: Collector,
  { file, line, what }: Place,
  kind: EngineKind | undefined,
  database: TreeDatabase,
): void {
  const { host, port, user } = partsOf(database);
  // What is of no engine that DevDB knows may be anything.
  if (kind === undefined) return;
  const suggests = { kind, host, port: Number(port) || undefined, user };
  collector.skip(file, line, `${what}: names no database; name it in .devdbrc`, false, suggests);
}

function addParts(app: AppFolder, collector: Collector, place: Place, kind: EngineKind, database: TreeDatabase): void {
  const { file, ...parts } = partsOf(database);
  if (kind === 'sqlite') collector.file(app, place, file ?? '');
  else collector.server(app, place, { kind: kind satisfies ServerKind, ...parts });
}

function placeOf(app: AppFolder, file: string, { path, line }: TreeDatabase, program: string): Place {
  const stem = (file.split('/').at(-1) ?? '').replace(/\.\w+$/, '');
  const names = stem === program ? [] : stem.split(/[._-]/).filter((part) => !NEUTRAL.test(part));
  const environment = environmentOf(names.join('.'));
  return { what: `${file}#${path}`, file: app.path(file), line, environment, rank: names.length === 0 ? 1 : 0 };
}
