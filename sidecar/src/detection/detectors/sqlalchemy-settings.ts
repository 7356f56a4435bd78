import type { AppFolder } from '../app-folder.ts';
import type { Environment } from '../environment.ts';
import { valueUnder } from '../readers/code/conditions.ts';
import { Evaluator, type Value } from '../readers/code/evaluate.ts';
import type { Expr } from '../readers/code/expression.ts';
import { type Assignment, callsOf, type Program, readProgram } from '../readers/code/program.ts';
import { classesOf, linesInFunctions, type PythonClass } from '../readers/code/python-classes.ts';
import { engineKindOf } from '../readers/engine-names.ts';

/** A URL in a Python file, or why it is unknown. */
export interface Candidate {
  /** The file, and the class in it. */
  readonly what: string;
  /** Relative to the application's folder. */
  readonly file: string;
  readonly line: number;
  readonly url: Value;
  readonly rank: number;
  readonly flask: boolean;
  /** The variables that no `.env` file sets, so that their fallbacks make the URL. */
  readonly unset: readonly string[];
  /** The class's name; '' outside classes. */
  readonly ofClass: string;
}

const FLASK = /^SQLALCHEMY_DATABASE_UR[IL]$/;
/** Alchemical is a layer on SQLAlchemy with a name of its own. */
const URLS = /^(((sqlalchemy|alchemical)_)?(async_)?(database|db)|sqlalchemy(_connection)?)_ur[il]$/i;
/** Names that may hold a URL, a path or an object, so the value has to say which. */
const MAYBE_URLS =
  /^(?:sqlalchemy_)?(?:database|db|postgres(?:ql)?|pg|mysql|mariadb)(?:_(?:ur[il]|dsn|connection|conn(?:ection)?_str(?:ing)?))?$|^connection_string$/i;
const ENGINES = ['create_engine', 'create_async_engine'];

/** The database URLs that a Python file assigns or makes engines of. */
export function candidatesIn(app: AppFolder, file: string, text: string, environment: Environment): Candidate[] {
  const program = readProgram(text, 'python', app.absolute(file));
  const classes = classesOf(program);
  const module = new ModuleScope(app, file, program, environment, classes);
  const found = [...module.assigned(), ...classes.flatMap((one) => module.ofClass(one, classes))];
  const known = new Set(found.map(({ url }) => (url.ok ? url.value : undefined)));
  const engines = module.engines(found.length === 0).filter(({ url }) => !url.ok || !known.has(url.value));
  return found.length + engines.length > 0 ? [...found, ...engines] : module.conditional();
}

type Bindings = readonly (readonly [string, Expr])[];

class ModuleScope {
  readonly #app: AppFolder;
  readonly #file: string;
  readonly #program: Program;
  readonly #environment: Environment;
  readonly #bindings: ReadonlyMap<string, Expr>;

  constructor(
    app: AppFolder,
    file: string,
    program: Program,
    environment: Environment,
    classes: readonly PythonClass[],
  ) {
    this.#app = app;
    this.#file = file;
    this.#program = program;
    this.#environment = environment;
    // What a class's body assigns changes no name of the module.
    const inClasses = new Set(classes.flatMap(({ assignments }) => assignments.map(({ line }) => line)));
    const own = program.assignments.filter(({ line }) => !inClasses.has(line));
    this.#bindings = new Map<string, Expr>([['os', OS], ...lastValues(own)]);
  }

