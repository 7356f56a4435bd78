import type { Span } from './statement-spans.ts';

/** A word or a symbol of a text, as an engine's lexer has it. */
export interface SqlToken extends Span {
  readonly text: string;
  /** What the lexer takes it for. Two tokens of the same text and kind mean the same at the same place. */
  readonly kind: string;
}

/** What a server makes of a text: its tokens without blanks and comments, or why it has none. */
export type Reading =
  | { readonly ok: true; readonly tokens: readonly SqlToken[] }
  | { readonly ok: false; readonly problem: string; readonly at?: number };

/** How an engine reads a text. Nothing is opened for it. */
export interface SqlReader {
  /** Where the statements stand. */
  split(sql: string): Promise<Span[]>;
  /** Every reading that depends on how a server is set up; first that of one that is set up by default. */
  readings(sql: string): Promise<readonly Reading[]>;
  /** What its command line tools take for a command of theirs where a line begins with it. */
  readonly clientWord: RegExp;
}
