import type { Token } from './tokens.ts';

const CLOSERS: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };
const CLOSER = /^[)\]}]$/;
/** Tokens between the word of a statement and its colon. */
const MAX_HEAD = 300;

/** A position in a list of tokens that moves forward. */
export class Cursor {
  readonly tokens: readonly Token[];
  at: number;

  constructor(tokens: readonly Token[], at: number) {
    this.tokens = tokens;
    this.at = at;
  }

  get atEnd(): boolean {
    return this.at >= this.tokens.length;
  }

  get token(): Token | undefined {
    return this.tokens[this.at];
  }

  get line(): number {
    return (this.token ?? this.tokens.at(-1))?.line ?? 1;
  }

  /** The mark this many tokens ahead; '' for anything else. */
  mark(ahead = 0): string {
    const token = this.tokens[this.at + ahead];
    return token?.kind === 'mark' ? token.text : '';
  }

  /** Whether the next token is a mark or name with this text. */
  is(text: string): boolean {
    const token = this.token;
    return (token?.kind === 'mark' || token?.kind === 'name') && token.text === text;
  }

  take(text: string): boolean {
    if (!this.is(text)) return false;
    this.at += 1;
    return true;
  }

  /** Whether the next token is the first on its line. */
  get beginsLine(): boolean {
    const before = this.tokens[this.at - 1];
    return before !== undefined && before.line !== this.token?.line;
  }

  /** Whether a statement of Python that ends in a colon starts here, and not a part of the expression before it. */
  get beginsBlock(): boolean {
    if (!this.beginsLine) return false;
    let depth = 0;
    for (const token of this.tokens.slice(this.at, this.at + MAX_HEAD)) {
      if (token.kind === 'name' && token.text === 'else' && depth === 0) return false;
      if (token.kind !== 'mark') continue;
      if (token.text === ':' && depth === 0) return true;
      if (CLOSERS[token.text] !== undefined) depth += 1;
      else if (CLOSER.test(token.text)) depth -= 1;
      if (depth < 0) return false;
    }
    return false;
  }

  /** The bracket that closes the one at `open`. */
  closing(open = this.at): number | undefined {
    let depth = 0;
    for (let at = open; at < this.tokens.length; at += 1) {
      const token = this.tokens[at];
      if (token?.kind !== 'mark') continue;
      if (CLOSERS[token.text] !== undefined) depth += 1;
      else if (CLOSER.test(token.text)) depth -= 1;
      if (depth === 0) return at;
    }
    return undefined;
  }

  /** Moves past one token, or past the whole bracket that starts here. */
  skip(): void {
    const opens = CLOSERS[this.mark()] !== undefined;
    this.at = (opens ? (this.closing() ?? this.tokens.length - 1) : this.at) + 1;
  }

  skipTo(text: string): void {
    while (!this.atEnd && !this.is(text)) this.at += 1;
  }

  /** Moves past the next block in braces and what comes before it: the rest of a function or class. */
  skipBlock(): void {
    while (!this.atEnd && !this.is('{')) this.skip();
    this.skip();
  }

  /** Moves to the end of the enclosing construct. */
  skipRest(): void {
    while (!this.atEnd && !/^[)\]},;]$/.test(this.mark())) this.skip();
  }

  /** Moves past a comma or to the closing bracket; false where neither follows. `clean` when nothing was skipped. */
  endItem(closer: string): { readonly ended: boolean; readonly clean: boolean } {
    let clean = true;
    while (!this.atEnd) {
      if (this.take(',') || this.is(closer)) return { ended: true, clean };
      if (CLOSER.test(this.mark())) break;
      clean = false;
      this.skip();
    }
    return { ended: false, clean: false };
  }
}
