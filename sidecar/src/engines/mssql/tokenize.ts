import { mayBegin } from '../bound-statement.ts';

/**
 * The kind of a token of T-SQL. `word` is an unquoted identifier or keyword, `quoted` an identifier in brackets or
 * double quotes, `parameter` a placeholder `:name`, which is DevDB's own.
 */
export type TokenKind = 'word' | 'quoted' | 'string' | 'number' | 'variable' | 'parameter' | 'operator';

export interface Token {
  readonly kind: TokenKind;
  /** As written in the statement. */
  readonly text: string;
  /** The name without its quotes; the text itself for every other kind. */
  readonly value: string;
  readonly start: number;
  readonly end: number;
  /** How many parentheses are open around it. A parenthesis itself counts as outside. */
  readonly depth: number;
}

/** The tokens without whitespace and comments, or the first piece that is not plainly T-SQL. */
export type Tokens =
  | { readonly ok: true; readonly tokens: readonly Token[] }
  | { readonly ok: false; readonly at: number; readonly problem: string };

const BLANK = /[ \t\n\r\f\v\u00A0]+/y;
const LINE_COMMENT = /--[^\n]*/y;
const WORD = /[\p{L}_#][\p{L}\p{N}\p{M}_@#$]*/uy;
const VARIABLE = /@{1,2}[\p{L}\p{N}_@#$]+/uy;
const PSEUDO_NAME = /\$[A-Za-z]+/y;
const NUMBER = /0x[0-9a-f]*|\$?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?/iy;
const WORD_CHARACTER = /[\p{L}\p{N}_@#$]/uy;
const OPERATOR = /::|<>|<=|>=|!=|!<|!>|\+=|-=|\*=|\/=|%=|&=|\|=|\^=|[-+*/%=<>&|^~,.();]/y;

type Found = { readonly kind: TokenKind; readonly end: number; readonly value?: string };
type Problem = { readonly problem: string };

/** Splits a statement as SQL Server does. Ambiguous text is an error, never skipped. */
export function tokenize(sql: string): Tokens {
  const tokens: Token[] = [];
  let depth = 0;
  for (let at = sql.startsWith('\uFEFF') ? 1 : 0; ; ) {
    const blank = skipBlanks(sql, at);
    if (typeof blank !== 'number') return { ok: false, at, problem: blank.problem };
    at = blank;
    if (at >= sql.length) return { ok: true, tokens };
    const found = tokenAt(sql, at);
    if ('problem' in found) return { ok: false, at, problem: found.problem };
    const text = sql.slice(at, found.end);
    if (text === ')') depth -= 1;
    tokens.push({ kind: found.kind, text, value: found.value ?? text, start: at, end: found.end, depth });
    if (text === '(') depth += 1;
    at = found.end;
  }
}

/** Whether a token is this keyword, in any case. */
export function isWord(token: Token | undefined, word: string): boolean {
  return token?.kind === 'word' && token.text.toUpperCase() === word;
}

/** Whether a token may be a name. */
export function isName(token: Token | undefined): token is Token {
  return token?.kind === 'word' || token?.kind === 'quoted';
}

function skipBlanks(sql: string, from: number): number | Problem {
  let at = from;
  for (;;) {
    const next = matchEnd(BLANK, sql, at);
    if (next !== undefined) {
      at = next;
    } else if (sql.startsWith('--', at)) {
      const end = matchEnd(LINE_COMMENT, sql, at) ?? at;
      // For the server a lone carriage return, or a Unicode line separator, may end the comment.
      if (/\r(?!\n|$)|[\v\f\u0085\u2028\u2029]/.test(sql.slice(at, end + 1))) {
        return { problem: 'a line comment that holds an unusual line break' };
      }
      at = end;
    } else if (sql.startsWith('/*', at)) {
      const end = blockCommentEnd(sql, at);
      if (end === undefined) return { problem: 'a comment that is not closed' };
      at = end;
    } else {
      return at;
    }
  }
}

/** In T-SQL comments nest. */
function blockCommentEnd(sql: string, from: number): number | undefined {
  const mark = /\/\*|\*\//g;
  mark.lastIndex = from;
  let depth = 0;
  for (let match = mark.exec(sql); match !== null; match = mark.exec(sql)) {
    depth += match[0] === '/*' ? 1 : -1;
    if (depth === 0) return mark.lastIndex;
  }
  return undefined;
}

function tokenAt(sql: string, at: number): Found | Problem {
  const first = sql.charAt(at);
  if (first === "'") return quotedAt(sql, at, 'string', "'");
  if (first === '"') return quotedAt(sql, at, 'quoted', '"');
  if (first === '[') return quotedAt(sql, at, 'quoted', ']');
  if ((first === 'N' || first === 'n') && sql.charAt(at + 1) === "'") return quotedAt(sql, at + 1, 'string', "'");
  const number = matchEnd(NUMBER, sql, at);
  if (number !== undefined) {
    // For the server `1DELETE` and `1EXEC` are two tokens, and it is not worth guessing where the second starts.
    if (matchEnd(WORD_CHARACTER, sql, number) === undefined) return { kind: 'number', end: number };
    return { problem: 'a number that runs into a word' };
  }
  const word = matchEnd(WORD, sql, at);
  if (word !== undefined) return { kind: 'word', end: word };
  const variable = matchEnd(VARIABLE, sql, at);
  if (variable !== undefined) return { kind: 'variable', end: variable };
  const pseudo = matchEnd(PSEUDO_NAME, sql, at);
  if (pseudo !== undefined) return { kind: 'quoted', end: pseudo };
  const named = first === ':' && /[A-Za-z_]/.test(sql.charAt(at + 1)) && mayBegin(sql, at);
  const parameter = named ? matchEnd(WORD, sql, at + 1) : undefined;
  if (parameter !== undefined) return { kind: 'parameter', end: parameter };
  const operator = matchEnd(OPERATOR, sql, at);
  if (operator !== undefined) return { kind: 'operator', end: operator };
  return { problem: `the character ${JSON.stringify(String.fromCodePoint(sql.codePointAt(at) ?? 0))}` };
}

function quotedAt(sql: string, at: number, kind: 'string' | 'quoted', close: string): Found | Problem {
  for (let end = sql.indexOf(close, at + 1); end >= 0; end = sql.indexOf(close, end + 2)) {
    if (sql.charAt(end + 1) === close) continue;
    const value = sql.slice(at + 1, end).replaceAll(close + close, close);
    return { kind, end: end + 1, value };
  }
  return { problem: kind === 'string' ? 'a string that is not closed' : 'a quoted name that is not closed' };
}

function matchEnd(pattern: RegExp, sql: string, at: number): number | undefined {
  pattern.lastIndex = at;
  return pattern.test(sql) ? pattern.lastIndex : undefined;
}
