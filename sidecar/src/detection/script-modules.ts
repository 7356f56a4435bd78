import { posix } from 'node:path';
import type { AppFolder } from './app-folder.ts';
import { Evaluator } from './readers/code/evaluate.ts';
import type { Expr } from './readers/code/expression.ts';
import { exportedFunction } from './readers/code/function-body.ts';
import { type Assignment, bindingsOf, exported, type Program, readProgram } from './readers/code/program.ts';
import type { Token } from './readers/code/tokens.ts';
import { readJsonc } from './readers/jsonc.ts';
import { at, entriesOf, textOf } from './readers/located.ts';

const MAX_MODULES = 8;
/** An index passes on the values of many. */
const MAX_INNER = 24;
const MAX_NAMES = 60;
const MAX_DEPTH = 3;
const ENDINGS = ['', '.js', '.ts', '.cjs', '.mjs', '.mts', '.cts', '/index.js', '/index.ts'];

/** What only passes on the values of the files beside it. */
const INDEX = /(?:^|\/)index\.[cm]?[jt]s$/;

/** A file beside a script that it takes values from. */
interface Module {
  readonly exported: Expr | undefined;
  readonly bindings: ReadonlyMap<string, Expr>;
  readonly evaluator: Evaluator;
}

type Env = ConstructorParameters<typeof Evaluator>[0]['env'];

/**
 * A script's assignments, with what it takes from the files beside it in place of `require('./config')`, and one for
 * each name of `import`. Only values that can be read are put in: what code computes stays a name.
 */
export async function withModules(
  app: AppFolder,
  name: string,
  { tokens, assignments }: Pick<Program, 'tokens' | 'assignments'>,
  env: Env,
  isInner = false,
): Promise<readonly Assignment[]> {
  const modules = new Map<string, Module>();
  const paths = new Set(
    tokens.flatMap((token, at) => (isPath(token, tokens[at - 1], tokens[at - 2]) ? [token.text] : [])),
  );
  const beside = [...paths].filter((path) => path.startsWith('.'));
  const named = await withAliases(
    app,
    [...paths].filter((path) => !path.startsWith('.')),
  );
  const files = [...beside.map((path): Named => [path, posix.join(posix.dirname(name), path)]), ...named];
  for (const [path, file] of files.slice(0, isInner ? MAX_INNER : MAX_MODULES)) {
    const module = modules.has(path) ? undefined : await readModule(app, file, env, isInner);
    if (module !== undefined) modules.set(path, module);
  }
  if (modules.size === 0) return assignments;
  const required = assignments.map((one): Assignment => ({ ...one, value: withRequired(one.value, modules) }));
  return [...imported(tokens, modules), ...required];
}

/** A module as a script names it, and its path in the application's folder. */
type Named = readonly [string, string];

/** The modules that TypeScript's `paths` lead to a folder of the application, e.g. `@server/*`. */
async function withAliases(app: AppFolder, names: readonly string[]): Promise<Named[]> {
  if (names.length === 0) return [];
  const read = await app.read('tsconfig.json');
  const options = read.state === 'text' ? at(readJsonc(read.text).value, 'compilerOptions') : undefined;
  const base = textOf(at(options, 'baseUrl')) ?? '.';
  const patterns = entriesOf(at(options, 'paths')).slice(0, MAX_NAMES);
  return names.flatMap((name) =>
    patterns.flatMap(([pattern, targets]): Named[] => {
      const [before = '', after] = pattern.split('*');
      if (before === '' || after !== '' || !name.startsWith(before) || targets.kind !== 'array') return [];
      const target = textOf(targets.items[0]) ?? '';
      return target.endsWith('*') ? [[name, posix.join(base, target.slice(0, -1) + name.slice(before.length))]] : [];
    }),
  );
}

