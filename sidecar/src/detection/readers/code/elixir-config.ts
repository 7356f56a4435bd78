import type { Problem } from '../located.ts';
import { truthOf } from './conditions.ts';
import { type Expr, nameOf } from './expression.ts';
import { parsePartAt } from './parser.ts';
import { type Token, tokenize } from './tokens.ts';

/** A `config :app, Key, name: value, ...` of a configuration script. */
export interface ElixirConfig {
  /** Dotted, e.g. `Shop.Repo`; an atom's name otherwise. */
  readonly key: string;
  readonly entries: ReadonlyMap<string, Expr>;
  readonly line: number;
  /** Inside a block of which only running code would say whether it is executed. */
  readonly conditional: boolean;
}

/** What a configuration script says without running it. */
export interface ElixirScript {
  readonly configs: readonly ElixirConfig[];
  /** Values of names outside such blocks. */
  readonly bindings: ReadonlyMap<string, Expr>;
  /** The files of `import_config "name"`. */
  readonly imports: readonly string[];
  readonly problems: readonly Problem[];
}

const BROKEN = 'cannot be parsed from here: a string is not closed';

/** A block that is open, and whether it is executed; undefined where that is not known. */
type Block = boolean | undefined;

/** Reads a configuration script of an Elixir project as `env` executes it: dev, test or prod. */
export function readElixirConfig(source: string, env: string): ElixirScript {
  const { tokens: plain, broken } = tokenize(source, 'elixir');
  if (broken !== undefined) {
    return { configs: [], bindings: new Map(), imports: [], problems: [{ line: broken, reason: BROKEN }] };
  }
  const tokens = plain.flatMap((token, at) => joined(token, at, plain));
  const configs: ElixirConfig[] = [];
  const bindings = new Map<string, Expr>();
  const imports: string[] = [];
  let blocks: readonly Block[] = [];
  for (const [at, token] of tokens.entries()) {
    blocks = blocksAfter(blocks, tokens, at, env);
    if (token.kind !== 'name' || tokens[at - 1]?.line === token.line || blocks.includes(false)) continue;
    const next = tokens[at + 1];
    const conditional = blocks.includes(undefined);
    if (token.text === 'config') configs.push(...configAt(tokens, at, conditional, bindings));
    else if (token.text === 'import_config' && next?.kind === 'text') imports.push(next.text);
    else if (isMark(next, '=') && !conditional)
      bindings.set(token.text, variableReader(tokens, at + 2) ?? parsePartAt(tokens, at + 2, 'elixir').expr);
  }
  return { configs, bindings, imports, problems: [] };
}

/** `<>` joins texts, `++` lists, `|>` passes a value on, and a call's name may end with an exclamation mark. */
function joined(token: Token, at: number, all: readonly Token[]): Token[] {
  const [before, next] = [all[at - 1], all[at + 1]];
  if (isMark(token, '<') && isMark(next, '>')) return [{ ...token, kind: 'mark', text: '+' }];
  if (isMark(token, '>') && isMark(before, '<')) return [];
  if (isMark(token, '|') && isMark(next, '>')) return [{ ...token, kind: 'mark', text: '|>' }];
  if (isMark(token, '>') && isMark(before, '|')) return [];
  if (isMark(token, '+') && isMark(next, '+')) return [{ ...token, kind: 'mark', text: '++' }];
  if (isMark(token, '+') && isMark(before, '+')) return [];
  return isMark(token, '!') && before?.kind === 'name' && isMark(next, '(') ? [] : [token];
}

/** The blocks that are open after a token. */
function blocksAfter(blocks: readonly Block[], tokens: readonly Token[], at: number, env: string): readonly Block[] {
  const token = tokens[at];
  if (token?.kind !== 'name' || isMark(tokens[at + 1], ':')) return blocks;
  if (token.text === 'end') return blocks.slice(0, -1);
  if (token.text === 'fn') return [...blocks, undefined];
  if (token.text === 'do') return [...blocks, isExecuted(tokens, at, env)];
  if (token.text !== 'else') return blocks;
  const last = blocks.at(-1);
  return [...blocks.slice(0, -1), last === undefined ? undefined : !last];
}

/** No condition has more tokens. */
const MAX_CONDITION = 60;
const BEFORE_DO: ReadonlySet<string> = new Set([
  'if',
  'unless',
  'case',
  'cond',
  'for',
  'with',
  'try',
  'do',
  'fn',
  'end',
]);
const ENVIRONMENT = /^((Config\.)?config_env|Mix\.env)$/;

