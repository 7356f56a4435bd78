import type { AppFolder } from '../app-folder.ts';
import { CodeFile, exprOf } from '../code-file.ts';
import { Collector } from '../collector.ts';
import { addDescribed, SCRIPT_FIELDS, wordOf } from '../connection-fields.ts';
import type { Detector } from '../detector.ts';
import type { Environment } from '../environment.ts';
import { type NamedValue, nestConfigs } from '../nest-configs.ts';
import type { Expr } from '../readers/code/expression.ts';
import { literalsWith } from '../readers/code/object-literals.ts';
import { callsOf, exported, readProgram } from '../readers/code/program.ts';
import type { Token } from '../readers/code/tokens.ts';
import { engineKindOf } from '../readers/engine-names.ts';
import { readJsonc } from '../readers/jsonc.ts';
import { scriptFiles } from '../script-files.ts';

const NAME = 'typeorm';
const FILE = /data-?source\.[cm]?[jt]s$/i;
/** Usual folders of data sources, besides those already listed. */
const FOLDERS = ['src', 'src/database', 'src/db', 'src/config', 'database', 'db', 'config'];
const NAMES = ['data-source.ts', 'data-source.js', 'app-data-source.ts', 'datasource.ts', 'typeorm.config.ts'];
const LIBRARY = /"(?:typeorm|@nestjs\/typeorm)"\s*:/;
const SPEAKS = /DataSource|TypeOrm|typeorm/;
/** What an object needs beside its type to be a connection. */
const CONNECTS = ['host', 'database', 'url', 'username', 'port'];
/** Options of forRootAsync. */
const FACTORY = ['useFactory', 'useClass', 'useExisting', 'inject'];
const MODULES = ['src/app.module.ts', 'src/database/database.module.ts'];

/** The data sources of TypeORM: `new DataSource({...})`, Nest's `TypeOrmModule.forRoot({...})`, ormconfig. */
export const typeorm: Detector = {
  name: NAME,
  looksFor: ['data-source.ts', 'src/data-source.ts', 'ormconfig.json', 'ormconfig.js', 'src/app.module.ts'],
  async detect(project, signal) {
    const collector = new Collector(NAME);
    const seen = new Set<string>();
    for (const app of await project.apps(signal)) {
      const environment = await project.environment(app, signal);
      for (const name of app.files(/^ormconfig\.([cm]?[jt]s|json)$/))
        await readOrmconfig(app, name, environment, collector);
      const named = await scriptFiles(app, LIBRARY, signal);
      const configs = await nestConfigs(app, named, environment);
      for (const name of [...sources(app), ...named].filter((one) => !seen.has(app.path(one)))) {
        if (seen.has(app.path(name))) continue;
        seen.add(app.path(name));
        await readSource(app, name, environment, configs, collector);
      }
    }
    return collector.detection;
  },
};

function sources(app: AppFolder): string[] {
  const listed = app.files(FILE);
  if (!app.has('package.json')) return [...listed];
  const inside = FOLDERS.filter((folder) => app.has(folder.split('/')[0] ?? ''));
  const further = inside.flatMap((folder) => NAMES.map((name) => `${folder}/${name}`));
  return [...listed, ...further, ...(app.has('src') ? MODULES : [])];
}

async function readOrmconfig(
  app: AppFolder,
  name: string,
  environment: Environment,
  collector: Collector,
): Promise<void> {
  const file = app.path(name);
  const code = name.endsWith('.json')
    ? new CodeFile(app, file, readProgram('', 'javascript'), environment)
    : await CodeFile.read(app, name, 'javascript', environment, collector);
  if (code === undefined) return;
  const config = name.endsWith('.json') ? await jsonOf(app, name, collector) : exported(code.program);
  const resolved = config && code.evaluator.resolve(config);
  if (resolved === undefined && name.endsWith('.json')) return;
  const items = resolved?.kind === 'list' ? resolved.items : [resolved];
  for (const item of items) await addSource(code, collector, item, resolved?.line ?? 1);
}

async function jsonOf(app: AppFolder, name: string, collector: Collector): Promise<Expr | undefined> {
  const file = app.path(name);
  const text = await collector.textOf(app, file);
  if (text === undefined) return undefined;
  const { value, problems } = readJsonc(text);
  for (const { line, reason } of problems) collector.skip(file, line, reason, true);
  return value && exprOf(value);
}

async function readSource(
  app: AppFolder,
  name: string,
  environment: Environment,
  configs: NamedValue,
  collector: Collector,
): Promise<void> {
  const read = await app.read(name);
  if (read.state === 'text' && !SPEAKS.test(read.text)) return;
  const code = await CodeFile.read(app, name, 'javascript', environment, collector, configs);
  if (code === undefined) return;
  const taken = new Set<number>();
  const literals = literalsWith(code.program, 'type', isEngine).filter((one) => isConnection(one, code));
  const calls = [...callsOf(code.program, 'DataSource'), ...callsOf(code.program, 'TypeOrmModule')];
  for (const { call } of calls) {
    const [options] = call.args;
    const object = options && code.evaluator.resolve(options);
    if (options === undefined || object === undefined || object.kind === 'list') continue;
    // A factory's object is read where it stands; the parameter it passes on says nothing.
    const isFactory = object.kind === 'object' && FACTORY.some((field) => object.entries.has(field));
    const readable = object.kind === 'object' && !isFactory;
    if (!readable && (isFactory ? literals.length > 0 : calls.length > 1)) continue;
    taken.add(object.line);
    if (isFactory) collector.skip(code.file, call.line, 'the options of the data source come from a factory elsewhere');
    else await addSource(code, collector, options, call.line);
  }
  for (const object of literals) if (!taken.has(object.line)) await addSource(code, collector, object, object.line);
}

/** A name or call may give it too. */
function isEngine(token: Token | undefined): boolean {
  return token?.kind === 'name' || (token?.kind === 'text' && engineKindOf(token.text) !== undefined);
}

/** Other objects have a type too. */
function isConnection(object: Expr, { evaluator }: CodeFile): boolean {
  if (object.kind !== 'object') return false;
  const type = wordOf(evaluator, evaluator.field(object, 'type'));
  const fields = CONNECTS.filter((field) => object.entries.has(field)).length;
  return fields > 0 && (type === undefined ? fields > 2 : engineKindOf(type) !== undefined);
}

async function addSource(code: CodeFile, collector: Collector, written: Expr | undefined, line: number): Promise<void> {
  const { app, file, evaluator } = code;
  const object = written && evaluator.resolve(written);
  if (object?.kind !== 'object') {
    collector.skip(file, line, 'the options of the data source are computed and cannot be read without running code');
    return;
  }
  const type = wordOf(evaluator, evaluator.field(object, 'type'));
  const kind = type === undefined ? undefined : engineKindOf(type);
  const what = wordOf(evaluator, evaluator.field(object, 'name')) ?? 'default';
  if (type === undefined) collector.skip(file, object.line, `${what}: the type is missing or computed`);
  else if (kind === undefined) collector.skip(file, object.line, `${what}: DevDB does not support its type`);
  else {
    const place = { what, file, line: object.line };
    const folder = kind === 'sqlite' ? app.absolute() : undefined;
    await addDescribed(collector, app, evaluator, place, { kind, object, names: SCRIPT_FIELDS, folder });
  }
}