/** The text of `from './x'` and of `require('./x')`; a package's own name is no path. */
function isPath(
  token: Token,
  before: Token | undefined,
  first: Token | undefined,
): token is Token & { readonly kind: 'text' } {
  if (token.kind !== 'text' || !/^(?:\.{1,2}|[@~#]?[\w-]*)\//.test(token.text)) return false;
  return isName(before, 'from') || (isMark(before, '(') && isName(first, 'require'));
}

async function readModule(app: AppFolder, path: string, env: Env, isInner: boolean): Promise<Module | undefined> {
  // TypeScript names the file that the compiler will write.
  const names = [...ENDINGS.map((ending) => path + ending), path.replace(/\.([cm]?)js$/, '.$1ts')];
  for (const name of names) {
    if (name.startsWith('..') || !/\.[cm]?[jt]s$/.test(name)) continue;
    const read = await app.read(name);
    if (read.state !== 'text') continue;
    const program = readProgram(read.text, 'javascript');
    const passesOn = !isInner && INDEX.test(name);
    const assignments = passesOn ? await withModules(app, name, program, env, true) : program.assignments;
    const bindings = bindingsOf({ assignments });
    const scope = { bindings, env, file: app.absolute(name), root: app.absolute() };
    // `import config from './config'` and `config().database`: the function stands for what it gives back.
    const given = exportedFunction(program);
    return { exported: exported(given ?? { assignments }), bindings, evaluator: new Evaluator(scope) };
  }
  return undefined;
}

function withRequired(expr: Expr, modules: ReadonlyMap<string, Module>): Expr {
  if (expr.kind === 'member') return { ...expr, of: withRequired(expr.of, modules) };
  const [path] = expr.kind === 'call' && expr.of.kind === 'name' && expr.of.name === 'require' ? expr.args : [];
  const module = path?.kind === 'value' ? modules.get(String(path.value)) : undefined;
  return (module && readable(module, module.exported, expr.line)) ?? expr;
}

/** `import a, { b, c as d } from './x'`, and `export { a, default as b } from './x'` */
function imported(tokens: readonly Token[], modules: ReadonlyMap<string, Module>): Assignment[] {
  return tokens.flatMap((token, at) => {
    const module = token.kind === 'text' && isName(tokens[at - 1], 'from') ? modules.get(token.text) : undefined;
    const before = tokens.slice(Math.max(0, at - MAX_NAMES), at - 1);
    const begin = before.findLastIndex((one) => isName(one, 'import') || isName(one, 'export'));
    return module === undefined || begin === -1 ? [] : namesIn(before.slice(begin + 1), module, token.line);
  });
}

function namesIn(tokens: readonly Token[], module: Module, line: number): Assignment[] {
  const { bindings } = module;
  const open = tokens.findIndex((token) => isMark(token, '{'));
  return tokens.flatMap((token, at): Assignment[] => {
    if (token.kind !== 'name' || token.text === 'as' || isName(tokens[at + 1], 'as')) return [];
    const source = tokens[at - 2];
    const name = isName(tokens[at - 1], 'as') && source?.kind === 'name' ? source.text : token.text;
    const isDefault = name === 'default' || ((open === -1 || at < open) && !isName(tokens[at - 1], 'as'));
    const value = readable(module, isDefault ? module.exported : bindings.get(name), line);
    return value === undefined ? [] : [{ target: token.text, value, line, conditional: false }];
  });
}

/** A value as the module's own names and variables have it; undefined where nothing of it can be read. */
function readable(module: Module, expr: Expr | undefined, line: number, depth = 0): Expr | undefined {
  if (expr === undefined || depth > MAX_DEPTH) return undefined;
  const { evaluator } = module;
  const resolved = evaluator.resolve(expr);
  if (resolved.kind === 'object') {
    if (resolved.spreads.length + resolved.overrides.length > 0) return undefined;
    const entries = [...resolved.entries].map(([name, inner]): [string, Expr] => [
      name,
      readable(module, inner, line, depth + 1) ?? { kind: 'unreadable', line },
    ]);
    return { kind: 'object', line, entries: new Map(entries), spreads: [], overrides: [] };
  }
  const value = evaluator.value(resolved);
  if (value.ok) return { kind: 'value', line, value: value.value };
  const [variable] = value.missing;
  return variable === undefined ? undefined : variableAt(variable, line);
}

/** `process.env.NAME`, so that the sentence names it. */
function variableAt(variable: string, line: number): Expr {
  const process: Expr = { kind: 'name', line, name: 'process' };
  const environment: Expr = { kind: 'member', line, of: process, key: { kind: 'value', line, value: 'env' } };
  return { kind: 'member', line, of: environment, key: { kind: 'value', line, value: variable } };
}

function isName(token: Token | undefined, text: string): boolean {
  return token?.kind === 'name' && token.text === text;
}

function isMark(token: Token | undefined, text: string): boolean {
  return token?.kind === 'mark' && token.text === text;
}