  /** `SQLALCHEMY_DATABASE_URI = ...` of the module, and `app.config[...] = ...` there or in a function. */
  assigned(): Candidate[] {
    const found = new Map<string, Candidate>();
    const inFunctions = linesInFunctions(this.#program);
    for (const { target, value, line, conditional } of this.#program.assignments) {
      const name = target.split('.').at(-1) ?? '';
      const isConfig = /\.config\.\w+$/.test(target) && FLASK.test(name);
      if (value.kind === 'function' || (!isConfig && (conditional || !isNamed(target)))) continue;
      if (conditional && !inFunctions.has(line)) continue;
      const candidate = this.#evaluated('', name, line, value, []);
      if (isConfig || isUrl(target, candidate)) found.set(name, candidate);
    }
    return [...found.values()];
  }

  ofClass({ name, bases, assignments }: PythonClass, all: readonly PythonClass[]): Candidate[] {
    if (!assignments.some(({ target }) => isNamed(target))) return [];
    const inherited = all.filter((one) => bases.includes(one.name)).flatMap((one) => one.assignments);
    const objects = all.map((one): [string, Expr] => [one.name, objectOf(one)]);
    // `ROOT = ROOT` gives the module's value to the class.
    const own = assignments.filter(({ target, value }) => value.kind !== 'name' || value.name !== target);
    const more = [...objects, ...lastValues(inherited), ...lastValues(own)];
    const fromVariables = bases.includes('BaseSettings');
    return assignments
      .filter(({ target }) => isNamed(target))
      .flatMap(({ target, value, line }) => {
        const read = fromVariables ? settingOf(target, value, line) : value;
        const candidate = this.#evaluated(name, target, line, read, more);
        return isUrl(target, candidate) ? [candidate] : [];
      });
  }

  /** Where nothing else is known, that a condition sets the URL is worth a sentence. */
  conditional(): Candidate[] {
    const first = this.#program.assignments.find(
      ({ target, conditional }) => conditional && FLASK.test(target.split('.').at(-1) ?? ''),
    );
    if (first === undefined) return [];
    const { line } = first;
    const reason = 'is set in a condition, which cannot be evaluated without running code';
    return [this.#candidate('', first.target, line, { ok: false, reason, line, missing: [] })];
  }

  /** `unknownToo`: an engine whose URL cannot be determined is worth a sentence. */
  engines(unknownToo: boolean): Candidate[] {
    const calls = ENGINES.flatMap((name) => callsOf(this.#program, name));
    return calls.flatMap(({ call }): Candidate[] => {
      const [first] = call.args;
      const candidate = first && this.#evaluated('', 'engine', call.line, first, []);
      return candidate === undefined || (!candidate.url.ok && !unknownToo) ? [] : [candidate];
    });
  }

  #evaluated(ofClass: string, name: string, line: number, value: Expr, more: Bindings): Candidate {
    const unset: string[] = [];
    const evaluator = new Evaluator({
      onFallback: (variable) => unset.push(variable),
      bindings: new Map<string, Expr>([...this.#bindings, ...more]),
      env: (variable) => {
        const resolved = this.#environment.resolve(variable);
        return resolved.state === 'set' ? { text: resolved.text } : { missing: resolved.names };
      },
      file: this.#app.absolute(this.#file),
      root: this.#app.absolute(),
    });
    return this.#candidate(ofClass, name, line, evaluator.value(value), unset);
  }

  #candidate(ofClass: string, name: string, line: number, url: Value, unset: readonly string[] = []): Candidate {
    const stem = this.#file.replace(/(\/__init__)?\.py$/, '');
    return {
      what: ofClass === '' ? stem : `${stem}.${ofClass}`,
      file: this.#file,
      line,
      url,
      rank: name === 'engine' ? 2 : FLASK.test(name) ? 0 : 1,
      flask: FLASK.test(name),
      unset,
      ofClass,
    };
  }
}

function isNamed(name: string): boolean {
  return URLS.test(name) || MAYBE_URLS.test(name);
}

/** Whether the name alone, or the value, says that it is a database's URL. */
function isUrl(name: string, { url }: Candidate): boolean {
  if (URLS.test(name)) return true;
  const scheme = url.ok ? /^([a-z]\w*)(?:\+\w+)?:\/\//i.exec(String(url.value))?.[1] : undefined;
  return scheme !== undefined && engineKindOf(scheme) !== undefined;
}

const OS: Expr = object(new Map([['pardir', { kind: 'value', line: 1, value: '..' }]]), []);

/** The last values that count, as far as their conditions decide; one that only corrects a URL's scheme changes nothing. */
function lastValues(assignments: readonly Assignment[]): Map<string, Expr> {
  const values = new Map<string, Expr>();
  for (const { target, value, conditional, condition } of assignments) {
    if (!conditional) values.set(target, value);
    else if (!isReplacement(value)) values.set(target, valueUnder(condition, target, value, values.get(target)));
  }
  return values;
}

function isReplacement(expr: Expr): boolean {
  return (
    expr.kind === 'call' && expr.of.kind === 'member' && expr.of.key.kind === 'value' && expr.of.key.value === 'replace'
  );
}

function objectOf({ bases, assignments }: PythonClass): Expr {
  const spreads = bases.map((name): Expr => ({ kind: 'name', line: 1, name }));
  return object(lastValues(assignments), spreads);
}

function object(entries: ReadonlyMap<string, Expr>, spreads: readonly Expr[]): Expr {
  return { kind: 'object', line: 1, entries, spreads, overrides: [] };
}

/** A field of pydantic's settings: the variable of its name wins over its default. */
function settingOf(field: string, otherwise: Expr, line: number): Expr {
  const name: Expr = { kind: 'value', line, value: field.toUpperCase() };
  return { kind: 'call', line, of: { kind: 'name', line, name: 'getenv' }, args: [name, otherwise], named: new Map() };
}
