import type { AppFolder } from '../app-folder.ts';
import { exprOf } from '../code-file.ts';
import { Collector, type Place } from '../collector.ts';
import { type Compose, isAround } from '../compose.ts';
import { addDescribed, type FieldNames, halfOf, wordOf } from '../connection-fields.ts';
import type { Detector, Suggested } from '../detector.ts';
import type { Environment } from '../environment.ts';
import { environmentOf } from '../environment-names.ts';
import { truthOf } from '../readers/code/conditions.ts';
import { Evaluator, type Scope } from '../readers/code/evaluate.ts';
import type { Expr } from '../readers/code/expression.ts';
import { engineKindOf } from '../readers/engine-names.ts';
import { type Erb, readErb } from '../readers/erb.ts';
import type { Located } from '../readers/located.ts';
import { hasPlaceholder } from '../readers/placeholder.ts';
import { readYaml } from '../readers/yaml.ts';

const NAME = 'rails';
const FILE = 'config/database.yml';
const MARKERS = ['Gemfile', 'Rakefile', 'config.ru'];
const FIELDS: FieldNames = {
  url: ['url'],
  host: ['socket', 'host'],
  port: ['port'],
  user: ['username', 'user'],
  password: ['password'],
  database: ['database'],
  file: ['database'],
  ssl: ['sslmode', 'ssl_mode', 'sslrootcert', 'sslca'],
};

/** The databases of every environment in a Rails application's `config/database.yml`. */
export const rails: Detector = {
  name: NAME,
  looksFor: [FILE],
  async detect(project, signal) {
    const collector = new Collector(NAME);
    for (const app of await project.apps(signal)) {
      if (!app.has('config') || !MARKERS.some((marker) => app.has(marker))) continue;
      const composed = urlOfContainers(app, await project.compose(signal));
      await readApp({ app, environment: await project.environment(app, signal), collector, composed });
    }
    return collector.detection;
  },
};

/** An application whose settings are read. */
interface Application {
  readonly app: AppFolder;
  readonly environment: Environment;
  readonly collector: Collector;
  /** What compose gives the application's own containers as DATABASE_URL. */
  readonly composed: string | undefined;
}

function urlOfContainers({ folder }: AppFolder, { services }: Compose): string | undefined {
  const own = services.filter((one) => one.builds && !one.forTests && isAround(one.folder, folder));
  const [url, ...others] = new Set(own.flatMap(({ environment }) => environment.get('DATABASE_URL') ?? []));
  return others.length === 0 ? url : undefined;
}

async function readApp(application: Application): Promise<void> {
  const { app, environment, collector } = application;
  const file = app.path(FILE);
  const text = await collector.textOf(app, file);
  if (text === undefined) return;
  const erb = readErb(text, (condition) =>
    decided(evaluatorOf(app, environment, { of: '', bindings: new Map(), unsetIsNull: false }), condition),
  );
  const { value, problems } = readYaml(erb.text);
  const isOpen = erb.problems.some(({ line }) => !isAside(text, line));
  const half = isOpen && problems.length === 0 ? developmentIn(application, value, erb) : undefined;
  for (const { line, reason } of [...erb.problems, ...problems]) collector.skip(file, line, reason, false, half);
  if (problems.length > 0 || isOpen) return;
  if (value?.kind !== 'object') {
    collector.skip(file, undefined, 'is computed and cannot be determined without running code');
    return;
  }
  const anchors = new Set([...text.matchAll(ANCHOR)].map(([, name = '']) => name));
  for (const [name, section] of value.entries) {
    if (isTemplate(name, section, anchors) || erb.problems.some(({ line }) => sectionAt(text, line)?.name === name))
      continue;
    await readSection(application, name, withHoles(exprOf(section), erb), erb.bindings);
  }
}

/** What the file says of development's database outside the code that is not run. */
function developmentIn({ app, environment }: Application, value: Located | undefined, erb: Erb): Suggested | undefined {
  const section = value?.kind === 'object' ? value.entries.get('development') : undefined;
  if (section === undefined) return undefined;
  const evaluator = evaluatorOf(app, environment, { of: '', bindings: erb.bindings, unsetIsNull: true });
  const object = withHoles(exprOf(section), erb);
  const kind = engineKindOf(wordOf(evaluator, evaluator.field(object, 'adapter')) ?? '');
  return kind && halfOf(evaluator, { kind, object, names: FIELDS });
}

/** Set where tests run, and by nobody on a machine for development. */
const BY_SERVERS: ReadonlySet<string> = new Set(['CI', 'CONTINUOUS_INTEGRATION', 'GITHUB_ACTIONS']);

