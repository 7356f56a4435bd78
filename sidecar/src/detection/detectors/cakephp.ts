import type { AppFolder } from '../app-folder.ts';
import { CodeFile } from '../code-file.ts';
import { Collector } from '../collector.ts';
import { type FieldNames, wordOf } from '../connection-fields.ts';
import type { Detector } from '../detector.ts';
import type { Environment } from '../environment.ts';
import { addPhpConnection } from '../php-connection.ts';
import { type Expr, nameOf } from '../readers/code/expression.ts';
import { propertiesOf } from '../readers/code/php-properties.ts';
import { type Assignment, callsOf, exported, readProgram } from '../readers/code/program.ts';
import { engineKindOf } from '../readers/engine-names.ts';

const NAME = 'cakephp';
const BOOTSTRAP = 'config/bootstrap.php';
const FIELDS: FieldNames = {
  url: ['url'],
  host: ['unix_socket', 'host'],
  port: ['port'],
  user: ['username'],
  password: ['password'],
  database: ['database'],
  file: ['database'],
};
const MAX_FILES = 6;
/** The databases of CakePHP's own skeleton, which the settings of each machine replace. */
const SKELETON: ReadonlySet<string | undefined> = new Set(['my_app', 'test_myapp']);
const LOCAL = 'app_local';
/** The framework's constants for the folders of an application, and for the mark between them. */
const CONSTANTS: readonly (readonly [string, string])[] = [
  ['ROOT', ''],
  ['APP', 'src/'],
  ['CONFIG', 'config/'],
  ['TMP', 'tmp/'],
  ['WWW_ROOT', 'webroot/'],
];

/** CakePHP 2 keeps its connections in a class. */
const FILE_2 = 'Config/database.php';
const FIELDS_2: FieldNames = {
  host: ['unix_socket', 'host'],
  port: ['port'],
  user: ['login'],
  password: ['password'],
  database: ['database'],
  file: ['database'],
};
/** Its data sources, of which applications derive their own: `Database/MysqlObserver`. */
const SOURCE_2 = /^Database\/(Mysql|Postgres|Sqlite|Sqlserver)\w*$/;

/** The data sources of a CakePHP application, over all files that its bootstrap loads. */
export const cakephp: Detector = {
  name: NAME,
  looksFor: ['config/app.php and config/app_local.php beside config/bootstrap.php', `app/${FILE_2} (CakePHP 2)`],
  async detect(project, signal) {
    const collector = new Collector(NAME);
    for (const app of await project.apps(signal)) {
      if (app.has('Config')) await readVersion2(app, await project.environment(app, signal), collector);
      if (!app.has('composer.json') || !app.has('config')) continue;
      const bootstrap = await collector.textOf(app, app.path(BOOTSTRAP));
      if (bootstrap === undefined || !bootstrap.includes('Configure::load')) continue;
      await readApp(app, bootstrap, await project.environment(app, signal), collector);
    }
    return collector.detection;
  },
};

async function readVersion2(app: AppFolder, environment: Environment, collector: Collector): Promise<void> {
  const code = await CodeFile.read(app, FILE_2, 'php', environment, collector);
  if (code === undefined) return;
  for (const [index, [what, written]] of [...propertiesOf(code.program)].entries()) {
    const object = code.evaluator.resolve(written);
    const source = wordOf(code.evaluator, code.evaluator.field(object, 'datasource')) ?? '';
    const driver = SOURCE_2.exec(source)?.[1];
    if (driver === undefined) continue;
    const place = {
      what,
      file: code.file,
      line: written.line,
      environment: what.startsWith('test') ? 'test' : '',
      rank: what === 'default' ? 0 : index + 1,
    };
    const otherwise = engineKindOf(driver);
    await addPhpConnection(code, collector, place, { object, names: FIELDS_2, driver: [], otherwise });
  }
}

interface Source {
  readonly code: CodeFile;
  readonly object: Expr;
}

async function readApp(
  app: AppFolder,
  bootstrap: string,
  environment: Environment,
  collector: Collector,
): Promise<void> {
  const sources = new Map<string, Source>();
  let isLocalMissing = false;
  for (const name of filesOf(bootstrap)) {
    const read = await CodeFile.read(app, `config/${name}.php`, 'php', environment, collector);
    if (read === undefined && name === LOCAL) isLocalMissing = true;
    const code = read && withConstants(read, environment);
    const config = code && exported(code.program);
    const all = config && code?.evaluator.field(config, 'Datasources');
    const resolved = all && code?.evaluator.resolve(all);
    if (code === undefined || resolved?.kind !== 'object') continue;
    for (const [what, object] of resolved.entries) {
      const before = sources.get(what);
      const spreads = [...(before === undefined ? [] : [before.object]), object];
      // The file that names the database is the one to look at.
      const tells = code.evaluator.field(object, 'database') ?? code.evaluator.field(object, 'url');
      const shown = before === undefined || tells ? code : before.code;
      sources.set(what, {
        code: shown,
        object: { kind: 'object', line: object.line, entries: new Map(), spreads, overrides: [] },
      });
    }
  }
  for (const [index, [what, { code, object }]] of [...sources].entries()) {
    if (what === 'debug_kit') continue;
    const environmentName = what.startsWith('test') ? 'test' : '';
    const place = {
      what,
      file: code.file,
      line: object.line,
      environment: environmentName,
      rank: what === 'default' ? 0 : index + 1,
    };
    const { evaluator } = code;
    const isSkeleton = isLocalMissing && SKELETON.has(wordOf(evaluator, evaluator.field(object, 'database')));
    if (!named(code, object, isSkeleton ? ['url'] : ['database', 'url']))
      collector.skip(place.file, place.line, `${what}: names no database yet; set it in config/app_local.php`);
    else
      await addPhpConnection(code, collector, place, {
        object,
        names: FIELDS,
        driver: ['driver'],
        folder: app.absolute(),
      });
  }
}

function withConstants({ app, file, program }: CodeFile, environment: Environment): CodeFile {
  const constant = (target: string, value: string): Assignment => {
    return { target, value: { kind: 'value', line: 1, value }, line: 1, conditional: false };
  };
  const folders = CONSTANTS.map(([name, below]) =>
    constant(name, below === '' ? app.absolute() : `${app.absolute()}/${below}`),
  );
  return new CodeFile(app, file, program, environment, '', [constant('DS', '/'), ...folders, ...program.assignments]);
}

function named(code: CodeFile, object: Expr, fields: readonly string[]): boolean {
  return fields.some((name) => {
    const field = code.evaluator.field(object, name);
    const value = field && code.evaluator.value(field);
    return value !== undefined && !(value.ok && (value.value === null || value.value === ''));
  });
}

/** The settings files in the order they are loaded; app_local.php by convention after app.php. */
function filesOf(bootstrap: string): readonly string[] {
  const calls = callsOf(readProgram(bootstrap, 'php'), 'Configure').filter(
    ({ call }) => nameOf(call.of) === 'Configure.load',
  );
  const names = calls.flatMap(({ call: { args } }) => {
    const [first] = args;
    return first?.kind === 'value' && /^[\w-]+$/.test(String(first.value)) ? [String(first.value)] : [];
  });
  return [...new Set(['app', ...names])].slice(0, MAX_FILES);
}
