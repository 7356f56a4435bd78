import { mayBegin } from '../bound-statement.ts';
import { isOperator } from '../operators.ts';

/** The kind of a token. `word` is an unquoted identifier or keyword, `quoted` an identifier in quotes. */
export type TokenKind = 'word' | 'quoted' | 'string' | 'number' | 'variable' | 'parameter' | 'operator';

export interface Token {
  readonly kind: TokenKind;
  /** As written in the statement. */
  readonly text: string;
  /** Without quotes; the text itself for every other kind. */
  readonly value: string;
  readonly start: number;
  readonly end: number;
  /** Directly after a point: a name, even if the word is a keyword. */
  readonly afterPoint: boolean;
  /** The number of the executable comment that contains it; some servers execute those, others do not. */
  readonly comment: number | undefined;
}

/** The parts of sql_mode that change where a quote ends. */
export interface QuoteMode {
  readonly ansiQuotes: boolean;
  readonly backslashEscapes: boolean;
}

/**
 * The tokens without whitespace and comments, or the first piece that is not understood. `byServer`: a server in this
 * mode would not accept it either, so this reading of the statement cannot occur.
 */
export type Tokens =
  | { readonly ok: true; readonly tokens: readonly Token[]; readonly comments: number }
  | { readonly ok: false; readonly at: number; readonly problem: string; readonly byServer: boolean };

