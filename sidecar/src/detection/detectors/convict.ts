import { ENGINE_KINDS, ENGINES, type EngineKind } from '@devdb/shared/engines';
import type { AppFolder } from '../app-folder.ts';
import { CodeFile } from '../code-file.ts';
import { Collector } from '../collector.ts';
import { addDescribed, SCRIPT_FIELDS } from '../connection-fields.ts';
import { type Detector, PRIORITY } from '../detector.ts';
import { driversOf } from '../driver-packages.ts';
import type { Expr } from '../readers/code/expression.ts';
import { keyedLiteralsWith } from '../readers/code/object-literals.ts';
import { engineKindOf } from '../readers/engine-names.ts';
import { scriptFiles } from '../script-files.ts';

const NAME = 'convict';
const LIBRARY = /"convict"\s*:/;
/** Groups whose `name` is a database's and not a program's. */
const OF_DATABASE = /^(db|database|pg|postgres\w*|mysql|mariadb|mssql|sql)$/i;
const FIELDS = {
  host: ['host', 'hostname'],
  port: ['port'],
  user: ['user', 'username'],
  password: ['password', 'pass'],
  database: ['database', 'dbname'],
} as const;
/** Files that the program loads, and variables, win over a schema's defaults. */
const RANK = 5;

type ObjectExpr = Extract<Expr, { kind: 'object' }>;

/** The database that a schema of the package convict describes: each field has a default and a variable over it. */
export const convict: Detector = {
  name: NAME,
  looksFor: ['convict({ db: { host: { default, env }, ... } }) in the usual scripts'],
  async detect(project, signal) {
    const collector = new Collector(NAME, PRIORITY.variables);
    for (const app of await project.apps(signal)) {
      for (const name of await scriptFiles(app, LIBRARY, signal)) await readFile(app, name, collector, signal);
    }
    return collector.detection;
  },
};

async function readFile(app: AppFolder, name: string, collector: Collector, signal: AbortSignal): Promise<void> {
  const read = await app.read(name);
  if (read.state !== 'text' || !/\bconvict\s*\(/.test(read.text) || !/\bhost(name)?\b/.test(read.text)) return;
  const code = await CodeFile.read(app, name, 'javascript', await app.project.environment(app, signal), collector);
  if (code === undefined) return;
  const groups = FIELDS.host.flatMap((host) =>
    keyedLiteralsWith(code.program, host, (token) => token?.kind === 'mark' && token.text === '{'),
  );
  for (const { key, object } of groups) {
    const fields = fieldsOf(key, object);
    if (fields.size < 3 || !fields.has('database') || !fields.has('user')) continue;
    const kind = await engineOf(app, code, key, object);
    if (kind === undefined || kind === 'sqlite') continue;
    const place = { what: key === '' ? 'default' : key, file: code.file, line: object.line, rank: RANK };
    const described: ObjectExpr = { ...object, entries: fields, spreads: [], overrides: [] };
    await addDescribed(collector, app, code.evaluator, place, { kind, object: described, names: SCRIPT_FIELDS });
  }
}

/** A connection's fields with what they are where nothing else sets them. */
function fieldsOf(key: string, { entries }: ObjectExpr): ReadonlyMap<string, Expr> {
  const named = Object.entries(FIELDS).map(([field, names]): [string, Expr | undefined] => {
    const also = field === 'database' && OF_DATABASE.test(key) ? ['name'] : [];
    return [field, [...names, ...also].map((name) => entries.get(name)).find((one) => one !== undefined)];
  });
  return new Map(
    named.flatMap(([field, rule]): [string, Expr][] => {
      const value = rule === undefined ? undefined : defaultIn(rule);
      return value === undefined ? [] : [[field, value]];
    }),
  );
}

/** `{ default: 'x', env: 'NAME' }` as `process.env.NAME ?? 'x'`. */
function defaultIn(rule: Expr): Expr | undefined {
  if (rule.kind !== 'object') return undefined;
  const { line, entries } = rule;
  const variable = entries.get('env');
  const otherwise = entries.get('default');
  if (variable === undefined || otherwise === undefined) return otherwise;
  const process: Expr = { kind: 'name', line, name: 'process' };
  const all: Expr = { kind: 'member', line, of: process, key: { kind: 'value', line, value: 'env' } };
  const left: Expr = { kind: 'member', line, of: all, key: variable };
  return { kind: 'pair', line, operator: '??', left, right: otherwise };
}

/** By the group's name, a field for the engine, the usual port, or the only driver among the packages. */
async function engineOf(
  app: AppFolder,
  { evaluator }: CodeFile,
  key: string,
  { entries }: ObjectExpr,
): Promise<EngineKind | undefined> {
  const textOf = (name: string): string => {
    const rule = entries.get(name);
    const value = rule === undefined ? undefined : defaultIn(rule);
    const known = value === undefined ? undefined : evaluator.value(value);
    return known?.ok ? String(known.value) : '';
  };
  const named = [key, ...['client', 'dialect', 'type', 'driver'].map(textOf)].map((word) => engineKindOf(word));
  const port = textOf('port');
  const byPort = ENGINE_KINDS.find((kind) => kind !== 'sqlite' && String(ENGINES[kind].port) === port);
  const [only, ...others] = new Set((await driversOf(app)).map(({ kind }) => kind));
  return named.find((kind) => kind !== undefined) ?? byPort ?? (others.length === 0 ? only : undefined);
}
