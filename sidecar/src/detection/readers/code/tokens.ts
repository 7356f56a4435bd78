import { LANGUAGES, type Language, type LanguageRules } from './languages.ts';

/** A piece of source text. Comments and whitespace are removed. */
export type Token =
  | { readonly kind: 'name'; readonly text: string; readonly line: number; readonly column: number }
  | { readonly kind: 'number'; readonly value: number; readonly line: number; readonly column: number }
  | { readonly kind: 'text'; readonly text: string; readonly line: number; readonly column: number }
  /** A string with expressions in it: its texts and the sources of the expressions, in order. */
  | { readonly kind: 'template'; readonly parts: readonly Piece[]; readonly line: number; readonly column: number }
  | { readonly kind: 'mark'; readonly text: string; readonly line: number; readonly column: number };

/** A piece of a template. */
export type Piece = { readonly text: string } | { readonly source: string };

/** The tokens of a source text; `broken` is the line where it could not be followed any further. */
export interface Tokens {
  readonly tokens: readonly Token[];
  readonly broken: number | undefined;
}

const MAX_TOKENS = 30_000;
/** Spaces before the word that ends a text of several lines, and the word. */
const MAX_INDENT = 300;
const MARKS = /===|!==|\?\?=|\|\|=|\.\.\.|=>|\?\?|\?\.|\|\||&&|==|!=|<=|>=|\*\*|\/\/|->|::|\?:|\+=|-=|\.=|[^\s\w]/y;
const NAME = /[\p{L}_$][\p{L}\p{N}_$]*/uy;
const NUMBER = /(?:0[xX][\da-fA-F_]+|(?:\d[\d_]*)(?:\.\d[\d_]*)?(?:[eE][+-]?\d+)?)n?/y;
/** After these a slash starts a regular expression, not a division. */
const BEFORE_REGEX = /^(?:[=(,:;![{&|?+*%<>~^-]|=>|\?\?|\|\||&&|===?|!==?|return|typeof|case|in|of)$/;
/** Limited: otherwise an unclosed one would make every later slash search to the end of its line. */
const REGEX = /\/(?![*/])(?:[^\\/[\n]|\\.|\[(?:[^\]\\\n]|\\.){0,100}\]){1,400}\/[a-z]{0,9}/y;

/**
 * Splits a source text into tokens. Never fails: it stops where it cannot go on, and reports that. `whole` means a
 * whole file.
 */
export function tokenize(source: string, language: Language, whole = true): Tokens {
  const rules = LANGUAGES[language];
  return new Tokenizer(source, whole ? rules : { ...rules, begin: undefined }).read();
}

class Tokenizer {
  readonly #source: string;
  readonly #rules: LanguageRules;
  readonly #tokens: Token[] = [];
  #at = 0;
  #line = 1;
  #lineStart = 0;
  #lineEnd: number;
  #broken: number | undefined;

  constructor(source: string, rules: LanguageRules) {
    this.#source = source;
    this.#rules = rules;
    this.#lineEnd = this.#endOfLine(0);
  }

  read(): Tokens {
    if (this.#rules.begin) this.#enter(this.#rules.begin);
    while (this.#at < this.#source.length && this.#broken === undefined) {
      this.#next();
      if (this.#tokens.length > MAX_TOKENS) this.#broken = this.#line;
    }
    return { tokens: this.#tokens, broken: this.#broken };
  }

  /** Code embedded in other content starts after a mark. */
  #enter(begin: RegExp): void {
    begin.lastIndex = this.#at;
    const match = begin.exec(this.#source);
    this.#move(match === null ? this.#source.length : match.index + match[0].length);
  }

  #next(): void {
    const blank = this.#match(/\s+|\\\r?\n/y);
    if (blank !== undefined) {
      this.#move(this.#at + blank.length);
      return;
    }
    if (this.#comment() || this.#leave()) return;
    const prefix = this.#match(this.#rules.string);
    if (prefix !== undefined) this.#string(prefix);
    else if (this.#heredoc()) return;
    else if (this.#match(this.#rules.unreadable) !== undefined) this.#broken = this.#line;
    else this.#word();
  }

  #comment(): boolean {
    const line = this.#match(this.#rules.lineComment);
    if (line !== undefined) {
      this.#move(this.#at + line.length);
      return true;
    }
    if (!this.#rules.blockComments || !this.#source.startsWith('/*', this.#at)) return false;
    const end = this.#source.indexOf('*/', this.#at + 2);
    if (end === -1) this.#broken = this.#line;
    this.#move(end === -1 ? this.#source.length : end + 2);
    return true;
  }

  #leave(): boolean {
    if (!this.#rules.begin || !this.#source.startsWith('?>', this.#at)) return false;
    this.#push({ kind: 'mark', text: ';', ...this.#place() });
    this.#enter(this.#rules.begin);
    return true;
  }

  #word(): void {
    const place = this.#place();
    const name = this.#match(NAME);
    const number = name === undefined ? this.#match(NUMBER) : undefined;
    const regex = name === undefined && number === undefined ? this.#regex() : undefined;
    const written = name ?? number ?? regex ?? this.#match(MARKS);
    if (written === undefined || written === '') {
      this.#broken = this.#line;
      return;
    }
    if (name !== undefined) this.#push({ kind: 'name', text: name, ...place });
    else if (number !== undefined) this.#push({ kind: 'number', value: numberOf(number), ...place });
    // Settings never use a regular expression as a value; a name without a value stands for it.
    else if (regex !== undefined) this.#push({ kind: 'name', text: '/regex/', ...place });
    else this.#push({ kind: 'mark', text: written, ...place });
    this.#move(this.#at + written.length);
  }

  #regex(): string | undefined {
    if (!this.#rules.regexes || this.#source[this.#at] !== '/') return undefined;
    const before = this.#tokens.at(-1);
    const fits =
      before === undefined || ((before.kind === 'mark' || before.kind === 'name') && BEFORE_REGEX.test(before.text));
    return fits ? this.#match(REGEX) : undefined;
  }

  /** `opening` is what precedes the text: its prefix and its quotes. */
  #string(opening: string): void {
    const place = this.#place();
    const quotes = /["'`]{1,3}$/.exec(opening)?.[0] ?? '';
    const form = this.#rules.form(opening.slice(0, -quotes.length).toLowerCase(), quotes);
    const parts: Piece[] = [];
    let text = '';
    let at = this.#at + opening.length;
    for (;;) {
      const char = this.#source[at];
      if (char === undefined || (char === '\n' && !form.lines)) {
        this.#broken = this.#line;
        return;
      }
      if (this.#source.startsWith(quotes, at)) break;
      const escaped = char === '\\' ? form.escape(this.#source, at) : undefined;
      const hole = escaped === undefined && form.hole ? form.hole(this.#source, at) : undefined;
      if (hole) {
        parts.push({ text }, { source: hole.source });
        text = '';
      } else text += escaped?.text ?? char;
      at = hole?.end ?? escaped?.end ?? at + 1;
    }
    this.#move(at + quotes.length);
    if (form.unreadable) parts.push({ source: '' });
    if (parts.length > 0) this.#push({ kind: 'template', parts: [...parts, { text }], ...place });
    else this.#push({ kind: 'text', text, ...place });
  }

  #heredoc(): boolean {
    if (this.#rules.heredoc === undefined) return false;
    const opening = this.#match(this.#rules.heredoc);
    const word = opening === undefined ? undefined : /\w+/.exec(opening)?.[0];
    if (opening === undefined || word === undefined) return false;
    const place = this.#place();
    const end = this.#endOfHeredoc(this.#at + opening.length, word);
    if (end === undefined) this.#broken = this.#line;
    else {
      this.#push({ kind: 'template', parts: [{ source: '' }, { text: '' }], ...place });
      this.#move(end);
    }
    return true;
  }

  /** Behind the word, where it is the first of a line. */
  #endOfHeredoc(from: number, word: string): number | undefined {
    for (let start = from; start < this.#source.length; start = this.#endOfLine(start) + 1) {
      const line = this.#source.slice(start, Math.min(this.#endOfLine(start), start + MAX_INDENT));
      const indent = line.length - line.trimStart().length;
      const behind = line.slice(indent + word.length);
      if (line.startsWith(word, indent) && !/^\w/.test(behind)) return start + indent + word.length;
    }
    return undefined;
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    return pattern.exec(this.#source)?.[0];
  }

  #push(token: Token): void {
    this.#tokens.push(token);
  }

  #place(): { readonly line: number; readonly column: number } {
    return { line: this.#line, column: this.#at - this.#lineStart };
  }

  #move(to: number): void {
    while (this.#lineEnd < to) {
      this.#line += 1;
      this.#lineStart = this.#lineEnd + 1;
      this.#lineEnd = this.#endOfLine(this.#lineStart);
    }
    this.#at = to;
  }

  /** Looked up once for each line: in a long one, once for each token would take a minute. */
  #endOfLine(from: number): number {
    const end = this.#source.indexOf('\n', from);
    return end === -1 ? Number.POSITIVE_INFINITY : end;
  }
}

function numberOf(written: string): number {
  return Number(written.replaceAll('_', '').replace(/n$/, ''));
}
