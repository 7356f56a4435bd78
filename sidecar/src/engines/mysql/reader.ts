import type { Reading, SqlReader } from '../sql-reader.ts';
import { splitStatements } from './split.ts';
import { type QuoteMode, type Tokens, tokenize } from './tokenize.ts';

/** What a server's sql_mode may be; first the default. */
const MODES: readonly QuoteMode[] = [
  { ansiQuotes: false, backslashEscapes: true },
  { ansiQuotes: false, backslashEscapes: false },
  { ansiQuotes: true, backslashEscapes: true },
  { ansiQuotes: true, backslashEscapes: false },
];

/** Its shell takes DELIMITER for its own command. */
export const reader: SqlReader = {
  split: splitStatements,
  readings: async (sql) => MODES.map((mode) => readingOf(tokenize(sql, mode))),
  clientWord: /^delimiter$/i,
};

/** Some servers run an executable comment and others do not: a token belongs to its comment. */
function readingOf(read: Tokens): Reading {
  if (!read.ok) return read;
  return {
    ok: true,
    tokens: read.tokens.map(({ text, start, end, kind, comment }) => ({
      text,
      start,
      end,
      kind: comment === undefined ? kind : `${kind} in comment ${comment}`,
    })),
  };
}
