import { posix } from 'node:path';
import type { EngineKind } from '../../engines/engine.ts';
import type { AppFolder } from '../app-folder.ts';
import { CodeFile } from '../code-file.ts';
import { Collector } from '../collector.ts';
import { addDescribed, type FieldNames, SCRIPT_FIELDS, wordOf } from '../connection-fields.ts';
import type { Detector } from '../detector.ts';
import { dependsOn } from '../package-names.ts';
import type { Expr } from '../readers/code/expression.ts';
import { callsOf, exported, type Program } from '../readers/code/program.ts';
import { engineKindOf } from '../readers/engine-names.ts';
import { readJsonc } from '../readers/jsonc.ts';
import { at, textOf } from '../readers/located.ts';

const NAME = 'mikro-orm';
const FILE = 'mikro-orm.config';
const FOLDERS = ['', 'src/', 'app/', 'src/config/', 'src/database/', 'config/'];
const MODULES = ['src/app.module.ts', 'src/database/database.module.ts'];
const FIELDS: FieldNames = { ...SCRIPT_FIELDS, url: ['clientUrl'], database: ['dbName'], file: ['dbName'], ssl: [] };
const PACKAGE = /^@mikro-orm\/(mysql|mariadb|postgresql|sqlite|better-sqlite|libsql|mssql|mongodb)$/;
/** What MikroORM takes where no user is named. */
const USERS: Readonly<Record<EngineKind, string>> = { postgres: 'postgres', mysql2: 'root', mssql: 'sa', sqlite: '' };

/** The database of MikroORM's configuration file, or of the options in a Nest module. */
export const mikroOrm: Detector = {
  name: NAME,
  looksFor: ['mikro-orm.config.ts', 'src/mikro-orm.config.ts', 'src/app.module.ts', 'what package.json names'],
  async detect(project, signal) {
    const collector = new Collector(NAME);
    for (const app of await project.apps(signal)) {
      if (!(await dependsOn(app, collector, '@mikro-orm/'))) continue;
      const environment = await project.environment(app, signal);
      const configs = FOLDERS.filter((folder) => folder === '' || app.has(folder.split('/')[0] ?? '')).flatMap(
        (folder) => ['ts', 'js'].map((ending) => `${folder}${FILE}.${ending}`),
      );
      const named = await namedConfigs(app);
      for (const name of new Set([...configs, ...named, ...(app.has('src') ? MODULES : [])])) {
        const code = await CodeFile.read(app, name, 'javascript', environment, collector);
        if (code) await addConfig(app, code, collector);
      }
    }
    return collector.detection;
  },
};

/** package.json: `"mikro-orm": { "configPaths": ["src/orm.ts", ...] }`; a compiled one may be there too. */
async function namedConfigs(app: AppFolder): Promise<readonly string[]> {
  const read = await app.read('package.json');
  const paths = read.state === 'text' ? at(readJsonc(read.text).value, 'mikro-orm', 'configPaths') : undefined;
  const names = paths?.kind === 'array' ? paths.items.map((item) => posix.normalize(textOf(item) ?? '')) : [];
  return names.filter((name) => /^[\w@].*\.[cm]?[jt]s$/.test(name) && !/^(dist|build)\//.test(name));
}

async function addConfig(app: AppFolder, code: CodeFile, collector: Collector): Promise<void> {
  const { evaluator, file, program } = code;
  const written = optionsOf(program);
  const config = written && evaluator.resolve(written);
  if (config?.kind !== 'object') {
    if (file.includes(FILE))
      collector.skip(file, written?.line, 'exports no object that can be read without running code');
    return;
  }
  const word =
    wordOf(evaluator, evaluator.field(config, 'driver') ?? evaluator.field(config, 'type')) ?? packageOf(program);
  const kind = word === undefined ? undefined : kindOf(word);
  if (word === undefined) collector.skip(file, config.line, 'the driver is missing or computed');
  else if (kind === undefined) collector.skip(file, config.line, 'DevDB does not support its driver');
  else {
    const place = { what: 'db', file, line: config.line };
    const object = withUser(config, kind);
    await addDescribed(collector, app, evaluator, place, { kind, object, names: FIELDS, folder: app.absolute() });
  }
}

/** The exported options, or those of `MikroOrmModule.forRoot({...})`. */
function optionsOf(program: Program): Expr | undefined {
  const [module] = callsOf(program, 'MikroOrmModule').flatMap(({ call }) => call.args.slice(0, 1));
  return module ?? exported(program);
}

/** The package that the options' function comes from names the engine. */
function packageOf({ tokens }: Program): string | undefined {
  for (const token of tokens) {
    const name = token.kind === 'text' ? PACKAGE.exec(token.text)?.[1] : undefined;
    if (name !== undefined) return name;
  }
  return undefined;
}

function kindOf(word: string): EngineKind | undefined {
  const plain = word.replace(/Driver$/, '').toLowerCase();
  return /^(libsql|better-?sqlite)$/.test(plain) ? 'sqlite' : engineKindOf(plain);
}

function withUser(config: Expr, kind: EngineKind): Expr {
  const { line } = config;
  const user: Expr = { kind: 'value', line, value: USERS[kind] };
  const defaults: Expr = { kind: 'object', line, entries: new Map([['user', user]]), spreads: [], overrides: [] };
  return { kind: 'object', line, entries: new Map(), spreads: [defaults, config], overrides: [] };
}