/** Whether the block after a `do` is executed, where the environment decides it: `if config_env() == :prod do`. */
function isExecuted(tokens: readonly Token[], end: number, env: string): Block {
  const before = tokens.slice(Math.max(0, end - MAX_CONDITION), end);
  const start = before.findLastIndex((token) => token.kind === 'name' && BEFORE_DO.has(token.text));
  const word = before[start];
  if (word?.kind !== 'name' || (word.text !== 'if' && word.text !== 'unless')) return undefined;
  const condition = parsePartAt(before, start + 1, 'elixir');
  if (condition.end !== before.length) return undefined;
  const holds = truthOf(condition.expr, (expr) => {
    if (expr.kind === 'value') return { ok: true, value: expr.value };
    const isEnvironment = expr.kind === 'call' && ENVIRONMENT.test(nameOf(expr.of) ?? '');
    return isEnvironment ? { ok: true, value: env } : { ok: false, reason: '', line: expr.line, missing: [] };
  });
  return holds === undefined ? undefined : holds === (word.text === 'if');
}

/** No function that only reads a variable has more tokens. */
const MAX_FUNCTION = 100;

/** `fn variable, default -> ... System.get_env(variable) ... end`: a variable, or what is given where it is not set. */
function variableReader(tokens: readonly Token[], from: number): Expr | undefined {
  const first = tokens[from];
  const all = tokens.slice(from + 1, from + MAX_FUNCTION);
  const arrow = all.findIndex((token) => isMark(token, '->'));
  if (first?.kind !== 'name' || first.text !== 'fn' || arrow === -1) return undefined;
  const names = all.slice(0, arrow).flatMap((token) => (token.kind === 'name' ? [token.text] : []));
  const reads = all.some((token, at) => {
    const [open, variable] = [all[at + 1], all[at + 2]];
    const isRead = token.kind === 'name' && token.text === 'get_env' && isMark(open, '(');
    return isRead && variable?.kind === 'name' && variable.text === names[0];
  });
  if (!reads || names.length * 2 - 1 !== arrow) return undefined;
  const { line } = first;
  const args = names.slice(0, 2).map((name): Expr => ({ kind: 'name', line, name }));
  const body: Expr = { kind: 'call', line, of: { kind: 'name', line, name: 'getenv' }, args, named: new Map() };
  return { kind: 'function', line, names, others: undefined, body };
}

/** The call's parentheses are optional, and so are the brackets of what is set. */
function configAt(
  tokens: readonly Token[],
  from: number,
  conditional: boolean,
  bindings: ReadonlyMap<string, Expr>,
): ElixirConfig[] {
  const entries = new Map<string, Expr>();
  const words: string[] = [];
  let at = from + (isMark(tokens[from + 1], '(') ? 2 : 1);
  for (;;) {
    const token = tokens[at];
    if (token?.kind === 'name' && isMark(tokens[at + 1], ':')) {
      const { expr, end } = parsePartAt(tokens, at + 2, 'elixir');
      entries.set(token.text, expr);
      at = end;
    } else {
      const { expr, end } = parsePartAt(tokens, at, 'elixir');
      if (words.length < 2) words.push(wordOf(expr));
      else for (const [name, value] of keywordsOf(expr, bindings)) entries.set(name, value);
      at = end;
    }
    if (!isMark(tokens[at], ',')) break;
    at += 1;
  }
  const [, key] = words;
  return key === undefined || key === '' ? [] : [{ key, entries, line: tokens[from]?.line ?? 1, conditional }];
}

/** No list of settings is put together in more steps. */
const MAX_STEPS = 20;

/** `[name: value]`, a name that stands for one, and several put together; of a name that is there twice the first holds. */
function keywordsOf(expr: Expr | undefined, bindings: ReadonlyMap<string, Expr>, step = 0): ReadonlyMap<string, Expr> {
  if (expr === undefined || step > MAX_STEPS) return new Map();
  const of = (part: Expr | undefined): ReadonlyMap<string, Expr> => keywordsOf(part, bindings, step + 1);
  if (expr.kind === 'object') return expr.entries;
  if (expr.kind === 'name') return of(bindings.get(expr.name));
  if (expr.kind === 'pair' && expr.operator === '++') return new Map([...of(expr.right), ...of(expr.left)]);
  const isMerge = expr.kind === 'call' && nameOf(expr.of) === 'Keyword.merge';
  return isMerge ? new Map(expr.args.flatMap((part) => [...of(part)])) : new Map();
}

function wordOf(expr: Expr): string {
  if (expr.kind === 'value') return String(expr.value);
  if (expr.kind === 'name') return expr.name;
  if (expr.kind !== 'member' || expr.key.kind !== 'value') return '';
  return `${wordOf(expr.of)}.${String(expr.key.value)}`;
}

function isMark(token: Token | undefined, text: string): boolean {
  return token?.kind === 'mark' && token.text === text;
}
