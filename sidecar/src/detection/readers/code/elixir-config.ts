import type { Problem } from '../located.ts';
import type { Expr } from './expression.ts';
import { parsePartAt } from './parser.ts';
import { type Token, tokenize } from './tokens.ts';

/** A `config :app, Key, name: value, ...` of a configuration script. */
export interface ElixirConfig {
  /** Dotted, e.g. `Shop.Repo`; an atom's name otherwise. */
  readonly key: string;
  readonly entries: ReadonlyMap<string, Expr>;
  readonly line: number;
  /** Inside a block, so it may not be executed. */
  readonly conditional: boolean;
}

/** What a configuration script says without running it. */
export interface ElixirScript {
  readonly configs: readonly ElixirConfig[];
  /** Values of names outside blocks. */
  readonly bindings: ReadonlyMap<string, Expr>;
  /** The files of `import_config "name"`. */
  readonly imports: readonly string[];
  readonly problems: readonly Problem[];
}

const BROKEN = 'cannot be parsed from here: a string is not closed';

/** Reads a configuration script of an Elixir project. */
export function readElixirConfig(source: string): ElixirScript {
  const { tokens: plain, broken } = tokenize(source, 'elixir');
  if (broken !== undefined) {
    return { configs: [], bindings: new Map(), imports: [], problems: [{ line: broken, reason: BROKEN }] };
  }
  const tokens = plain.flatMap((token, at) => joined(token, at, plain));
  const configs: ElixirConfig[] = [];
  const bindings = new Map<string, Expr>();
  const imports: string[] = [];
  let depth = 0;
  for (const [at, token] of tokens.entries()) {
    depth = Math.max(0, depth + blockChange(token, tokens[at + 1]));
    if (token.kind !== 'name' || tokens[at - 1]?.line === token.line) continue;
    const next = tokens[at + 1];
    if (token.text === 'config') configs.push(...configAt(tokens, at, depth > 0));
    else if (token.text === 'import_config' && next?.kind === 'text') imports.push(next.text);
    else if (isMark(next, '=') && depth === 0) bindings.set(token.text, parsePartAt(tokens, at + 2, 'elixir').expr);
  }
  return { configs, bindings, imports, problems: [] };
}

/** `<>` joins texts, `|>` passes a value on, and a call's name may end with an exclamation mark. */
function joined(token: Token, at: number, all: readonly Token[]): Token[] {
  const [before, next] = [all[at - 1], all[at + 1]];
  if (isMark(token, '<') && isMark(next, '>')) return [{ ...token, kind: 'mark', text: '+' }];
  if (isMark(token, '>') && isMark(before, '<')) return [];
  if (isMark(token, '|') && isMark(next, '>')) return [{ ...token, kind: 'mark', text: '|>' }];
  if (isMark(token, '>') && isMark(before, '|')) return [];
  return isMark(token, '!') && before?.kind === 'name' && isMark(next, '(') ? [] : [token];
}

function blockChange(token: Token, next: Token | undefined): number {
  if (token.kind !== 'name') return 0;
  if (token.text === 'end') return -1;
  return (token.text === 'do' && !isMark(next, ':')) || token.text === 'fn' ? 1 : 0;
}

/** The call's parentheses are optional. */
function configAt(tokens: readonly Token[], from: number, conditional: boolean): ElixirConfig[] {
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
      words.push(wordOf(expr));
      at = end;
    }
    if (!isMark(tokens[at], ',')) break;
    at += 1;
  }
  const [, key] = words;
  return key === undefined || key === '' ? [] : [{ key, entries, line: tokens[from]?.line ?? 1, conditional }];
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
