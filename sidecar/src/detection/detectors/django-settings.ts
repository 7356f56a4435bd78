import { posix } from 'node:path';
import type { AppFolder } from '../app-folder.ts';
import type { Collector } from '../collector.ts';
import type { Environment } from '../environment.ts';
import { filesBelow, type Search } from '../listed-files.ts';
import { valueUnder } from '../readers/code/conditions.ts';
import type { Evaluator } from '../readers/code/evaluate.ts';
import { type Expr, nameOf } from '../readers/code/expression.ts';
import { type Assignment, callsOf, type Import, type Program, readProgram } from '../readers/code/program.ts';

const MAX_MODULES = 20;
/** Folders beside manage.py in which the one with the server's script is looked for. */
const MAX_PACKAGES = 30;
const VARIABLE = 'DJANGO_SETTINGS_MODULE';
const DATABASES = 'DATABASES';
/** Modules that may hold values of settings. */
const SETTINGS = /settings|conf|env|database|secret|local/i;

/** One database of the settings, and the file that defines it. */
export interface DatabaseSetting {
  readonly expr: Expr;
  readonly file: string;
  /** One of several that a condition chooses from, which only running code decides. */
  readonly undecided?: true;
}

interface Located extends Assignment {
  readonly file: string;
}

/** The settings module that manage.py uses; a variable in the `.env` files wins over it. */
export async function settingsModule(
  app: AppFolder,
  environment: Environment,
  collector: Collector,
  signal: AbortSignal,
): Promise<string | undefined> {
  const file = app.path('manage.py');
  const set = environment.resolve(VARIABLE);
  if (set.state === 'set' && set.text !== '') return set.text;
  const text = await collector.textOf(app, file);
  if (text === undefined) return undefined;
  const named = moduleIn(text, file, collector);
  // Other frameworks have a script of this name too.
  if (named !== undefined || !/\bdjango\b/i.test(text)) return named ? await forDevelopment(app, named) : undefined;
  const served = await servedModule(app, collector);
  if (served !== undefined) return served ? await forDevelopment(app, served) : undefined;
  const only = await onlyModule(app, signal);
  if (only !== undefined) return only;
  collector.skip(file, undefined, `names no settings module (${VARIABLE})`);
  return undefined;
}

const PRODUCTION = /(^|\.)(prod|production)$/;

/** Beside settings for production that a script starts with, the ones that a developer chooses (`--settings`). */
async function forDevelopment(app: AppFolder, module: string): Promise<string> {
  if (!PRODUCTION.test(module) || !/^\w+(\.\w+)*$/.test(module)) return module;
  for (const name of ['development', 'dev', 'local']) {
    const beside = `${module.slice(0, module.lastIndexOf('.') + 1)}${name}`;
    if ((await app.read(`${beside.replaceAll('.', '/')}.py`)).state === 'text') return beside;
  }
  return module;
}

/** Settings of one developer's machine, of development, and what all environments share. */
const OWN_SETTINGS = ['local', 'development', 'dev', 'base', 'common', 'settings'] as const;
const SETTINGS_FILE = /^(?:local|development|dev|base|common|settings)\.py$/;
const SETTINGS_SEARCH: Search = {
  files: SETTINGS_FILE,
  enters: (name, depth) => depth === 1 || (depth === 2 && /^(settings|config|conf)$/.test(name)),
  most: 60,
};

/** Where a variable of the shell names the module: the settings of the only package that has DATABASES. */
async function onlyModule(app: AppFolder, signal: AbortSignal): Promise<string | undefined> {
  const files: string[] = [];
  for (const file of await filesBelow(app, SETTINGS_SEARCH, signal)) {
    const read = await app.read(file);
    if (read.state === 'text' && (/^DATABASES\b/m.test(read.text) || /^from \.\w* import \*/m.test(read.text)))
      files.push(file);
  }
  const [first] = files;
  if (first === undefined || files.some((file) => posix.dirname(file) !== posix.dirname(first))) return undefined;
  const chosen = OWN_SETTINGS.map((name) => files.find((file) => posix.basename(file) === `${name}.py`)).find(
    (file) => file !== undefined,
  );
  return chosen?.replace(/\.py$/, '').replaceAll('/', '.');
}

