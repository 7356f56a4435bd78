import { isAbsolute } from 'node:path';
import type { EngineKind } from '@devdb/shared/engines';
import type { AppFolder } from '../app-folder.ts';
import { Collector, type Place } from '../collector.ts';
import type { Compose } from '../compose.ts';
import type { ServiceEnvironment } from '../compose-service.ts';
import { leavesEngineOpen, ofOtherEngine, urlInCompose } from '../compose-variables.ts';
import { addDescribed, type FieldNames, wordOf } from '../connection-fields.ts';
import type { Detector } from '../detector.ts';
import type { Environment } from '../environment.ts';
import { environmentOf } from '../environment-names.ts';
import { Evaluator } from '../readers/code/evaluate.ts';
import { type Expr, nameOf } from '../readers/code/expression.ts';
import { engineKindOf } from '../readers/engine-names.ts';
import { type DatabaseSetting, readSettings, type Settings, settingsModule } from './django-settings.ts';

const NAME = 'django';
const FIELDS: FieldNames = {
  host: ['HOST'],
  port: ['PORT'],
  user: ['USER'],
  password: ['PASSWORD'],
  database: ['NAME'],
  file: ['NAME'],
};
const OPTION_FIELDS: FieldNames = { ...FIELDS, ssl: ['sslmode', 'sslrootcert', 'ssl_mode', 'ssl'] };
/** Functions that parse a database URL: dj-database-url, django-environ, environs. */
const URL_CALLS = /^(dj_database_url\.(config|parse)|(\w+\.)?(db|db_url|dj_db_url|database_url)|config|parse)$/;

/** The DATABASES of a Django project's settings, read without running them. */
export const django: Detector = {
  name: NAME,
  looksFor: ["DATABASES of the settings that manage.py names, also in packages with 'from .base import *'"],
  async detect(project, signal) {
    const collector = new Collector(NAME);
    for (const app of await project.apps(signal)) {
      if (!app.has('manage.py')) continue;
      const environment = await project.environment(app, signal);
      const module = await settingsModule(app, environment, collector, signal);
      if (module === undefined) continue;
      const settings = await readSettings(app, module, collector);
      if (settings)
        await addDatabases(app, settings, { environment, compose: await project.compose(signal) }, collector);
    }
    return collector.detection;
  },
};

/** Where variables get their values. */
interface Variables {
  readonly environment: Environment;
  readonly compose: Compose;
}

async function addDatabases(
  app: AppFolder,
  settings: Settings,
  { environment, compose }: Variables,
  collector: Collector,
): Promise<void> {
  const name = environmentOf(settings.module.slice(settings.module.lastIndexOf('.') + 1));
  const unset: string[] = [];
  /** The variables of the application's container, where it runs in development. */
  let inContainer: ServiceEnvironment | undefined;
  const evaluator = new Evaluator({
    bindings: settings.bindings,
    onFallback: (variable) => unset.push(variable),
    env: (variable) => {
      const resolved = environment.resolve(variable, /^prod|^stag/.test(name) ? name : '');
      if (resolved.state === 'set') return { text: resolved.text };
      const text = inContainer?.get(variable);
      return text === undefined ? { missing: resolved.names } : { text };
    },
    file: app.absolute('manage.py'),
    root: app.absolute(),
    withoutParsedFiles: !(await hasParsedFile(app, settings)),
  });
  for (const [alias, setting] of settings.databases(evaluator, collector)) {
    // A name that does not suggest production is taken for development.
    const known = /^(prod|production|stag|staging|stage|live|test|testing|ci)/i.test(name) ? name : '';
    const place = { what: alias, file: setting.file, line: setting.expr.line, environment: known };
    const { undecided } = setting;
    inContainer = undefined;
    unset.length = 0;
    const kind = engineIn(evaluator, setting);
    // A file that is there was made by the program outside its container.
    if (kind !== undefined && !(await hasFile(app, evaluator, setting)))
      inContainer = ofOtherEngine(compose, app.folder, unset, kind);
    unset.length = 0;
    const used = (url: string): string => urlInCompose(compose, app.folder, unset, url) ?? url;
    const isOpen = (kind: EngineKind): boolean => leavesEngineOpen(compose, app.folder, unset, kind);
    const rank = alias === 'default' ? 0 : 1;
    await addDatabase({ app, evaluator, collector, used, isOpen }, { ...place, undecided, rank }, setting);
  }
}

