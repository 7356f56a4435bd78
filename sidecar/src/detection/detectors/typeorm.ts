import type { AppFolder } from '../app-folder.ts';
import { CodeFile, exprOf } from '../code-file.ts';
import { Collector } from '../collector.ts';
import { addDescribed, SCRIPT_FIELDS, wordOf } from '../connection-fields.ts';
import type { Detector } from '../detector.ts';
import type { Environment } from '../environment.ts';
import type { Expr } from '../readers/code/expression.ts';
import { callsOf, exported, readProgram } from '../readers/code/program.ts';
import { engineKindOf } from '../readers/engine-names.ts';
import { readJsonc } from '../readers/jsonc.ts';

const NAME = 'typeorm';
const FILE = /data-?source\.[cm]?[jt]s$/i;
/** Usual folders of data sources, besides those already listed. */
const FOLDERS = ['src', 'src/database', 'src/db', 'src/config', 'database', 'db', 'config'];
const NAMES = ['data-source.ts', 'data-source.js', 'app-data-source.ts', 'datasource.ts', 'typeorm.config.ts'];
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
      for (const name of sources(app).filter((one) => !seen.has(app.path(one)))) {
        seen.add(app.path(name));
        await readSource(app, name, environment, collector);
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

async function readSource(app: AppFolder, name: string, environment: Environment, collector: Collector): Promise<void> {
  const code = await CodeFile.read(app, name, 'javascript', environment, collector);
  if (code === undefined) return;
  const calls = [...callsOf(code.program, 'DataSource'), ...callsOf(code.program, 'TypeOrmModule')];
  for (const { call } of calls) {
    const [options] = call.args;
    // The options of forRootAsync and forFeature are not literal.
    if (options && code.evaluator.resolve(options).kind !== 'list')
      await addSource(code, collector, options, call.line);
  }
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
