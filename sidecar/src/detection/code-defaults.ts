import { basename, isAbsolute, posix } from 'node:path';
import type { AppFolder } from './app-folder.ts';
import { isBuiltElsewhere } from './built-programs.ts';
import { Collector } from './collector.ts';
import type { Detection, Finding, Skipped } from './detector.ts';
import { addDriverUses } from './driver-calls.ts';
import { driversOf, programFolder } from './driver-packages.ts';
import { addDsn } from './dsn-finding.ts';
import { filesBelow, type Search } from './listed-files.ts';
import type { ProjectView } from './project-view.ts';
import { type NamedInCode, namedInCode, startsWithSqlite, templatesIn } from './readers/code-literals.ts';
import type { Dsn } from './readers/dsn.ts';
import { readDatabaseUrl } from './readers/url.ts';
import { withEnvironment } from './source-environment.ts';
import { addSqliteCalls } from './sqlite-calls.ts';

const NAME = 'code';
/** The detector of files that no settings name. */
const STRAY = 'sqlite-files';
/** Files in which programs keep what they start with. */
const FILES =
  /^(?:(?:\w{1,30}[_.-])?(?:[Cc]onfigs?|[Cc]onfiguration|[Cc]onf|[Ss]ettings?|[Oo]ptions?|[Dd]efaults?|[Cc]onstants?|[Cc]onsts?|[Ee]nv|[Dd]atabase|[Dd]b|[Ss]qlite|[Ss]ql|[Cc]onnections?|[Cc]onn(?:ect)?|[Pp]ool|[Mm]y[Ss]ql|[Pp]ostgres|[Pp]g|[Qq]ueries|[Dd]ata-?[Ss]ource|[Ff]lags?)(?:[_.-]\w{1,30})?|\w{0,30}[a-z](?:Configs?|Configuration|Conf|Settings|Options|Defaults|Constants|Database|Db|Sqlite|ServiceExtensions|ServiceCollectionExtensions)|DatabaseService|DependencyInjection|[Mm]ain|[Aa]pp|[Ss]erver|index|init|Program|Startup|args?|cli|cmd|root|models?|bootstrap)\.(?:go|rs|py|[cm]?[jt]s|cs|php|kt|java|rb)$/;
const TESTS = /[._-](?:tests?|spec)\.\w{1,4}$/i;
const FOLDERS_WITHOUT =
  /^_?(tests?|__tests__|specs?|e2e|cypress|docs?|examples?|samples?|node_modules|vendor|target|dist|build|bin|obj|public|static|assets|frontend|ui|web|www|client|locales?|i18n|migrations?|testdata|fixtures?|mocks?|scripts|tools|benchmarks?|benches)$/i;
const SEARCH: Search = {
  files: FILES,
  enters: (name, depth) => depth <= 4 && !FOLDERS_WITHOUT.test(name),
  most: 120,
};
const MAX_FILES = 160;
/** Sentences about places in the code; more of them would not help. */
const MAX_PLACES = 3;
const LOCAL = /^(localhost|127\.0\.0\.1|\[?::1\]?|)$/i;

/** A literal, and where it is. */
interface Place {
  readonly app: AppFolder;
  readonly file: string;
  readonly named: NamedInCode;
  /** Its whole line. */
  readonly written: string;
}

/**
 * What the program's own code says of its database, for a project whose settings name none: the default that it has
 * where nothing is set. Only a single one is sure; of others it says where they are.
 */
export async function defaultsInCode(
  project: ProjectView,
  known: readonly Pick<Finding, 'source'>[],
  signal: AbortSignal,
): Promise<Detection> {
  // What a detector read of a file is all that it says.
  const read = new Set(known.map(({ source }) => source.file));
  const calls = await usesIn(project, read, addDriverUses, signal);
  const called = new Set([...calls.found.map(({ source }) => source.file), ...calls.skipped.map(({ file }) => file)]);
  // What a call says includes the URLs in its file, but a file of SQLite is another database.
  const places = (await placesIn(project, signal)).filter(
    ({ file, named }) => !read.has(file) && (!called.has(file) || isFile(named)),
  );
  const sure = places.filter(({ named: { dsn } }) => dsn !== undefined && isHere(dsn));
  if (calls.found.length > 0)
    return onlyOne(calls, sure.length > 0 || places.some(({ file }) => called.has(file)), places);
  const [first, ...others] = new Map(sure.map((place) => [JSON.stringify(place.named.dsn), place])).values();
  if (first === undefined) {
    const opened = onlyFile(project, await usesIn(project, read, addSqliteCalls, signal), places);
    if (opened !== undefined) return { found: [opened], skipped: [] };
  }
  if (first?.named.dsn === undefined || others.length > 0)
    return { found: [], skipped: [...calls.skipped, ...places.map(sentence)].slice(0, MAX_PLACES) };
  const collector = new Collector(NAME);
  const { app, file, named } = first;
  await addDsn(collector, app, { what: nameIn(app, file), file, line: named.line }, first.named.dsn);
  return { ...collector.detection, found: collector.detection.found.map((one) => withEnvironment(one, project.root)) };
}