/** The settings module that a script sets; '' where it is computed, which is reported. */
function moduleIn(text: string, file: string, collector: Collector): string | undefined {
  const program = readProgram(text, 'python');
  for (const { line, reason } of program.problems) collector.skip(file, line, reason);
  for (const { call } of callsOf(program, 'os').filter(({ call: { of } }) => nameOf(of) === 'os.environ.setdefault')) {
    const [name, value] = call.args;
    if (name?.kind !== 'value' || name.value !== VARIABLE) continue;
    if (value?.kind === 'value' && typeof value.value === 'string') return value.value;
    collector.skip(file, call.line, `${VARIABLE} is computed and cannot be determined without running code`);
    return '';
  }
  return undefined;
}

/** The module that the application's server starts with, where manage.py leaves it to a variable. */
async function servedModule(app: AppFolder, collector: Collector): Promise<string | undefined> {
  const packages = app.items.filter(({ type, name }) => type === 'folder' && !name.startsWith('.'));
  for (const { name } of packages.slice(0, MAX_PACKAGES)) {
    for (const script of ['wsgi.py', 'asgi.py']) {
      const file = app.path(`${name}/${script}`);
      const text = await collector.textOf(app, file);
      const module = text === undefined ? undefined : moduleIn(text, file, collector);
      if (module !== undefined) return module;
    }
  }
  return undefined;
}

/** Reads the settings module and the modules it imports everything from. */
export async function readSettings(
  app: AppFolder,
  module: string,
  collector: Collector,
): Promise<Settings | undefined> {
  const reader = new ModuleReader(app, collector);
  if (await reader.add(module)) return new Settings(module, reader.assignments, reader.updates);
  collector.skip(app.path('manage.py'), undefined, `uses the settings ${printable(module)}, which do not exist`);
  return undefined;
}

class ModuleReader {
  readonly assignments: Located[] = [];
  readonly updates: { readonly target: string; readonly value: Expr; readonly file: string }[] = [];
  readonly #app: AppFolder;
  readonly #collector: Collector;
  readonly #seen = new Set<string>();

  constructor(app: AppFolder, collector: Collector) {
    this.#app = app;
    this.#collector = collector;
  }

  /** False when there is no such module. */
  async add(module: string): Promise<boolean> {
    if (!/^\w+(\.\w+)*$/.test(module)) return false;
    for (const path of [`${module.replaceAll('.', '/')}.py`, `${module.replaceAll('.', '/')}/__init__.py`]) {
      const file = this.#app.path(path);
      if (this.#seen.has(path)) return true;
      const text = await this.#collector.textOf(this.#app, file);
      if (text === undefined || this.#seen.size >= MAX_MODULES) continue;
      this.#seen.add(path);
      const program = readProgram(text, 'python', this.#app.absolute(path));
      for (const { line, reason } of program.problems) this.#collector.skip(file, line, reason);
      await this.#take(program, file, path.endsWith('/__init__.py') ? `${module}.__init__` : module);
      return true;
    }
    return false;
  }

  /** An import takes effect before the lines after it. */
  async #take(program: Program, file: string, module: string): Promise<void> {
    const updates = callsOf(program, DATABASES).flatMap(({ call }) => {
      const target = nameOf(call.of);
      const [value] = call.args;
      return target?.endsWith('.update') && value ? [{ target: target.slice(0, -7), value, file }] : [];
    });
    const { imports } = program;
    let next = 0;
    for (const assignment of program.assignments) {
      for (; (imports[next]?.line ?? Infinity) < assignment.line; next += 1) await this.#import(imports[next], module);
      const named = namedModule(assignment.value) ?? this.#beside(assignment, module);
      if (named !== undefined) await this.add(named);
      // Taken over from a module that has just been read.
      if (!this.#isTaken(assignment) && namedModule(assignment.value) === undefined)
        this.assignments.push({ ...assignment, file });
    }
    for (; next < imports.length; next += 1) await this.#import(imports[next], module);
    this.updates.push(...updates);
  }

  #isTaken(assignment: Assignment): boolean {
    return takenFrom(assignment) !== undefined && this.#hasDatabases;
  }

  get #hasDatabases(): boolean {
    return this.assignments.some(({ target }) => target === DATABASES);
  }

  /** A module that a function of the project loads is called like the one beside the settings. */
  #beside(assignment: Assignment, module: string): string | undefined {
    const name = takenFrom(assignment);
    if (name === undefined || this.#hasDatabases) return undefined;
    return [...module.split('.').slice(0, -1), name].join('.');
  }

  /** Of a module from which only some names are imported, its DATABASES count only when they are among them. */
  async #import(one: Import | undefined, from: string): Promise<void> {
    if (one === undefined) return;
    const { module: name, everything, names } = one;
    const dots = /^\.*/.exec(name)?.[0] ?? '';
    const rest = name.slice(dots.length);
    const parts = dots === '' ? [] : from.split('.').slice(0, -dots.length);
    const module = [...parts, rest].filter((part) => part !== '').join('.');
    // Most modules give settings a function or a class; reading them all would take long.
    const gives = everything || names.includes(DATABASES) || SETTINGS.test(module);
    if (module === '' || !gives) return;
    const before = this.assignments.length;
    await this.add(module);
    if (everything || names.includes(DATABASES)) return;
    const added = this.assignments.splice(before);
    this.assignments.push(...added.filter(({ target }) => target.split('.')[0] !== DATABASES));
  }
}

