import { dirname, isAbsolute, join, resolve } from 'node:path';
import { truthOf } from './conditions.ts';
import { callEnvironment, ENVIRONMENT_OBJECTS } from './environment-calls.ts';
import { checkedEnvironment } from './environment-schema.ts';
import { type Expr, nameOf } from './expression.ts';
import { ALIKE, FOLDERS, JOINS, NUMBER_CHECKS, PARSED, SAME, UP } from './known-functions.ts';
import { platformOf } from './python-platform.ts';
import { changesCase, textMethod } from './text-methods.ts';

/** The value of an expression, or why it is unknown. */
export type Value =
  | { readonly ok: true; readonly value: string | number | boolean | null }
  | {
      readonly ok: false;
      readonly reason: string;
      readonly line: number;
      /** The variables without a value; empty for any other reason. */
      readonly missing: readonly string[];
    };

/** The meaning of names where an expression is read. */
export interface Scope {
  readonly bindings: ReadonlyMap<string, Expr>;
  /** The value of an environment variable, or the names without a value. */
  readonly env: (name: string) => { readonly text: string } | { readonly missing: readonly string[] };
  /** The file's absolute path. */
  readonly file: string;
  /** The application's folder. */
  readonly root: string;
  /** Whether a variable that nothing sets is null, as in Ruby, and leaves its field out. */
  readonly unsetIsNull?: boolean | undefined;
  /** Told of each variable that nothing sets and whose fallback counts. */
  readonly onFallback?: ((variable: string) => void) | undefined;
  /** Whether `get(section, option, fallback=...)` means its fallback: no file that it reads is there. */
  readonly withoutParsedFiles?: boolean | undefined;
}

const MAX_STEPS = 64;
const MAX_ARGUMENT_CHARS = 4_096;
const NOT_RUN = 'is computed and cannot be determined without running code';

/** Evaluates what can be known without running code: literals, names, environment variables, paths. */
export class Evaluator {
  readonly #scope: Scope;
  /** What names mean: in a function that is called, also its arguments. */
  #bindings: ReadonlyMap<string, Expr>;
  #steps = 0;

  constructor(scope: Scope) {
    this.#scope = scope;
    this.#bindings = scope.bindings;
  }

  value(expr: Expr): Value {
    this.#steps = 0;
    return this.#value(expr);
  }

  /** The expression behind a name or member, e.g. an object defined elsewhere in the file. */
  resolve(expr: Expr): Expr {
    this.#steps = 0;
    return this.#resolve(expr);
  }

  #resolve(expr: Expr, steps = 0): Expr {
    const unreadable: Expr = { kind: 'unreadable', line: expr.line };
    if (steps > MAX_STEPS) return unreadable;
    if (expr.kind === 'name') {
      const bound = this.#bindings.get(expr.name);
      return bound === undefined ? expr : this.#resolve(bound, steps + 1);
    }
    if (expr.kind === 'choice') {
      const branch = this.#branch(expr);
      return branch === undefined ? unreadable : this.#resolve(branch, steps + 1);
    }
    if (expr.kind === 'pair' && expr.operator === '&&') {
      return this.#holds(expr.left) === true ? this.#resolve(expr.right, steps + 1) : expr;
    }
    if (expr.kind === 'call') {
      const checked = checkedEnvironment(expr, (inner) => this.#resolve(inner, steps + 1));
      if (checked !== undefined) return checked;
      const { args, line } = expr;
      // Later arguments win, as later spreads do.
      if (nameOf(expr.of) === 'Object.assign') {
        return { kind: 'object', line, entries: new Map(), spreads: args, overrides: [] };
      }
      // A function without arguments stands for what it gives back.
      const given = args.length === 0 && expr.of.kind === 'name' ? this.#bindings.get(expr.of.name) : undefined;
      if (given?.kind === 'object') return this.#resolve(given, steps + 1);
      const [only] = args;
      const wraps = /^(define\w*|Object\.freeze|defineConfig)$/.test(nameOf(expr.of) ?? '');
      return wraps && only ? this.#resolve(only, steps + 1) : expr;
    }
    if (expr.kind !== 'member') return expr;
    const of = this.#resolve(expr.of, steps + 1);
    if (of.kind !== 'object') return expr;
    const key = this.#value(expr.key);
    const entry = key.ok ? this.#field(of, String(key.value), steps + 1) : undefined;
    return entry === undefined ? unreadable : this.#resolve(entry, steps + 1);
  }

