import type { AppFolder } from '../app-folder.ts';
import { CodeFile, exprOf } from '../code-file.ts';
import { Collector } from '../collector.ts';
import { addDescribed, SCRIPT_FIELDS, wordOf } from '../connection-fields.ts';
import type { Detector } from '../detector.ts';
import type { Environment } from '../environment.ts';
import { environmentOf } from '../environment-names.ts';
import type { Expr } from '../readers/code/expression.ts';
import { exported, readProgram } from '../readers/code/program.ts';
import { engineKindOf } from '../readers/engine-names.ts';
import { readJsonc } from '../readers/jsonc.ts';
import { type Opened, openedBeside, sqlitePath } from './drizzle-client.ts';

const NAME = 'drizzle';
const FILE = /^drizzle([.-]\w+)?\.config\.([cm]?[jt]s|json)$|^drizzle\.config\.\w+\.([cm]?[jt]s)$/;
/** Drivers that do not connect to a server or a local file. */
const ELSEWHERE: ReadonlySet<string> = new Set(['d1-http', 'expo', 'aws-data-api', 'durable-sqlite', 'turso', 'd1']);

/** The database of a Drizzle configuration. */
export const drizzle: Detector = {
  name: NAME,
  looksFor: ['drizzle.config.ts', 'drizzle.config.js', 'drizzle.config.json'],
  async detect(project, signal) {
    const collector = new Collector(NAME);
    for (const app of await project.apps(signal)) {
      const own = await onlyOfEngine(app);
      for (const file of app.files(FILE)) await readFile(app, file, file === own, collector, signal);
    }
    return collector.detection;
  },
};

/** The word that a file's name adds to the usual one: an environment, or the engine where there is a file for each. */
function wordIn(name: string): string | undefined {
  const middle = /^drizzle[.-](\w+)\.config|^drizzle\.config\.(\w+)\.\w+$/.exec(name);
  return middle?.[1] ?? middle?.[2];
}

/** Of files that are called after engines the only one that names a database, where none has the usual name. */
async function onlyOfEngine(app: AppFolder): Promise<string | undefined> {
  const naming: string[] = [];
  for (const name of app.files(FILE)) {
    const word = wordIn(name);
    if (word === undefined || environmentOf(word) === '') return undefined;
    if (ELSEWHERE.has(word) || engineKindOf(word) === undefined) continue;
    const read = await app.read(name);
    if (read.state === 'text' && /\bdbCredentials\b/.test(read.text)) naming.push(name);
  }
  return naming.length === 1 ? naming[0] : undefined;
}

async function readFile(
  app: AppFolder,
  name: string,
  isOwn: boolean,
  collector: Collector,
  signal: AbortSignal,
): Promise<void> {
  const environment = await app.project.environment(app, signal);
  const file = app.path(name);
  if (!name.endsWith('.json')) {
    const code = await CodeFile.read(app, name, 'javascript', environment, collector);
    if (code) await addConfig(code, collector, exported(code.program), { name, isOwn, environment }, signal);
    return;
  }
  const text = await collector.textOf(app, file);
  if (text === undefined) return;
  const { value, problems } = readJsonc(text);
  for (const { line, reason } of problems) collector.skip(file, line, reason, true);
  const code = new CodeFile(app, file, readProgram('', 'javascript'), environment);
  if (value) await addConfig(code, collector, exprOf(value), { name, isOwn, environment }, signal);
}

interface Named {
  readonly name: string;
  /** It is for development, whatever its name adds. */
  readonly isOwn: boolean;
  readonly environment: Environment;
}

async function addConfig(
  code: CodeFile,
  collector: Collector,
  written: Expr | undefined,
  { name, isOwn, environment }: Named,
  signal: AbortSignal,
): Promise<void> {
  const { app, file, evaluator } = code;
  const config = written && evaluator.resolve(written);
  if (config?.kind !== 'object') {
    collector.skip(file, written?.line, 'exports no object that can be read without running code');
    return;
  }
  const driver = wordOf(evaluator, evaluator.field(config, 'driver'));
  const dialect = wordOf(evaluator, evaluator.field(config, 'dialect')) ?? driver;
  const credentials = evaluator.field(config, 'dbCredentials');
  const line = credentials?.line ?? config.line;
  const kind = dialect === undefined ? undefined : dialect === 'turso' ? 'sqlite' : engineKindOf(dialect);
  const what = wordIn(name) ?? 'db';
  const isLocal = isLocalFile(evaluator, credentials);
  const elsewhere = [driver, dialect].find((word) => word !== undefined && ELSEWHERE.has(word) && !isLocal);
  if (elsewhere !== undefined)
    collector.skip(file, line, `the driver ${elsewhere} connects to nothing that DevDB can reach`);
  else if (kind === undefined) collector.skip(file, config.line, 'the dialect is missing, computed, or not supported');
  else if (credentials === undefined) collector.skip(file, config.line, 'has no dbCredentials');
  else {
    const place = { what, file, line, environment: isOwn || what === 'db' ? '' : environmentOf(what) };
    const folder = kind === 'sqlite' ? app.absolute() : undefined;
    const object = evaluator.resolve(credentials);
    if (object.kind !== 'object')
      collector.skip(file, line, 'dbCredentials are computed and cannot be read without running code');
    else {
      const schema = wordOf(evaluator, evaluator.field(config, 'schema'));
      const isFile = kind === 'sqlite' && place.environment === '';
      const other = isFile && schema !== undefined ? await openedBeside(app, schema, environment, signal) : undefined;
      const beside = other !== undefined && opensOther(code, object, other, collector) ? (true as const) : undefined;
      await addDescribed(
        collector,
        app,
        evaluator,
        { ...place, beside },
        { kind, object, names: SCRIPT_FIELDS, folder },
      );
    }
  }
}

/** Whether the program opens another file than its configuration names, which is then added, or said where it cannot be. */
function opensOther(code: CodeFile, credentials: Expr, { file, line, path }: Opened, collector: Collector): boolean {
  const url = code.evaluator.field(credentials, 'url');
  const named = url && sqlitePath(code, url);
  if (named === undefined || named === path) return false;
  if (code.app.project.contains(path)) collector.file(code.app, { what: 'client', file, line }, path);
  else
    collector.skip(
      file,
      line,
      `the program opens a file outside the project, not the one that ${code.file} names for Drizzle's commands; name its database in .devdbrc`,
    );
  return true;
}

/** Turso's library also opens a local file, given by a `file:` URL. */
function isLocalFile(evaluator: CodeFile['evaluator'], credentials: Expr | undefined): boolean {
  const url = credentials && evaluator.field(credentials, 'url');
  const value = url && evaluator.value(url);
  return value?.ok === true && typeof value.value === 'string' && value.value.startsWith('file:');
}