/** The module that `importlib.import_module(...)` names, in clear or as the default of a variable. */
/** The module in `DATABASES = configuration.DATABASES`, also by `getattr`. */
function takenFrom({ target, value }: Assignment): string | undefined {
  if (target !== DATABASES) return undefined;
  const [of, name] = value.kind === 'call' && nameOf(value.of) === 'getattr' ? value.args : [];
  const isNamed = name?.kind === 'value' && name.value === DATABASES;
  return isNamed && of ? nameOf(of) : /^(\w+)\.DATABASES$/.exec(nameOf(value) ?? '')?.[1];
}

function namedModule(value: Expr): string | undefined {
  if (value.kind !== 'call' || !/^(importlib\.)?import_module$/.test(nameOf(value.of) ?? '')) return undefined;
  const [name] = value.args;
  return name?.kind === 'value' && typeof name.value === 'string' ? name.value : undefined;
}

/** The names and databases of Django settings. */
export class Settings {
  readonly module: string;
  readonly bindings: ReadonlyMap<string, Expr>;
  readonly #assignments: readonly Located[];
  readonly #updates: ModuleReader['updates'];

  constructor(module: string, assignments: readonly Located[], updates: ModuleReader['updates']) {
    this.module = module;
    this.#assignments = assignments;
    this.#updates = updates;
    const bindings = new Map<string, Expr>();
    // Python runs from top to bottom: the last value counts, unless it depends on a condition.
    for (const assignment of assignments) {
      const { conditional, condition } = assignment;
      const { target, value } = withField(assignment, bindings);
      bindings.set(target, conditional ? valueUnder(condition, target, value, bindings.get(target)) : value);
    }
    this.bindings = bindings;
  }

  /** The files that were read, relative to the project's root. */
  get files(): readonly string[] {
    return [...new Set(this.#assignments.map(({ file }) => file))];
  }

  /** Every database by its alias; later settings override earlier ones. */
  databases(evaluator: Evaluator, collector: Collector): ReadonlyMap<string, DatabaseSetting> {
    const found = new Map<string, DatabaseSetting>();
    let conditional: Located | undefined;
    for (const assignment of this.#assignments) {
      const [root, alias, field] = assignment.target.split('.');
      if (root !== DATABASES) continue;
      const holds = holdsNow(assignment, evaluator);
      if (holds === undefined) conditional = assignment;
      if (holds !== true) continue;
      if (alias === undefined) this.#replace(found, assignment, evaluator, collector);
      else found.set(alias, changed(found.get(alias), field, assignment));
    }
    for (const { target, value, file } of this.#updates) {
      const [, alias] = target.split('.');
      const before = alias === undefined ? undefined : found.get(alias);
      if (alias === undefined || before === undefined) continue;
      const { line } = before.expr;
      const added = onlyAdds(evaluator, before.expr, value);
      if (added !== undefined) {
        found.set(alias, { file: before.file, expr: added });
        continue;
      }
      // The libraries return nothing when no URL is set; then the earlier value counts.
      found.set(alias, { file, expr: { kind: 'pair', line, operator: 'or', left: value, right: before.expr } });
    }
    if (conditional) {
      const reason =
        found.size > 0
          ? 'DATABASES is set again inside a condition, which DevDB does not evaluate'
          : 'DATABASES is set inside a condition, which cannot be evaluated without running code';
      collector.skip(conditional.file, conditional.line, reason);
      if (found.size === 0) return this.#branches(evaluator);
    } else if (found.size === 0 && !this.#assignments.some(({ target }) => target === DATABASES)) {
      collector.skip(this.#assignments[0]?.file ?? '', undefined, 'sets no DATABASES');
    }
    return found;
  }

  /** What each branch of undecided conditions sets, numbered in the order of the settings. */
  #branches(evaluator: Evaluator): ReadonlyMap<string, DatabaseSetting> {
    const branches = this.#assignments.filter(
      (one) => one.target === DATABASES && isWritten(one.condition) && holdsNow(one, evaluator) === undefined,
    );
    const found = new Map<string, DatabaseSetting>();
    for (const [index, { value, file }] of branches.entries()) {
      const object = evaluator.resolve(value);
      for (const [alias, expr] of object.kind === 'object' ? object.entries : []) {
        found.set(`${alias}.${index + 1}`, { expr, file, undecided: true });
      }
    }
    return found;
  }

  #replace(
    found: Map<string, DatabaseSetting>,
    { value, file, line }: Located,
    evaluator: Evaluator,
    collector: Collector,
  ): void {
    found.clear();
    const object = evaluator.resolve(value);
    if (object.kind !== 'object') {
      collector.skip(file, line, 'DATABASES is computed and cannot be determined without running code');
      return;
    }
    for (const [written, expr] of object.entries) {
      // A key without quotes is a name.
      const named = this.bindings.get(written);
      const value = named && evaluator.value(named);
      found.set(value?.ok && typeof value.value === 'string' ? value.value : written, { expr, file });
    }
  }
}

