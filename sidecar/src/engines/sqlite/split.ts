import { type Span, statementSpans, withRest } from '../statement-spans.ts';
import { tokenize } from './tokenize.ts';

/** The statements of a text. */
export async function splitStatements(sql: string): Promise<Span[]> {
  const read = tokenize(sql);
  if (read.ok) return statementSpans(read.tokens);
  const before = tokenize(sql.slice(0, read.at));
  return withRest(before.ok ? statementSpans(before.tokens) : [], sql, before.ok ? read.at : 0);
}
