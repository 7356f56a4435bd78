import { CodeFile } from '../code-file.ts';
import { Collector } from '../collector.ts';
import type { FieldNames } from '../connection-fields.ts';
import type { Detector } from '../detector.ts';
import { environmentOf } from '../environment-names.ts';
import { addPhpConnection } from '../php-connection.ts';
import type { Expr } from '../readers/code/expression.ts';
import { exported } from '../readers/code/program.ts';

const NAME = 'craft';
const FILE = 'config/db.php';
const FIELDS: FieldNames = {
  url: ['url'],
  host: ['unixSocket', 'server'],
  port: ['port'],
  user: ['user'],
  password: ['password'],
  database: ['database'],
};

/** The database of a Craft site, where `config/db.php` sets it; its variables are read with all others. */
export const craft: Detector = {
  name: NAME,
  looksFor: ['config/db.php beside craft'],
  async detect(project, signal) {
    const collector = new Collector(NAME);
    for (const app of await project.apps(signal)) {
      if (!app.has('craft') || !app.has('config')) continue;
      const code = await CodeFile.read(app, FILE, 'php', await project.environment(app, signal), collector);
      const config = code && exported(code.program);
      const resolved = config && code?.evaluator.resolve(config);
      if (code === undefined || resolved?.kind !== 'object') continue;
      for (const [environment, object] of environmentsOf(resolved)) await add(code, collector, environment, object);
    }
    return collector.detection;
  },
};

/** One connection, or one for each environment over those of `*`. */
function environmentsOf(config: Extract<Expr, { kind: 'object' }>): (readonly [string, Expr])[] {
  const all = config.entries.get('*');
  if (all === undefined) return [['', config]];
  const others = [...config.entries].filter(([name]) => name !== '*');
  const { line } = config;
  const merged = (object: Expr): Expr => ({
    kind: 'object',
    line: object.line,
    entries: new Map(),
    spreads: [all, object],
    overrides: [],
  });
  return [['', { ...all, line }], ...others.map(([name, object]) => [name, merged(object)] as const)];
}

async function add(code: CodeFile, collector: Collector, name: string, object: Expr): Promise<void> {
  const environment = environmentOf(name);
  const place = {
    what: name === '' ? 'db' : `db@${name}`,
    file: code.file,
    line: object.line,
    environment,
    rank: name === '' ? 1 : 0,
  };
  const settings = { object, names: FIELDS, driver: ['driver'], dsn: ['dsn'], otherwise: 'mysql2' } as const;
  const hasOwn = ['database', 'dsn', 'url'].some((field) => code.evaluator.field(object, field) !== undefined);
  if (hasOwn) await addPhpConnection(code, collector, place, settings);
}