/** The engine of an entry that names it. */
function engineIn(evaluator: Evaluator, { expr }: DatabaseSetting): EngineKind | undefined {
  const entry = evaluator.resolve(expr);
  const engine = entry.kind === 'object' ? wordOf(evaluator, evaluator.field(entry, 'ENGINE')) : undefined;
  return engine === undefined ? undefined : engineKindOf(engine.slice(engine.lastIndexOf('.') + 1));
}

async function hasFile(app: AppFolder, evaluator: Evaluator, { expr }: DatabaseSetting): Promise<boolean> {
  const name = wordOf(evaluator, evaluator.field(evaluator.resolve(expr), 'NAME'));
  if (name === undefined || name === '') return false;
  return (await app.project.locate(isAbsolute(name) ? name : app.absolute(name))).exists;
}

/** A settings file that the program reads by a name of the project: what it says counts before any fallback. */
const PARSED_FILE = /["']([\w][\w./-]{0,80}\.(?:cfg|conf|ini))["']/g;

async function hasParsedFile(app: AppFolder, settings: Settings): Promise<boolean> {
  for (const file of settings.files) {
    const read = await app.project.read(file);
    for (const [, name = ''] of read.state === 'text' ? read.text.matchAll(PARSED_FILE) : []) {
      if (!name.split('/').includes('..') && (await app.read(name)).state === 'text') return true;
    }
  }
  return false;
}

interface Adding {
  readonly app: AppFolder;
  readonly evaluator: Evaluator;
  readonly collector: Collector;
  /** The URL that the application uses in place of the one that its settings give. */
  readonly used: (url: string) => string;
  /** Whether compose decides on another engine than the fallbacks that were taken so far. */
  readonly isOpen: (kind: EngineKind) => boolean;
}

async function addDatabase(
  { app, evaluator, collector, used, isOpen }: Adding,
  place: Place,
  { expr }: DatabaseSetting,
): Promise<void> {
  const { file, line, what } = place;
  const resolved = onlySpread(withoutUnset(evaluator.resolve(expr), evaluator), evaluator);
  if (resolved.kind === 'call' || resolved.kind === 'pair') {
    const url = urlOf(resolved, evaluator);
    if ('url' in url) await collector.url(app, place, used(url.url), [app.absolute()]);
    else collector.skip(file, line, `${what}: ${url.reason}`);
    return;
  }
  if (resolved.kind !== 'object') {
    collector.skip(file, line, `${what}: is computed and cannot be determined without running code`);
    return;
  }
  const engine = wordOf(evaluator, evaluator.field(resolved, 'ENGINE'));
  const kind =
    engine === undefined ? undefined : engineKindOf(engine.split('.').findLast((part) => part !== 'pyodbc') ?? '');
  const usual = kind ?? (engine === 'sql_server.pyodbc' || engine === 'mssql' ? 'mssql' : undefined);
  const known = usual ?? (engine === undefined ? undefined : await ownBackend(app, engine));
  const isEngineOpen = known !== undefined && isOpen(known);
  const options = evaluator.field(resolved, 'OPTIONS');
  const elsewhere = ['read_default_file', 'service', 'passfile'].find(
    (name) => options && evaluator.field(options, name),
  );
  if (engine === undefined) collector.skip(file, line, `${what}: the ENGINE is missing or computed`);
  else if (known === undefined) collector.skip(file, line, `${what}: DevDB does not support its ENGINE`);
  else if (elsewhere !== undefined)
    collector.skip(file, line, `${what}: ${elsewhere} points to another file for its settings`);
  else {
    const object = options === undefined ? resolved : withOptions(resolved, options);
    const undecided: true | undefined = place.undecided ?? (isEngineOpen || undefined);
    await addDescribed(
      collector,
      app,
      evaluator,
      { ...place, undecided },
      { kind: known, object, names: OPTION_FIELDS },
    );
  }
}

/** What the `base.py` of a backend in the project builds on. */
const BUILDS_ON = /^[ \t]*(?:from|import)[ \t]+django\.(?:contrib\.gis\.)?db\.backends\.(\w+)(?:\.base)?\b/gm;

/** The engine of a backend that is a package of the project: the one of the framework's own that it changes. */
async function ownBackend(app: AppFolder, engine: string): Promise<EngineKind | undefined> {
  if (!/^\w+(\.\w+)*$/.test(engine)) return undefined;
  const read = await app.read(`${engine.replaceAll('.', '/')}/base.py`);
  const kinds =
    read.state === 'text' ? [...read.text.matchAll(BUILDS_ON)].map(([, name = '']) => engineKindOf(name)) : [];
  const [kind, ...more] = new Set(kinds.filter((one) => one !== undefined));
  return more.length > 0 ? undefined : kind;
}

/** Encryption settings are in OPTIONS; the database's own fields win over them. */
function withOptions(object: Expr, options: Expr): Expr {
  return object.kind === 'object' ? { ...object, spreads: [options, ...object.spreads] } : object;
}

/** `{**env.db(), 'ATOMIC_REQUESTS': True}` is the database of the call. */
function onlySpread(object: Expr, evaluator: Evaluator): Expr {
  if (object.kind !== 'object') return object;
  const [spread, ...others] = [...object.spreads, ...object.overrides].map((one) => evaluator.resolve(one));
  const names = [...object.entries.keys()];
  const connects = names.some((name) => /^(ENGINE|NAME|HOST|PORT|USER|PASSWORD)$/.test(name));
  return spread?.kind === 'call' && others.length === 0 && !connects ? spread : object;
}

/** Gives back nothing where its variable is not set, while others fail. */
const OPTIONAL = /^(dj_database_url\.)?config$/;
const MAX_UPDATES = 8;

/** `DATABASES['default'].update(dj_database_url.config())` changes nothing where no variable has a URL. */
function withoutUnset(expr: Expr, evaluator: Evaluator, steps = 0): Expr {
  if (expr.kind !== 'pair' || expr.operator !== 'or' || steps > MAX_UPDATES) return expr;
  const call = evaluator.resolve(expr.left);
  if (call.kind !== 'call' || !OPTIONAL.test(nameOf(call.of) ?? '') || call.named.has('default')) return expr;
  const { line } = call;
  const value = evaluator.value(environmentCall(call.named.get('env'), { kind: 'value', line, value: '' }, line));
  const isUnset = value.ok && value.value === '';
  return isUnset ? withoutUnset(evaluator.resolve(expr.right), evaluator, steps + 1) : expr;
}

/** The URL behind a library's call. */
function urlOf(expr: Expr, evaluator: Evaluator): { readonly url: string } | { readonly reason: string } {
  if (expr.kind === 'pair' && expr.operator === 'or') {
    const first = urlOf(evaluator.resolve(expr.left), evaluator);
    return 'url' in first ? first : urlOf(evaluator.resolve(expr.right), evaluator);
  }
  const name = expr.kind === 'call' ? nameOf(expr.of) : undefined;
  if (expr.kind !== 'call' || name === undefined || !URL_CALLS.test(name)) {
    return { reason: 'is computed and cannot be determined without running code' };
  }
  const [first] = expr.args;
  const line = expr.line;
  const parses = name.endsWith('parse');
  // Without a name the libraries use DATABASE_URL.
  const variable =
    expr.named.get('env') ??
    expr.named.get('var') ??
    (name === 'dj_database_url.config' || name === 'config' ? undefined : first);
  const standing = parses
    ? (first ?? expr.named.get('url'))
    : environmentCall(variable, expr.named.get('default'), line);
  const value = standing && evaluator.value(standing);
  if (value === undefined) return { reason: 'names no URL' };
  if (!value.ok) return { reason: value.reason };
  return value.value ? { url: String(value.value) } : { reason: 'the URL is empty' };
}

function environmentCall(variable: Expr | undefined, otherwise: Expr | undefined, line: number): Expr {
  const name: Expr = variable ?? { kind: 'value', line, value: 'DATABASE_URL' };
  const named = new Map(otherwise === undefined ? [] : [['default', otherwise] as const]);
  return { kind: 'call', line, of: { kind: 'name', line, name: 'getenv' }, args: [name], named };
}