/** What the calls say with which programs open a database through its driver, with their arguments. */
async function usesIn(
  project: ProjectView,
  read: ReadonlySet<string>,
  add: typeof addDriverUses,
  signal: AbortSignal,
): Promise<Detection> {
  const { apps } = await project.appFolders(signal);
  const collector = new Collector(NAME);
  for (const { file, text } of await codeOf(project, signal)) {
    const app = programFolder(apps, file);
    if (app === undefined || read.has(file) || !isMainProgram(apps, app)) continue;
    const environment = await project.environment(app, signal);
    await add({ app, name: nameBelow(app, file), text, environment }, collector);
  }
  const { found, skipped } = collector.detection;
  return { found: found.map((one) => withEnvironment(one, project.root)), skipped };
}

function isFile({ dsn, needsDriver }: NamedInCode): boolean {
  if (dsn === undefined) return needsDriver;
  return 'path' in dsn || ('url' in dsn && readDatabaseUrl(dsn.url).kind === 'sqlite');
}

/** The database that all calls open; of several, or beside another, it only says where they are. */
function onlyOne({ found, skipped }: Detection, hasOthers: boolean, others: readonly Place[]): Detection {
  const local = found.filter(
    ({ target, environment, neverDefault }) =>
      !('file' in target) && LOCAL.test(target.host) && environment === undefined && neverDefault === undefined,
  );
  const [first, ...more] = new Map(local.map((one) => [databaseOf(one), one])).values();
  if (first !== undefined && more.length === 0 && !hasOthers) return { found: [first], skipped: [] };
  const places = found.map(
    ({ source: { file, line } }): Skipped => ({ file, line, reason: PLACE, unread: 'settings' }),
  );
  return { found: [], skipped: [...places, ...skipped, ...others.map(sentence)].slice(0, MAX_PLACES) };
}

/** The one file below the project that all calls open, where what else the code names is a part of its path. */
function onlyFile(project: ProjectView, { found, skipped }: Detection, places: readonly Place[]): Finding | undefined {
  const [first, ...others] = new Map(found.map((one) => [databaseOf(one), one])).values();
  if (first === undefined || others.length > 0 || skipped.length > 0 || !('file' in first.target)) return undefined;
  const { file } = first.target;
  if (!project.contains(file) || first.environment !== undefined || first.neverDefault !== undefined) return undefined;
  return places.every(({ written }) => written.includes(basename(file))) ? first : undefined;
}

function databaseOf({ kind, target }: Finding): string {
  return 'file' in target ? target.file : JSON.stringify([kind, target.port, target.database]);
}

/** Files that lie about and that the program only copies its own from. They are never the application's database. */
export async function withoutTemplates<T extends TemplateCandidate>(
  project: ProjectView,
  found: readonly T[],
  signal: AbortSignal,
): Promise<{ readonly found: readonly T[]; readonly skipped: readonly Skipped[] }> {
  const isStray = (one: T): boolean => one.source.by === STRAY && one.neverDefault === undefined;
  const first = found.find(({ neverDefault, environment }) => neverDefault === undefined && environment === undefined);
  if (first === undefined || !isStray(first)) return { found, skipped: [] };
  const templates = new Map<string, Skipped>();
  for (const { file, text } of await codeOf(project, signal)) {
    for (const { path, line } of templatesIn(text)) {
      const plain = path.replace(/^(?:\.{0,2}\/)+/, '');
      const one = found.find(({ source }) => source.file === plain || source.file.endsWith(`/${plain}`));
      if (one === undefined || !isStray(one)) continue;
      const reason = `the program copies its database from ${one.source.file}; name the database in .devdbrc`;
      templates.set(one.source.file, { file, line, reason, unread: 'settings' });
    }
  }
  return {
    found: found.map((one) =>
      isStray(one) && templates.has(one.source.file) ? { ...one, neverDefault: 'template' } : one,
    ),
    skipped: [...templates.values()],
  };
}

type TemplateCandidate = Pick<Finding, 'source' | 'neverDefault' | 'environment'>;

interface CodeText {
  readonly file: string;
  readonly text: string;
}

async function codeOf(project: ProjectView, signal: AbortSignal): Promise<CodeText[]> {
  const [root] = (await project.appFolders(signal)).apps;
  const files = root === undefined ? [] : (await filesBelow(root, SEARCH, signal)).filter((file) => !TESTS.test(file));
  const texts: CodeText[] = [];
  for (const file of files.slice(0, MAX_FILES)) {
    signal.throwIfAborted();
    const read = await project.read(file);
    if (read.state === 'text') texts.push({ file, text: read.text });
  }
  return texts;
}