/** Whether a condition around a part of the file holds, as far as the files decide it. */
function decided(evaluator: Evaluator, condition: Expr): boolean | undefined {
  return truthOf(condition, (expr) => {
    const value = evaluator.value(expr);
    const isOpen = !value.ok && value.missing.some((name) => !BY_SERVERS.has(name));
    return isOpen ? { ...value, missing: [] } : value;
  });
}

function evaluatorOf(
  app: AppFolder,
  environment: Environment,
  { of, ...scope }: Pick<Scope, 'bindings' | 'unsetIsNull'> & { readonly of: string },
): Evaluator {
  return new Evaluator({
    ...scope,
    env: (variable) => {
      const resolved = environment.resolve(variable, of);
      return resolved.state === 'set' ? { text: resolved.text } : { missing: resolved.names };
    },
    file: app.absolute(FILE),
    root: app.absolute(),
  });
}

const HEAD = /^(\w+):(.*)$/;

/** The top-level section that a line is in. */
function sectionAt(text: string, line: number): { readonly name: string; readonly anchored: boolean } | undefined {
  const head = text
    .split('\n')
    .slice(0, line)
    .findLast((one) => HEAD.test(one));
  const [, name, rest = ''] = HEAD.exec(head ?? '') ?? [];
  return name === undefined ? undefined : { name, anchored: rest.includes('&') };
}

/** Whether code that decides what the file contains stands in a section that development does not have its parts from. */
function isAside(text: string, line: number): boolean {
  const section = sectionAt(text, line);
  return section !== undefined && !section.anchored && /^(test|production|staging)/.test(section.name);
}

/** A top-level section that others may include. */
const ANCHOR = /^(\w+):[ \t]{0,9}&/gm;
const ENVIRONMENTS = /^(development|test|production|staging)/;

/** A template that others include by an anchor is not an environment, nor is a section without a database. */
function isTemplate(name: string, section: Located, anchors: ReadonlySet<string>): boolean {
  if (name === 'default' || name === 'defaults' || name.startsWith('.')) return true;
  if (ENVIRONMENTS.test(name) || section.kind !== 'object') return false;
  if (anchors.has(name)) return true;
  const entries = [...section.entries];
  return !entries.some(([key, value]) => key === 'database' || key === 'url' || value.kind === 'object');
}

/** Puts the expressions back at their marks. */
function withHoles(expr: Expr, erb: Erb): Expr {
  if (expr.kind === 'list') return { ...expr, items: expr.items.map((item) => withHoles(item, erb)) };
  if (expr.kind === 'object') {
    return { ...expr, entries: new Map([...expr.entries].map(([name, value]) => [name, withHoles(value, erb)])) };
  }
  if (expr.kind !== 'value' || typeof expr.value !== 'string') return expr;
  const { line } = expr;
  const parts = erb
    .split(expr.value)
    .map((part): Expr => (typeof part === 'string' ? { kind: 'value', line, value: part } : { ...part, line }));
  const [only] = parts;
  return parts.length === 1 && only ? only : { kind: 'template', line, parts };
}

async function readSection(
  { app, environment, collector, composed }: Application,
  name: string,
  section: Expr,
  bindings: ReadonlyMap<string, Expr>,
): Promise<void> {
  const file = app.path(FILE);
  const of = environmentOf(name);
  const known = new Map([...bindings, ['Rails', inEnvironment(name)]]);
  const evaluator = evaluatorOf(app, environment, { of, bindings: known, unsetIsNull: true });
  if (section.kind !== 'object') {
    collector.skip(file, section.line, `${name}: is not a section of settings`);
    return;
  }
  const several = [...section.entries.values()].every((entry) => entry.kind === 'object');
  if (!several) {
    const place = { what: name, file, line: section.line, environment: of };
    const url = urlFor('primary', environment, of) ?? (of === '' && isUnfilled(section) ? composed : undefined);
    await addDatabase(app, collector, evaluator, withUrl(section, url), place);
    return;
  }
  for (const [index, [which, entry]] of [...section.entries].entries()) {
    const place = { what: `${name}.${which}`, file, line: entry.line, environment: of, rank: index };
    await addDatabase(app, collector, evaluator, withUrl(entry, urlFor(which, environment, of)), place);
  }
}

/** A section counts where `Rails.env` is its name. */
function inEnvironment(name: string): Expr {
  const env: Expr = { kind: 'value', line: 1, value: name };
  return { kind: 'object', line: 1, entries: new Map([['env', env]]), spreads: [], overrides: [] };
}