/** Whether an assignment is executed; undefined when that cannot be known. */
function holdsNow({ conditional, condition }: Located, evaluator: Evaluator): boolean | undefined {
  if (!conditional) return true;
  return condition && evaluator.decides(condition);
}

/** Whether it is a condition; loops, functions and attempts have none that could be read. */
function isWritten(condition: Expr | undefined): boolean {
  if (condition === undefined || condition.kind === 'unreadable') return false;
  if (condition.kind === 'not') return isWritten(condition.of);
  return condition.kind !== 'pair' || (isWritten(condition.left) && isWritten(condition.right));
}

/** `DATABASES['default'].update({...})` with fields that the database does not have yet, or has alike. */
function onlyAdds(evaluator: Evaluator, before: Expr, update: Expr): Expr | undefined {
  const fields = evaluator.resolve(update);
  if (fields.kind !== 'object' || fields.spreads.length + fields.overrides.length > 0) return undefined;
  const isHarmless = ([name, expr]: readonly [string, Expr]): boolean => {
    const own = evaluator.field(before, name);
    if (own === undefined || DETAIL.test(name)) return true;
    const [now, then] = [evaluator.value(own), evaluator.value(expr)];
    return now.ok && then.ok && now.value === then.value;
  };
  if (evaluator.resolve(before).kind !== 'object' || ![...fields.entries].every(isHarmless)) return undefined;
  return { kind: 'object', line: before.line, entries: new Map(), spreads: [fields, before], overrides: [] };
}

/** `config['HOST'] = ...` changes the dictionary that `config` names. */
function withField(
  { target, value }: Assignment,
  bindings: ReadonlyMap<string, Expr>,
): Pick<Assignment, 'target' | 'value'> {
  const [root = '', field, ...deeper] = target.split('.');
  const before = root === DATABASES ? undefined : bindings.get(root);
  if (field === undefined || before === undefined || deeper.length > 0) return { target, value };
  return { target: root, value: overridden(before, field, value) };
}

function overridden(before: Expr, field: string, value: Expr): Expr {
  const { line } = before;
  const override: Expr = { kind: 'object', line, entries: new Map([[field, value]]), spreads: [], overrides: [] };
  return { kind: 'object', line, entries: new Map(), spreads: [before], overrides: [override] };
}

/** What does not change which database it is. */
const DETAIL =
  /^(ATOMIC_REQUESTS|AUTOCOMMIT|CONN_MAX_AGE|CONN_HEALTH_CHECKS|TIME_ZONE|TEST|DISABLE_SERVER_SIDE_CURSORS)$/;

/** `DATABASES['x'] = ...` and `DATABASES['x']['HOST'] = ...` */
function changed(
  before: DatabaseSetting | undefined,
  field: string | undefined,
  { value, file }: Located,
): DatabaseSetting {
  if (before !== undefined && field !== undefined && DETAIL.test(field)) return before;
  if (field === undefined || before === undefined) return { expr: value, file };
  return { expr: overridden(before.expr, field, value), file: before.file };
}

function printable(module: string): string {
  return /^[\w.]{1,100}$/.test(module) ? module : 'with an unprintable name';
}