async function placesIn(project: ProjectView, signal: AbortSignal): Promise<Place[]> {
  const { apps } = await project.appFolders(signal);
  const places: Place[] = [];
  for (const { file, text } of await codeOf(project, signal)) {
    const app = programFolder(apps, file);
    const found = namedInCode(text);
    if (app === undefined || found.length === 0) continue;
    const usesSqlite = SQLITE.test(text) || (await isSqliteDriver(app));
    const isMain = isMainProgram(apps, app) && !OTHER_USES.test(text);
    const isSure = (one: NamedInCode): boolean => isMain && (!one.needsDriver || startsWithSqlite(text));
    for (const named of found.filter((one) => usesSqlite || !one.needsDriver)) {
      const dsn = named.beside ? await besideFile(app, file, named.dsn) : named.dsn;
      const written = text.split('\n')[named.line - 1] ?? '';
      places.push({ app, file, written, named: { ...named, dsn: isSure(named) ? dsn : undefined } });
    }
  }
  return places;
}

/** A path that counts from a program's own file; unknown where the file runs from another folder. */
async function besideFile(app: AppFolder, file: string, dsn: Dsn | undefined): Promise<Dsn | undefined> {
  if (dsn === undefined || !('path' in dsn) || !/\.[cm]?js$/.test(file)) return undefined;
  if (await isBuiltElsewhere(app)) return undefined;
  return { path: posix.join(posix.dirname(nameBelow(app, file)), dsn.path) };
}

/** Of the packages of a workspace only the server's own says what the application uses. */
function isMainProgram([root]: readonly AppFolder[], { folder }: AppFolder): boolean {
  const last = folder.slice(folder.lastIndexOf('/') + 1);
  return folder === '' || root?.has('package.json') !== true || /^(server|backend|api|app)$/i.test(last);
}

async function isSqliteDriver(app: AppFolder): Promise<boolean> {
  return (await driversOf(app)).some(({ kind }) => kind === 'sqlite');
}

/** Which of its texts are for production or tests only running code knows. */
const OTHER_USES =
  /(?:^|[^A-Za-z])(?:prod|production|staging|testing|e2e)(?:[^A-Za-z]|$)|(?<![A-Z])(?:Prod(?:uction)?|Test(?:s|ing)?|Staging)(?![a-z])|(?<![A-Za-z])(?:CI|E2E)(?=[A-Z][a-z])|^[ \t]{0,40}["']?tests?["']? ?[:=(]/m;
/** Other libraries keep files with the same endings. */
const SQLITE = /sqlite/i;

/** A file below the project, or a server on this machine. */
function isHere(dsn: Dsn): boolean {
  if ('path' in dsn) return !isAbsolute(dsn.path) && !dsn.path.startsWith('..') && !dsn.path.startsWith('~');
  if (!('url' in dsn)) return LOCAL.test(dsn.host);
  const url = readDatabaseUrl(dsn.url);
  if (url.kind === 'problem') return false;
  // A program may put a database's name behind a server's URL.
  if (url.kind !== 'sqlite' && url.target.database === '') return false;
  return url.kind === 'sqlite' ? url.paths.every((path) => !path.startsWith('..')) : LOCAL.test(url.target.host);
}

function sentence({ file, named: { line } }: Place): Skipped {
  return { file, line, reason: PLACE, unread: 'settings' };
}

const PLACE = 'names a database in program code, where it depends on how the program is started; name it in .devdbrc';

/** Without the folder, which a finding's id puts in front itself. */
function nameIn(app: AppFolder, file: string): string {
  return nameBelow(app, file).replace(/\.\w+$/, '');
}

function nameBelow({ folder }: AppFolder, file: string): string {
  return file.slice(folder === '' ? 0 : folder.length + 1);
}

/** A .NET project's own file only says that settings are outside the project. */
const CODE = /\.(go|rs|py|[cm]?[jt]sx?|cs|php|kt|java|rb|exs?|(?:cs|fs|vb)proj)$/i;

/** Whether nothing but program code says what the default is: settings that could not be read do, and mean another. */
export function leavesToCode(known: {
  readonly found: readonly Pick<Finding, 'neverDefault'>[];
  readonly skipped: readonly Skipped[];
}): boolean {
  return (
    !known.found.some(({ neverDefault }) => neverDefault === 'undecided') &&
    known.skipped.every(
      ({ unread, file }) => unread === undefined || unread === 'server' || (unread === 'settings' && CODE.test(file)),
    )
  );
}
