import type { AppFolder } from '../app-folder.ts';
import { CodeFile } from '../code-file.ts';
import { Collector } from '../collector.ts';
import type { FieldNames } from '../connection-fields.ts';
import type { Detector } from '../detector.ts';
import type { Environment } from '../environment.ts';
import { addPhpConnection } from '../php-connection.ts';
import type { Expr } from '../readers/code/expression.ts';
import { exported } from '../readers/code/program.ts';

const NAME = 'yii';
/** Yii 2's two templates and HumHub, then Yii 1. Files for one machine come first: they win. */
const FILES = [
  'config/db-local.php',
  'config/db_local.php',
  'config/db.php',
  'config/web-local.php',
  'config/web.php',
  'config/main-local.php',
  'config/main.php',
  'config/common.php',
  'config/test_db.php',
  'common/config/main-local.php',
  'common/config/main.php',
  'common/config/base.php',
  'common/config/db.php',
  'common/config/test-local.php',
];
const PROTECTED = [
  'protected/config/dynamic.php',
  'protected/config/common.php',
  'protected/config/database.php',
  'protected/config/main-local.php',
  'protected/config/main.php',
];
const FIELDS: FieldNames = {
  user: ['username'],
  password: ['password'],
};

/** The `db` component of a Yii application. */
export const yii: Detector = {
  name: NAME,
  looksFor: ['config/db.php, common/config/main-local.php and their like beside yii', 'protected/config/*.php'],
  async detect(project, signal) {
    const collector = new Collector(NAME);
    for (const app of await project.apps(signal)) {
      const isApp = app.has('yii') || (app.has('common') && app.has('console') && app.has('composer.json'));
      const files = [...(isApp ? FILES.filter((file) => app.has(file.split('/')[0] ?? '')) : [])];
      if (app.has('protected')) files.push(...PROTECTED);
      if (files.length > 0) await readFiles(app, files, await project.environment(app, signal), collector);
    }
    return collector.detection;
  },
};

async function readFiles(
  app: AppFolder,
  files: readonly string[],
  environment: Environment,
  collector: Collector,
): Promise<void> {
  for (const [index, file] of files.entries()) {
    const code = await CodeFile.read(app, file, 'php', environment, collector);
    const config = code && exported(code.program);
    if (code === undefined || config === undefined) continue;
    for (const [name, object] of connectionsOf(code, config)) await add(code, collector, file, index, name, object);
  }
}

/** The file's own array, or the components that have a data source. */
function connectionsOf(code: CodeFile, config: Expr): (readonly [string, Expr])[] {
  const { evaluator } = code;
  const tells = (object: Expr): boolean =>
    ['dsn', 'connectionString'].some((name) => evaluator.field(object, name) !== undefined);
  if (tells(config)) return [['db', config]];
  const components = evaluator.field(config, 'components');
  const resolved = components && evaluator.resolve(components);
  return resolved?.kind === 'object'
    ? [...resolved.entries].filter(([name, one]) => name !== 'mailer' && tells(one))
    : [];
}

async function add(
  code: CodeFile,
  collector: Collector,
  file: string,
  index: number,
  name: string,
  object: Expr,
): Promise<void> {
  const isTest = /(^|\/)test/.test(file);
  const rank = Math.min(index, 8) + (name === 'db' ? 0 : 1);
  const what = `${file.replace(/\.php$/, '')}#${name}`;
  const place = { what, file: code.file, line: object.line, environment: isTest ? 'test' : '', rank };
  const folder = code.app.absolute();
  await addPhpConnection(code, collector, place, {
    object,
    names: FIELDS,
    driver: [],
    dsn: ['dsn', 'connectionString'],
    folder,
  });
}
