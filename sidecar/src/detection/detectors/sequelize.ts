import { relative } from 'node:path';
import type { AppFolder } from '../app-folder.ts';
import { CodeFile, exprOf } from '../code-file.ts';
import { Collector } from '../collector.ts';
import { addDescribed, SCRIPT_FIELDS, wordOf } from '../connection-fields.ts';
import type { Detector } from '../detector.ts';
import type { Environment } from '../environment.ts';
import { environmentOf } from '../environment-names.ts';
import type { NamedValue } from '../nest-configs.ts';
import type { Expr } from '../readers/code/expression.ts';
import { exported, readProgram } from '../readers/code/program.ts';
import { engineKindOf } from '../readers/engine-names.ts';
import { readJsonc } from '../readers/jsonc.ts';

const NAME = 'sequelize';
const RC = '.sequelizerc';
/** The command line tool's default path, and other common ones. */
const USUAL = ['config/config.json', 'config/config.js', 'config/database.json', 'config/database.js'];
/** Where programs that load such a file themselves keep it. */
const LOADED = ['config', 'src/config', 'database', 'db'].flatMap((folder) =>
  ['config.json', 'database.json', 'db.json', 'sequelize.json'].map((name) => `${folder}/${name}`),
);
const TYPED = ['config', 'database', 'src/config', 'src/database', 'src/db'].flatMap((folder) =>
  ['config.ts', 'database.ts', 'database.config.ts'].map((name) => `${folder}/${name}`),
);
const FILES = [...new Set([...USUAL, ...LOADED, ...TYPED])];
/** The section of development is used where NODE_ENV says so, whatever the file takes without it. */
const DEVELOPMENT: NamedValue = (name) => (name === 'NODE_ENV' ? { text: 'development' } : undefined);

/** The environments of a Sequelize configuration. */
export const sequelize: Detector = {
  name: NAME,
  looksFor: ['config/config.json, config/config.js, config/db.json and their like', RC],
  async detect(project, signal) {
    const collector = new Collector(NAME);
    for (const app of await project.apps(signal)) {
      const environment = await project.environment(app, signal);
      const named = app.has(RC) ? await configOf(app, environment, collector) : undefined;
      // These names alone do not mean Sequelize; the files must look like Sequelize settings.
      const own = app.has('package.json') ? FILES.filter((file) => app.has(file.split('/', 1)[0] ?? '')) : [];
      const files = named ?? own;
      for (const file of files) await readConfig(app, file, environment, collector, named !== undefined);
    }
    return collector.detection;
  },
};

async function configOf(
  app: AppFolder,
  environment: Environment,
  collector: Collector,
): Promise<readonly string[] | undefined> {
  const code = await CodeFile.read(app, RC, 'javascript', environment, collector);
  const config = code && exported(code.program);
  const path = config && code?.evaluator.field(config, 'config');
  if (code === undefined || path === undefined) return undefined;
  const value = code.evaluator.value(path);
  if (value.ok && typeof value.value === 'string') {
    const inside = relative(app.absolute(), value.value).split('\\').join('/');
    // What a compiler will write may be missing, and what it writes it from is in a usual place.
    const isThere = !inside.startsWith('..') && (await app.read(inside)).state !== 'absent';
    return isThere ? [inside] : undefined;
  }
  collector.skip(
    code.file,
    path.line,
    'the path of the configuration is computed and cannot be determined without running code',
  );
  return undefined;
}

async function readConfig(
  app: AppFolder,
  name: string,
  environment: Environment,
  collector: Collector,
  sure: boolean,
): Promise<void> {
  const file = app.path(name);
  const text = await collector.textOf(app, file);
  if (text === undefined) return;
  // Other libraries use files of these names too.
  if (!sure && !/dialect|use_env_variable/.test(text)) return;
  if (!sure && name.endsWith('.ts') && !/\bdevelopment\b["']?\s*:/.test(text)) return;
  const isJson = name.endsWith('.json');
  const code = isJson
    ? new CodeFile(app, file, readProgram('', 'javascript'), environment)
    : await CodeFile.read(app, name, 'javascript', environment, collector, DEVELOPMENT);
  if (code === undefined) return;
  const { value, problems } = isJson ? readJsonc(text) : { value: undefined, problems: [] };
  for (const { line, reason } of problems) collector.skip(file, line, reason, true);
  const config = isJson ? value && exprOf(value) : (exported(code.program) ?? environmentsIn(code));
  const resolved = config && code.evaluator.resolve(config);
  if (resolved?.kind !== 'object') {
    if (problems.length === 0)
      collector.skip(file, config?.line, 'exports no object that can be read without running code');
    return;
  }
  const single = code.evaluator.field(resolved, 'dialect') !== undefined;
  const entries = single ? [['default', resolved] as const] : [...resolved.entries];
  for (const [what, entry] of entries) await addEnvironment(code, collector, what, entry, environment);
}

/** `export const databases = { development: {...}, ... }` */
function environmentsIn({ program, evaluator }: CodeFile): Expr | undefined {
  return program.assignments.find(({ value }) => evaluator.field(value, 'development') !== undefined)?.value;
}

async function addEnvironment(
  code: CodeFile,
  collector: Collector,
  what: string,
  written: Expr,
  environment: Environment,
): Promise<void> {
  const { app, file, evaluator } = code;
  const object = evaluator.resolve(written);
  const place = { what, file, line: written.line, environment: environmentOf(what === 'default' ? '' : what) };
  const variable = wordOf(evaluator, evaluator.field(object, 'use_env_variable'));
  if (variable !== undefined) {
    const resolved = environment.resolve(variable, place.environment);
    if (resolved.state === 'set' && resolved.text !== '') await collector.url(app, place, resolved.text);
    else collector.skip(file, place.line, `${what}: refers to ${variable}, which the .env files do not set`);
    return;
  }
  const dialect = wordOf(evaluator, evaluator.field(object, 'dialect'));
  const kind = dialect === undefined ? undefined : engineKindOf(dialect);
  if (object.kind !== 'object')
    collector.skip(file, place.line, `${what}: is computed and cannot be read without running code`);
  else if (dialect === undefined) collector.skip(file, place.line, `${what}: the dialect is missing or computed`);
  else if (kind === undefined) collector.skip(file, place.line, `${what}: DevDB does not support its dialect`);
  else {
    const folder = kind === 'sqlite' ? app.absolute() : undefined;
    await addDescribed(collector, app, evaluator, place, { kind, object, names: SCRIPT_FIELDS, folder });
  }
}
