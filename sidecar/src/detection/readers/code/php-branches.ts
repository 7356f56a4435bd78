import type { Value } from './evaluate.ts';
import { type Expr, nameOf } from './expression.ts';
import { parsePartAt } from './parser.ts';
import type { Token } from './tokens.ts';

/** Whether something is executed; undefined where only running code would say. */
export type Executed = boolean | undefined;

/** What is known of the program around a condition. */
export interface Surroundings {
  readonly ask: (expr: Expr) => Value;
  /** Files that are there. One that is not may be a developer's own, which nobody shares. */
  readonly files: ReadonlySet<string>;
}

/** A chain of `if`, `elseif` and `else`: whether its last block is executed, and whether it or one before it is. */
interface Chain {
  readonly executed: Executed;
  readonly any: Executed;
}

const UNKNOWN: Chain = { executed: undefined, any: undefined };

/** For each token of a PHP program whether it is executed on a developer's machine, by the conditions around it. */
export function executedTokens(tokens: readonly Token[], around: Surroundings): readonly Executed[] {
  const open: Chain[] = [];
  const result: Executed[] = [];
  let closed = UNKNOWN;
  for (const [at, token] of tokens.entries()) {
    if (isMark(token, '{')) open.push(chainAt(tokens, at, closed, around));
    result.push(all(open.map(({ executed }) => executed)));
    if (isMark(token, '}')) closed = open.pop() ?? UNKNOWN;
  }
  return result;
}

/** The chain whose block begins at a bracket; `before` is the one whose block ended last. */
function chainAt(tokens: readonly Token[], at: number, before: Chain, around: Surroundings): Chain {
  if (isWord(tokens[at - 1], 'else')) return { executed: not(before.any), any: true };
  const start = openingOf(tokens, at - 1);
  const word = tokens[start - 1];
  const isElse = isWord(word, 'elseif') || (isWord(word, 'if') && isWord(tokens[start - 2], 'else'));
  if (!isElse && !isWord(word, 'if')) return UNKNOWN;
  const texts = tokens.slice(start, at).flatMap((token) => (token.kind === 'text' ? [token.text] : []));
  const holds = new Condition(texts, around).holds(parsePartAt(tokens, start, 'php').expr);
  return isElse
    ? { executed: all([not(before.any), holds]), any: some([before.any, holds]) }
    : { executed: holds, any: holds };
}

/** Where the parenthesis opens that closes at a token; -1 if none does. */
function openingOf(tokens: readonly Token[], close: number): number {
  if (!isMark(tokens[close], ')')) return -1;
  let depth = 0;
  for (let at = close; at >= 0; at -= 1) {
    if (isMark(tokens[at], ')')) depth += 1;
    if (isMark(tokens[at], '(')) depth -= 1;
    if (depth === 0) return at;
  }
  return -1;
}

const MAX_DEPTH = 30;
/** What a request says of the machine that serves it. */
const HOST = /^\$?_SERVER\.(HTTP_HOST|SERVER_NAME|REMOTE_ADDR|SERVER_ADDR)$/;
/** Variables that only a hosting service sets. */
const OF_HOSTING = /^\$?_(ENV|SERVER)\.(PANTHEON_\w+|PLATFORM_\w+|AH_\w+|HEROKU\w*|DYNO|VCAP_\w+|IS_WPE\w*)$/;
const EXISTS = /^(file_exists|is_file|is_readable)$/;
const CONTAINS = /^(strpos|stripos|strstr|stristr|str_contains|str_ends_with|str_starts_with)$/;

class Condition {
  /** The texts of the whole condition, those in its lists among them. */
  readonly #texts: readonly string[];
  readonly #around: Surroundings;

  constructor(texts: readonly string[], around: Surroundings) {
    this.#texts = texts;
    this.#around = around;
  }

  holds(test: Expr, depth = 0): Executed {
    if (depth > MAX_DEPTH) return undefined;
    if (test.kind === 'not') return not(this.holds(test.of, depth + 1));
    if (test.kind === 'call') return this.#ofCall(test);
    if (test.kind !== 'pair') return undefined;
    const { operator, left, right } = test;
    const both = (): Executed[] => [this.holds(left, depth + 1), this.holds(right, depth + 1)];
    if (operator === '&&' || operator === 'and') return all(both());
    if (operator === '||' || operator === 'or') return some(both());
    const isEqual = /^={2,3}$/.test(operator);
    if (!isEqual && !/^!={1,2}$/.test(operator)) return undefined;
    const same = left.kind === 'call' && isFalse(right) ? not(this.#ofCall(left)) : isSameHost(left, right);
    return isEqual ? same : not(same);
  }

  #ofCall({ of, args }: Extract<Expr, { kind: 'call' }>): Executed {
    const [first, second] = args;
    const name = nameOf(of)?.toLowerCase() ?? '';
    if (first === undefined) return undefined;
    if (EXISTS.test(name)) {
      const path = this.#around.ask(first);
      return path.ok && this.#around.files.has(String(path.value)) ? true : undefined;
    }
    const asked = name === 'getenv' && first.kind === 'value' ? `_ENV.${String(first.value)}` : (nameOf(first) ?? '');
    if (name === 'isset' && isHost(first)) return true;
    if (name === 'isset' || name === 'getenv') return OF_HOSTING.test(asked) ? false : undefined;
    if (CONTAINS.test(name)) return second === undefined ? undefined : isSameHost(first, second);
    if (name !== 'in_array' || !isHost(first)) return undefined;
    return some(this.#texts.filter((text) => !/^[A-Z_]+$/.test(text)).map(isDevelopersHost));
  }
}

function isHost(expr: Expr): boolean {
  return HOST.test(nameOf(expr) ?? '');
}

function isFalse(expr: Expr): boolean {
  return expr.kind === 'value' && expr.value === false;
}

function isSameHost(one: Expr, other: Expr): Executed {
  const text = isHost(one) ? other : isHost(other) ? one : undefined;
  return text?.kind === 'value' && typeof text.value === 'string' ? isDevelopersHost(text.value) : undefined;
}

const OWN =
  /(^|[./-])(localhost|local|test|lndo\.site|ddev\.site)(:\d{1,5})?\/?$|^local[.-]|^127\.0\.|^::1$|^192\.168\./i;
/** A developer's machine, or a server that developers share, also by an address of a private network. */
const UNCLEAR = /(^|[.-])(dev|develop(ment)?|stag(e|ing)|test)([.-]|$)|^10\.|^172\.|^[^.]*$/i;

/** Whether a name in a condition is that of a developer's machine. */
function isDevelopersHost(text: string): Executed {
  if (OWN.test(text)) return true;
  return UNCLEAR.test(text) ? undefined : false;
}

function not(one: Executed): Executed {
  return one === undefined ? undefined : !one;
}

function all(parts: readonly Executed[]): Executed {
  return parts.includes(false) ? false : parts.includes(undefined) ? undefined : true;
}

function some(parts: readonly Executed[]): Executed {
  return parts.includes(true) ? true : parts.length === 0 || parts.includes(undefined) ? undefined : false;
}

function isMark(token: Token | undefined, text: string): boolean {
  return token?.kind === 'mark' && token.text === text;
}

function isWord(token: Token | undefined, text: string): boolean {
  return token?.kind === 'name' && token.text.toLowerCase() === text;
}
