import { type Span, statementSpans, withRest } from '../statement-spans.ts';
import { tokenize } from './tokenize.ts';

/** As a server is set up by default: it may say otherwise, but a text is split before anybody connects. */
const MODE = { ansiQuotes: false, backslashEscapes: true };

/** The statements of a text. */
export async function splitStatements(sql: string): Promise<Span[]> {
  const read = tokenize(sql, MODE);
  if (read.ok) return statementSpans(read.tokens);
  const before = tokenize(sql.slice(0, read.at), MODE);
  return withRest(before.ok ? statementSpans(before.tokens) : [], sql, before.ok ? read.at : 0);
}
