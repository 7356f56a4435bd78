/** The kind of a token. `word` is an unquoted identifier or keyword, `quoted` an identifier in any quotes. */
export type TokenKind = 'word' | 'quoted' | 'string' | 'blob' | 'number' | 'parameter' | 'operator';

export interface Token {
  readonly kind: TokenKind;
  /** As written in the statement. */
  readonly text: string;
  /** Without quotes, doubled quotes undone; the text itself for every other kind. */
  readonly value: string;
  readonly start: number;
  readonly end: number;
}

/** The tokens without whitespace and comments, or the first piece that SQLite itself would not accept. */
export type Tokens =
  | { readonly ok: true; readonly tokens: readonly Token[] }
  | { readonly ok: false; readonly at: number; readonly problem: string };

const BLANK = /[ \t\n\f\r\uFEFF]+/y;
const LINE_COMMENT = /--[^\n]*/y;
const BLOB = /x'(?:[0-9a-f]{2})*'/iy;
// An identifier may contain any character beyond ASCII: SQLite looks at bytes, not at Unicode letters.
const WORD = /[A-Za-z_\u0080-\uFFFF][\w$\u0080-\uFFFF]*/y;
const NUMBER =
  /(?:0x[0-9a-f]+(?:_[0-9a-f]+)*|(?:\d+(?:_\d+)*(?:\.(?:\d+(?:_\d+)*)?)?|\.\d+(?:_\d+)*)(?:e[+-]?\d+(?:_\d+)*)?)/iy;
const WORD_CHARACTER = /[\w$\u0080-\uFFFF]/y;
const PARAMETER = /\?\d*|[:@$#][\w$\u0080-\uFFFF]+(?:::[\w$\u0080-\uFFFF]*)*(?:\([^)\s]*\))?/y;
const OPERATOR = /->>|->|\|\||<<|>>|<=|>=|<>|==|!=|[-+*/%=<>|&~,.();]/y;
const PATTERNS = { word: WORD, parameter: PARAMETER, operator: OPERATOR } as const;
const WORD_START = /[A-Za-z_\u0080-\uFFFF]/;
const DIGIT = /\d/;
const BLANK_STARTS = new Set([...' \t\n\f\r\uFEFF-/'].map((character) => character.charCodeAt(0)));
const CLOSING: Readonly<Record<string, string | undefined>> = { "'": "'", '"': '"', '`': '`', '[': ']' };

/**
 * Splits a statement as SQLite's own tokenizer does. What SQLite would not accept is an error here too, never skipped.
 */
export function tokenize(sql: string): Tokens {
  const tokens: Token[] = [];
  for (let at = skipBlanks(sql, 0); at < sql.length; ) {
    const token = tokenAt(sql, at);
    if (token === undefined) return { ok: false, at, problem: problemAt(sql, at) };
    tokens.push(token);
    at = skipBlanks(sql, token.end);
  }
  return { ok: true, tokens };
}

/** Whether the comments from here on end with one that is not closed. */
export function unterminatedComment(sql: string, from: number): boolean {
  let at = from;
  while (at < sql.length) {
    if (sql.startsWith('/*', at)) {
      const end = sql.indexOf('*/', at + 2);
      if (end < 0) return true;
      at = end + 2;
    } else {
      at = matchEnd(LINE_COMMENT, sql, at) ?? at + 1;
    }
  }
  return false;
}

/** Whether a token is this keyword, in any case. */
export function isWord(token: Token | undefined, word: string): boolean {
  // Length first: it saves converting most words to upper case.
  return token?.kind === 'word' && token.text.length === word.length && token.text.toUpperCase() === word;
}

/** Whether a token may be a name: SQLite accepts a string almost everywhere. */
export function isName(token: Token | undefined): token is Token {
  return token?.kind === 'word' || token?.kind === 'quoted' || token?.kind === 'string';
}

function skipBlanks(sql: string, from: number): number {
  let at = from;
  // Most tokens are adjacent: one check of the character saves three patterns.
  while (BLANK_STARTS.has(sql.charCodeAt(at))) {
    const next = matchEnd(BLANK, sql, at) ?? matchEnd(LINE_COMMENT, sql, at) ?? blockCommentEnd(sql, at);
    if (next === undefined) break;
    at = next;
  }
  return at;
}

function blockCommentEnd(sql: string, at: number): number | undefined {
  // A slash and a star at the very end are two operators for SQLite, not a comment.
  if (!sql.startsWith('/*', at) || at + 2 >= sql.length) return undefined;
  const end = sql.indexOf('*/', at + 2);
  return end < 0 ? sql.length : end + 2;
}

function tokenAt(sql: string, at: number): Token | undefined {
  const first = sql.charAt(at);
  const close = CLOSING[first];
  if (close !== undefined) return quotedAt(sql, at, first, close);
  if ((first === 'x' || first === 'X') && sql.charAt(at + 1) === "'") return plain('blob', sql, at, BLOB);
  // A point before a digit starts a number.
  const kind = first === '.' && !DIGIT.test(sql.charAt(at + 1)) ? 'operator' : kindOf(first);
  if (kind !== 'number') return plain(kind, sql, at, PATTERNS[kind]);
  const number = plain('number', sql, at, NUMBER);
  // For SQLite `1abc` is one invalid token, not a number and a name.
  return number === undefined || matchEnd(WORD_CHARACTER, sql, number.end) !== undefined ? undefined : number;
}

function kindOf(first: string): 'word' | 'number' | 'parameter' | 'operator' {
  if (WORD_START.test(first)) return 'word';
  if (first === '.' || DIGIT.test(first)) return 'number';
  return first === '?' || first === ':' || first === '@' || first === '$' || first === '#' ? 'parameter' : 'operator';
}

function plain(kind: TokenKind, sql: string, at: number, pattern: RegExp): Token | undefined {
  const end = matchEnd(pattern, sql, at);
  if (end === undefined) return undefined;
  const text = sql.slice(at, end);
  return { kind, text, value: text, start: at, end };
}

function quotedAt(sql: string, at: number, open: string, close: string): Token | undefined {
  for (let end = sql.indexOf(close, at + 1); end >= 0; end = sql.indexOf(close, end + 2)) {
    // A closing bracket cannot be doubled: the first one closes.
    if (open !== '[' && sql.charAt(end + 1) === close) continue;
    const inner = sql.slice(at + 1, end);
    const value = open === '[' ? inner : inner.replaceAll(close + close, close);
    const kind = open === "'" ? 'string' : 'quoted';
    return { kind, text: sql.slice(at, end + 1), value, start: at, end: end + 1 };
  }
  return undefined;
}

function matchEnd(pattern: RegExp, sql: string, at: number): number | undefined {
  pattern.lastIndex = at;
  return pattern.test(sql) ? pattern.lastIndex : undefined;
}

function problemAt(sql: string, at: number): string {
  const first = sql.charAt(at);
  if (CLOSING[first] !== undefined) return `${first === "'" ? 'a string' : 'a quoted name'} that is never closed`;
  if (first === '\0') return 'a NUL character';
  const code = sql.codePointAt(at) ?? 0;
  if (code < 0x20 || code === 0x7f) return `the character U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
  return `the piece ${JSON.stringify(sql.slice(at, at + 12))}`;
}