  /** An entry of an object, including one it spreads. */
  field(object: Expr, name: string): Expr | undefined {
    this.#steps = 0;
    return this.#field(object, name);
  }

  #field(object: Expr, name: string, steps = 0): Expr | undefined {
    const resolved = this.#resolve(object, steps);
    if (resolved.kind !== 'object' || steps > MAX_STEPS) return undefined;
    return (
      this.#spread(resolved.overrides, name, steps) ??
      resolved.entries.get(name) ??
      this.#spread(resolved.spreads, name, steps)
    );
  }

  #spread(spreads: readonly Expr[], name: string, steps: number): Expr | undefined {
    for (const spread of spreads.toReversed()) {
      // `...(test && {...})` spreads nothing where the test does not hold.
      if (spread.kind === 'pair' && spread.operator === '&&' && this.#holds(spread.left) === false) continue;
      const from = this.#resolve(spread, steps + 1);
      if (from.kind !== 'object') return { kind: 'unreadable', line: spread.line };
      const entry = this.#field(from, name, steps + 1);
      if (entry) return entry;
    }
    return undefined;
  }

  /** Whether what stands before `&&` lets through what is behind it. */
  #holds(expr: Expr): boolean | undefined {
    const value = this.#value(expr);
    return value.ok ? isTrue(value.value) : this.#truth(this.#resolve(expr));
  }

  #value(expr: Expr): Value {
    this.#steps += 1;
    if (this.#steps > MAX_STEPS * 8) return failed(expr);
    if (expr.kind === 'value') return { ok: true, value: expr.value };
    if (expr.kind === 'template') return this.#template(expr);
    if (expr.kind === 'pair') return this.#pair(expr);
    if (expr.kind === 'name') return this.#name(expr);
    if (expr.kind === 'choice') return this.#choice(expr);
    if (expr.kind === 'member') return this.#member(expr);
    return expr.kind === 'call' ? this.#call(expr) : failed(expr);
  }

  /** Whether a condition holds; undefined when that cannot be known without running code. */
  decides(test: Expr): boolean | undefined {
    this.#steps = 0;
    return this.#truth(test);
  }

  /** Both branches may say the same, and a database in memory is only the program's own. */
  #choice(expr: Extract<Expr, { kind: 'choice' }>): Value {
    const branch = this.#branch(expr);
    if (branch !== undefined) return this.#value(branch);
    const [yes, no] = [this.#value(expr.yes), this.#value(expr.no)];
    if (!yes.ok || !no.ok) return failed(expr);
    if (yes.value === no.value) return yes;
    // A file that only production has is not development's.
    if (asksForEnvironment(expr.test)) return failed(expr);
    return isInMemory(yes.value) ? no : isInMemory(no.value) ? yes : failed(expr);
  }

  #branch({ test, yes, no }: Extract<Expr, { kind: 'choice' }>): Expr | undefined {
    const holds = this.#truth(test);
    return holds === undefined ? undefined : holds ? yes : no;
  }

  #truth(test: Expr): boolean | undefined {
    return truthOf(test, (expr) => this.#value(expr));
  }

  #template({ parts }: Extract<Expr, { kind: 'template' }>): Value {
    let text = '';
    for (const part of parts) {
      const value = this.#value(part);
      if (!value.ok) return value;
      text += String(value.value ?? '');
    }
    return { ok: true, value: text };
  }

  #name(expr: Extract<Expr, { kind: 'name' }>): Value {
    const { name } = expr;
    if (name === '__dirname' || name === '__DIR__') return { ok: true, value: dirname(this.#scope.file) };
    if (name === '__filename' || name === '__file__' || name === '__FILE__') {
      return { ok: true, value: this.#scope.file };
    }
    const bound = this.#bindings.get(name);
    if (bound === undefined && name === 'DIRECTORY_SEPARATOR') return { ok: true, value: '/' };
    return bound === undefined || bound === expr ? failed(expr) : this.#value(bound);
  }

  #member(expr: Extract<Expr, { kind: 'member' }>): Value {
    const name = nameOf(expr);
    if (name === 'import.meta.dirname') return { ok: true, value: dirname(this.#scope.file) };
    if (name === 'app.root_path' || name === 'current_app.root_path') return this.#flaskPackage(expr);
    if (name === 'Rails.root') return { ok: true, value: this.#scope.root };
    if (name === 'import.meta.url') return { ok: true, value: this.#scope.file };
    if (name === 'import.meta.filename' || name === '__ENV__.file') return { ok: true, value: this.#scope.file };
    if (ENVIRONMENT_OBJECTS.has(nameOf(expr.of) ?? '')) {
      const key = this.#value(expr.key);
      const otherwise: Expr | undefined = this.#scope.unsetIsNull
        ? { kind: 'value', line: expr.line, value: null }
        : undefined;
      return key.ok ? this.#env(String(key.value), expr.line, otherwise) : key;
    }
    const platform = platformOf(name);
    if (platform !== undefined) return { ok: true, value: platform };
    if (name === 'dj_database_url.DEFAULT_ENV') return { ok: true, value: 'DATABASE_URL' };
    const key = expr.key.kind === 'value' ? expr.key.value : undefined;
    if (typeof key === 'string' && SAME.has(key)) return this.#value(expr.of);
    if (key === 'parent') return onText(this.#value(expr.of), dirname);
    if (typeof key === 'number' && expr.of.kind === 'member') return this.#parents(expr.of, key);
    const resolved = this.#resolve(expr);
    return resolved === expr ? failed(expr) : this.#value(resolved);
  }

  /** The folder of Flask's own package, which may be any of those around a file deep in the project. */
  #flaskPackage(expr: Expr): Value {
    const folder = dirname(this.#scope.file);
    const isOwn = [folder, dirname(folder)].includes(this.#scope.root);
    return isOwn ? { ok: true, value: folder } : failed(expr);
  }

  /** `path.parents[1]` */
  #parents(of: Extract<Expr, { kind: 'member' }>, index: number): Value {
    if (of.key.kind !== 'value' || of.key.value !== 'parents') return failed(of);
    return onText(this.#value(of.of), (path) => up(path, index + 1));
  }

  #pair(expr: Extract<Expr, { kind: 'pair' }>): Value {
    const { operator, left, right } = expr;
    const first = this.#value(left);
    if (operator === '||' || operator === '??' || operator === 'or' || operator === '?:') {
      if (!first.ok && first.missing.length === 0) return first;
      if (!first.ok) {
        for (const name of first.missing) this.#scope.onFallback?.(name);
        return this.#value(right);
      }
      const holds = operator === '??' ? first.value !== null : Boolean(first.value);
      return holds ? first : this.#value(right);
    }
    if (operator === '&&') return first.ok && isTrue(first.value) ? this.#value(right) : first;
    if (operator === '|>' && right.kind === 'call') return this.#call({ ...right, args: [left, ...right.args] });
    if (operator === '==' || operator === '!=') {
      const holds = this.#truth(expr);
      return holds === undefined ? failed(expr) : { ok: true, value: holds };
    }
    // Python's `'sqlite:///%s' % path`
    if (operator === '%' && first.ok && typeof first.value === 'string') {
      const args = right.kind === 'list' ? right.items : [right];
      return this.#method({ kind: 'call', line: expr.line, of: left, args, named: NONE }, left, 'sprintf');
    }
    if (!['+', '.', '/', '-'].includes(operator)) return failed(expr);
    const second = this.#value(right);
    if (!first.ok) return first;
    return second.ok ? joined(expr, first.value, second.value) : second;
  }

  #call(expr: Extract<Expr, { kind: 'call' }>): Value {
    const { of, args, line } = expr;
    const [first] = args;
    const key = of.kind === 'member' && of.key.kind === 'value' ? String(of.key.value) : '';
    const fallback = PARSED.test(key) ? expr.named.get('fallback') : undefined;
    if (fallback !== undefined) return this.#scope.withoutParsedFiles ? this.#value(fallback) : failed(expr);
    const environment = callEnvironment(expr);
    if (environment) {
      const name = this.#value(environment.name);
      return name.ok ? this.#env(String(name.value), line, environment.otherwise) : name;
    }
    const own = of.kind === 'name' ? this.#bindings.get(of.name) : undefined;
    if (own?.kind === 'function') return this.#given(expr, own);
    const name = nameOf(of) ?? '';
    // For path.join and similar functions the arguments are the parts. Otherwise the object itself comes first.
    if (JOINS.has(name)) return this.#paths(expr, args);
    if (name === 'Path.expand') return this.#paths(expr, args.toReversed());
    if (of.kind === 'member' && key === 'joinpath') return this.#paths(expr, [of.of, ...args]);
    if (name === 'fmt.Sprintf' && first) return this.#method({ ...expr, args: args.slice(1) }, first, 'sprintf');
    const folder = FOLDERS.get(name);
    if (folder !== undefined) return this.#paths(expr, args, join(this.#scope.root, folder));
    const platform = platformOf(`${name}()`);
    if (platform !== undefined && first === undefined) return { ok: true, value: platform };
    if (of.kind === 'member' && changesCase(key)) return this.#method(expr, of.of, key);
    if (first === undefined) return of.kind === 'member' && SAME.has(key) ? this.#value(of.of) : failed(expr);
    const asks = NUMBER_CHECKS.get(name);
    if (asks !== undefined) return this.#isNumber(first, asks);
    if (UP.has(name)) return onText(this.#value(first), dirname);
    if (ALIKE.has(name)) return this.#value(first);
    return of.kind === 'member' ? this.#method(expr, of.of, key) : failed(expr);
  }

  /** What one of the program's own functions gives back. */
  #given(call: Extract<Expr, { kind: 'call' }>, { names, others, body }: Extract<Expr, { kind: 'function' }>): Value {
    const args: Expr[] = [];
    for (const arg of this.#spreadOut(call.args)) {
      const value = this.#value(arg);
      if (!value.ok) return value;
      // A function may put its argument into the result several times.
      if (String(value.value).length > MAX_ARGUMENT_CHARS) return failed(call);
      args.push({ kind: 'value', line: call.line, value: value.value });
    }
    const fits = args.length === names.length || (others !== undefined && args.length > names.length);
    if (!fits || call.named.size > 0) return failed(call);
    const outer = this.#bindings;
    const own = new Map([...this.#scope.bindings, ...names.map((name, at) => [name, args[at] ?? call] as const)]);
    if (others !== undefined) own.set(others, { kind: 'list', line: call.line, items: args.slice(names.length) });
    this.#bindings = own;
    const value = this.#value(body);
    this.#bindings = outer;
    return value;
  }

  /** Whether what a variable is parsed to is a number: the check before a fallback. */
  #isNumber(of: Expr, asks: (number: number) => boolean): Value {
    const value = this.#value(of);
    if (!value.ok && value.missing.length === 0) return value;
    if (!value.ok) for (const name of value.missing) this.#scope.onFallback?.(name);
    return { ok: true, value: asks(value.ok ? Number.parseFloat(String(value.value)) : Number.NaN) };
  }

  #spreadOut(parts: readonly Expr[]): readonly Expr[] {
    return parts.flatMap((part): readonly Expr[] => {
      const list = part.kind === 'spread' ? this.#resolve(part.of) : part;
      return part.kind === 'spread' && list.kind === 'list' ? list.items : [part];
    });
  }

  /** `'{0}'.format(x)`, `text.replace('a', 'b')` */
  #method(expr: Extract<Expr, { kind: 'call' }>, of: Expr, method: string): Value {
    const values = [of, ...expr.args].map((part) => this.#value(part));
    const texts = values.flatMap((value) => (value.ok ? [String(value.value ?? '')] : []));
    const [text, ...args] = texts;
    if (text === undefined || texts.length < values.length) return values.find(({ ok }) => !ok) ?? failed(expr);
    if (method === 'startswith' && args.length === 1) return { ok: true, value: text.startsWith(args[0] ?? '') };
    const result = textMethod(method, text, args);
    return result === undefined ? failed(expr) : { ok: true, value: result };
  }

  #paths(expr: Expr, parts: readonly Expr[], start?: string): Value {
    const texts: string[] = start === undefined ? [] : [start];
    for (const part of this.#spreadOut(parts)) {
      const value = this.#value(part);
      if (!value.ok) return value;
      if (typeof value.value !== 'string') return failed(expr);
      texts.push(value.value);
    }
    const [first = ''] = texts;
    // A relative path starts where the program is started.
    const base = isAbsolute(first) ? [] : [this.#scope.root];
    return { ok: true, value: resolve(...base, ...texts.map((text, index) => (index === 0 ? text : `./${text}`))) };
  }

  #env(name: string, line: number, otherwise: Expr | undefined): Value {
    const found = this.#scope.env(name);
    if ('text' in found) return { ok: true, value: found.text };
    if (otherwise !== undefined) {
      this.#scope.onFallback?.(name);
      return this.#value(otherwise);
    }
    const names = found.missing.slice(0, 5).join(', ');
    return { ok: false, line, missing: found.missing, reason: `refers to ${names}, which the .env files do not set` };
  }
}

const NONE: ReadonlyMap<string, Expr> = new Map();
/** SQLite's name for a database that no other program can see, also as a URL. */
const IN_MEMORY = /^(?:(?:sqlite3?|file):(?:\/\/\/?)?)?:memory:/;

function isInMemory(value: string | number | boolean | null): boolean {
  return typeof value === 'string' && IN_MEMORY.test(value);
}

const ENVIRONMENT = /prod|staging|dev/i;

function asksForEnvironment(test: Expr, depth = 0): boolean {
  if (depth > MAX_STEPS) return false;
  if (test.kind === 'not') return asksForEnvironment(test.of, depth + 1);
  if (test.kind === 'pair') return [test.left, test.right].some((side) => asksForEnvironment(side, depth + 1));
  if (test.kind === 'call') return [test.of, ...test.args].some((part) => asksForEnvironment(part, depth + 1));
  if (test.kind === 'value') return ENVIRONMENT.test(String(test.value));
  return ENVIRONMENT.test(nameOf(test) ?? '');
}

function joined(expr: Expr, left: string | number | boolean | null, right: string | number | boolean | null): Value {
  const operator = expr.kind === 'pair' ? expr.operator : '';
  if (operator === '+' && typeof left === 'number' && typeof right === 'number')
    return { ok: true, value: left + right };
  if (operator === '+' || operator === '.') return { ok: true, value: `${left ?? ''}${right ?? ''}` };
  if (typeof left !== 'string' || !isAbsolute(left)) return failed(expr);
  if (operator === '/' && typeof right === 'string') return { ok: true, value: resolve(left, right) };
  return operator === '-' && typeof right === 'number' ? { ok: true, value: up(left, right) } : failed(expr);
}

/** A switch in a variable is a text. */
function isTrue(value: string | number | boolean | null): boolean {
  return Boolean(value) && value !== 'false' && value !== '0';
}

function onText(value: Value, change: (text: string) => string): Value {
  return value.ok && typeof value.value === 'string' ? { ok: true, value: change(value.value) } : value;
}

function up(path: string, levels: number): string {
  let result = path;
  for (let level = 0; level < Math.min(levels, MAX_STEPS); level += 1) result = dirname(result);
  return result;
}

function failed({ line }: Expr): Value {
  return { ok: false, line, missing: [], reason: NOT_RUN };
}