const BLANK = /[ \t\n\v\f\r]+/y;
// Two dashes start a comment only before whitespace or a control character.
const LINE_COMMENT = /(?:#|--(?=[\0-\x20\x7f]|$))[^\n]*/y;
const EXECUTABLE = /\/\*M?!/y;
const VERSION = /(\d*)/y;
const NAME_CHARACTER = /[\w$\u0080-\uFFFF]/y;
const WORD = /[\w$\u0080-\uFFFF]+/y;
const NUMBER =
  /0x[0-9a-f]+(?![\w$\u0080-\uFFFF])|0b[01]+(?![\w$\u0080-\uFFFF])|(?:\d+\.\d*|\.\d+)(?:e[+-]?\d+)?|\d+e[+-]?\d+|\d+(?![\w$\u0080-\uFFFF])/iy;
const VARIABLE = /@@?[\w$.\u0080-\uFFFF]+|@@?(?=[`'"])/y;
const OPERATOR = /<=>|->>|->|:=|<<|>>|<=|>=|<>|!=|\|\||&&|[-+*/%=<>!|&^~,.();]/y;
const NULL_LITERAL = /\\N(?![\w$\u0080-\uFFFF])/y;

/** Splits a statement as the server's lexer does in one of its modes. Anything uncertain is a problem. */
export function tokenize(sql: string, mode: QuoteMode): Tokens {
  return new Lexer(sql, mode).run();
}

/** Whether a token is this keyword, in any case. */
export function isWord(token: Token | undefined, word: string): boolean {
  return token?.kind === 'word' && !token.afterPoint && token.text.toUpperCase() === word;
}

/** Whether a token may be the name of a function or table. */
export function isName(token: Token | undefined): token is Token {
  return token?.kind === 'word' || token?.kind === 'quoted';
}

class Problem extends Error {
  readonly at: number;
  readonly byServer: boolean;

  constructor(problem: string, at: number, byServer: boolean) {
    super(problem);
    this.at = at;
    this.byServer = byServer;
  }
}

class Lexer {
  readonly #sql: string;
  readonly #mode: QuoteMode;
  readonly #tokens: Token[] = [];
  #at = 0;
  #comments = 0;
  #comment: number | undefined;

  constructor(sql: string, mode: QuoteMode) {
    this.#sql = sql;
    this.#mode = mode;
  }

  run(): Tokens {
    try {
      this.#until(this.#sql.length);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      return { ok: false, at: error.at, problem: error.message, byServer: error.byServer };
    }
    return { ok: true, tokens: this.#tokens, comments: this.#comments };
  }

  #until(end: number): void {
    while (this.#at < end) {
      if (this.#skip(end)) continue;
      this.#token();
      if (this.#at > end) throw new Problem('a piece that runs out of its comment', this.#at, false);
    }
  }

  /** Skips whitespace or a comment; reads the content of an executable one. */
  #skip(end: number): boolean {
    const sql = this.#sql;
    const blank = matchEnd(BLANK, sql, this.#at);
    if (blank !== undefined) {
      this.#at = blank;
      return true;
    }
    const line = matchEnd(LINE_COMMENT, sql, this.#at);
    const block = sql.startsWith('/*', this.#at);
    if (line === undefined && !block) return false;
    // Where a nested comment ends differs between servers.
    if (this.#comment !== undefined) throw new Problem('a comment inside an executable comment', this.#at, false);
    if (line !== undefined) this.#at = Math.min(line, end);
    else this.#blockComment();
    return true;
  }

  #blockComment(): void {
    const sql = this.#sql;
    const start = this.#at;
    const close = sql.indexOf('*/', start + 2);
    if (close < 0) throw new Problem('a comment that is never closed', start, false);
    const inside = matchEnd(EXECUTABLE, sql, start);
    if (inside === undefined) {
      // A nested opening would end elsewhere on a server that nests comments.
      if (sql.slice(start + 2, close).includes('/*')) throw new Problem('a comment inside a comment', start, false);
      this.#at = close + 2;
      return;
    }
    this.#at = afterVersion(sql, inside);
    this.#comment = this.#comments;
    this.#comments += 1;
    this.#until(close);
    this.#comment = undefined;
    this.#at = close + 2;
  }

  #token(): Token {
    const sql = this.#sql;
    const first = sql.charAt(this.#at);
    if (first === "'") return this.#quoted('string', first, this.#mode.backslashEscapes);
    if (first === '"') {
      return this.#mode.ansiQuotes
        ? this.#quoted('quoted', first, false)
        : this.#quoted('string', first, this.#mode.backslashEscapes);
    }
    if (first === '`') return this.#quoted('quoted', first, false);
    if (first === '?') return this.#push('parameter', this.#at + 1);
    if (first === '@') return this.#variable();
    if (first === ':') {
      const name = this.#nameEnd();
      if (name !== undefined) return this.#push('parameter', name);
    }
    if (this.#isAfterPoint() || !/[\d.]/.test(first)) {
      const word = matchEnd(WORD, sql, this.#at);
      if (word !== undefined) return this.#push('word', word);
    }
    const number = this.#startsNumber(first) ? this.#numberEnd() : undefined;
    if (number !== undefined) return this.#push('number', number);
    const word = matchEnd(WORD, sql, this.#at);
    if (word !== undefined) return this.#push('word', word);
    const operator = matchEnd(OPERATOR, sql, this.#at);
    if (operator !== undefined) return this.#push('operator', operator);
    return this.#unknown(first);
  }

  /** A point directly after a name belongs to it, even if digits follow: `t.2nd`. */
  #startsNumber(first: string): boolean {
    const last = this.#tokens.at(-1);
    const belongs = first === '.' && isName(last) && last.end === this.#at;
    return /[\d.]/.test(first) && !belongs;
  }

  #numberEnd(): number | undefined {
    const end = matchEnd(NUMBER, this.#sql, this.#at);
    if (end === undefined) return undefined;
    if (matchEnd(NAME_CHARACTER, this.#sql, end) !== undefined) {
      throw new Problem('a number that runs into a name', this.#at, false);
    }
    return end;
  }

  /** Where the name of a placeholder `:name` ends. */
  #nameEnd(): number | undefined {
    if (!/[A-Za-z_]/.test(this.#sql.charAt(this.#at + 1)) || !mayBegin(this.#sql, this.#at)) return undefined;
    return matchEnd(WORD, this.#sql, this.#at + 1);
  }

  #variable(): Token {
    const end = matchEnd(VARIABLE, this.#sql, this.#at);
    if (end === undefined) throw new Problem('the character @', this.#at, false);
    const quote = this.#sql.charAt(end);
    if (end - this.#at > 2 || !/[`'"]/.test(quote)) return this.#push('variable', end);
    const start = this.#at;
    this.#at = end;
    return this.#quoted('variable', quote, quote !== '`' && this.#mode.backslashEscapes, start);
  }

  #quoted(kind: TokenKind, quote: string, escapes: boolean, start = this.#at): Token {
    const sql = this.#sql;
    let value = '';
    for (let at = this.#at + 1; at < sql.length; at += 1) {
      const character = sql.charAt(at);
      if (character === '\\' && escapes) {
        at += 1;
        value += sql.charAt(at);
      } else if (character !== quote) {
        value += character;
      } else if (sql.charAt(at + 1) === quote) {
        at += 1;
        value += quote;
      } else {
        return this.#add({ kind, text: sql.slice(start, at + 1), value, start, end: at + 1 });
      }
    }
    const what = kind === 'string' ? 'a string' : 'a quoted name';
    throw new Problem(`${what} that is never closed`, start, true);
  }

  #push(kind: TokenKind, end: number): Token {
    const text = this.#sql.slice(this.#at, end);
    return this.#add({ kind, text, value: text, start: this.#at, end });
  }

  #add(piece: Omit<Token, 'afterPoint' | 'comment'>): Token {
    const token = { ...piece, afterPoint: this.#isAfterPoint(piece.start), comment: this.#comment };
    this.#tokens.push(token);
    this.#at = token.end;
    return token;
  }

  /** A number's point is part of the number, so a point is an operator only between names. */
  #isAfterPoint(start = this.#at): boolean {
    const last = this.#tokens.at(-1);
    return isOperator(last, '.') && last?.end === start;
  }

  #unknown(first: string): never {
    if (first === '\\') {
      const end = matchEnd(NULL_LITERAL, this.#sql, this.#at);
      if (end === undefined) throw new Problem('a backslash outside of quotes', this.#at, true);
      throw new Problem('the piece \\N; write NULL', this.#at, false);
    }
    const code = this.#sql.codePointAt(this.#at) ?? 0;
    const shown = code < 0x20 || code === 0x7f ? `U+${code.toString(16).toUpperCase().padStart(4, '0')}` : first;
    throw new Problem(`the character ${shown}`, this.#at, false);
  }
}

/** Five or six digits give the version from which the comment is executed; anything else is read in several ways. */
function afterVersion(sql: string, from: number): number {
  VERSION.lastIndex = from;
  const digits = VERSION.exec(sql)?.[1] ?? '';
  const clear = digits === '' || digits.length === 5 || (digits.length === 6 && !/^[0-5]/.test(digits));
  const mariadb = digits.length === 6 && /^1\d/.test(digits);
  if (!clear && !mariadb) throw new Problem('an executable comment with a version that is not clear', from, false);
  return from + digits.length;
}

function matchEnd(pattern: RegExp, sql: string, at: number): number | undefined {
  pattern.lastIndex = at;
  return pattern.test(sql) ? pattern.lastIndex : undefined;
}