async function addDatabase(
  app: AppFolder,
  collector: Collector,
  evaluator: Evaluator,
  written: Expr,
  place: Place,
): Promise<void> {
  const { what, file, line } = place;
  const object = withOwnUrl(evaluator, written);
  const url = evaluator.field(object, 'url');
  const adapter = wordOf(evaluator, evaluator.field(object, 'adapter'));
  const kind = adapter === undefined ? undefined : engineKindOf(adapter);
  if (adapter === undefined && url === undefined) {
    collector.skip(file, line, `${what}: the adapter is missing or computed`);
  } else if (adapter !== undefined && kind === undefined) {
    collector.skip(file, line, `${what}: DevDB does not support its adapter`);
  } else {
    const known = withoutUnknownSocket(evaluator, object);
    await addDescribed(collector, app, evaluator, place, { kind: kind ?? 'postgres', object: known, names: FIELDS });
  }
}

/** A socket that code looks up on the machine belongs to the server that the host and port lead to. */
function withoutUnknownSocket(evaluator: Evaluator, object: Expr): Expr {
  const socket = evaluator.field(object, 'socket');
  if (object.kind !== 'object' || socket === undefined || evaluator.value(socket).ok) return object;
  return { ...object, entries: new Map([...object.entries].filter(([name]) => name !== 'socket')) };
}

/** The variable whose URL Rails puts over an entry; one for development is not for test runs or production. */
function urlFor(name: string, environment: Environment, of: string): string | undefined {
  const variable = name === 'primary' ? 'DATABASE_URL' : `${name.toUpperCase()}_DATABASE_URL`;
  const own = environment.sets.get(of)?.some(({ entry }) => entry.name === variable);
  const resolved = own === true ? environment.resolve(variable, of) : undefined;
  return resolved?.state === 'set' && resolved.text !== '' ? resolved.text : undefined;
}

/** Whether a person has yet to fill in an account, which the application's containers do not wait for. */
function isUnfilled(section: Expr): boolean {
  if (section.kind !== 'object') return false;
  const texts = ['username', 'password', 'host'].map((name) => section.entries.get(name));
  return texts.some((text) => text?.kind === 'value' && hasPlaceholder(String(text.value ?? '')));
}

const URL_PARTS =
  /^(?<adapter>[a-z][a-z0-9_+-]*):\/\/(?:(?<username>[^:@/?#]*)(?::(?<password>[^@/?#]*))?@)?(?<host>\[[^\]]*\]|[^:/?#]*)(?::(?<port>\d+))?(?:\/(?<database>[^?#]*))?(?:\?[^#]*)?$/i;

/** Rails merges a URL over the entry: what the URL leaves out stays as it is in the file. */
function withUrl(entry: Expr, url: string | undefined): Expr {
  const parts = url === undefined ? undefined : URL_PARTS.exec(url)?.groups;
  if (parts === undefined || entry.kind !== 'object') return entry;
  const { adapter = '', ...fields } = parts;
  const kind = engineKindOf(adapter);
  if (kind === undefined || kind === 'sqlite') return entry;
  const set = Object.entries(fields).filter(([, value]) => value !== undefined && value !== '');
  const written = set.map(([name, value]): [string, Expr] => [
    name,
    { kind: 'value', line: entry.line, value: decoded(value.replace(/^\[(.*)\]$/, '$1')) },
  ]);
  const kept = [...entry.entries].filter(([name]) => name !== 'socket' || fields['host'] === '');
  const merged: [string, Expr][] = [
    ...kept,
    ['adapter', { kind: 'value', line: entry.line, value: adapter }],
    ...written,
  ];
  return { ...entry, entries: new Map(merged) };
}

/** An entry's own URL that names no database is completed by the entry, as Rails merges both. */
function withOwnUrl(evaluator: Evaluator, entry: Expr): Expr {
  const url = evaluator.field(entry, 'url');
  const value = url && evaluator.value(url);
  if (entry.kind !== 'object' || !entry.entries.has('database') || value?.ok !== true) return entry;
  const database = URL_PARTS.exec(String(value.value))?.groups?.['database'] ?? '';
  const merged = database === '' ? withUrl(entry, String(value.value)) : entry;
  if (merged === entry || merged.kind !== 'object') return entry;
  return { ...merged, entries: new Map([...merged.entries].filter(([name]) => name !== 'url')) };
}

/** A percent sign that encodes nothing is literal. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
