import { type Span, statementSpans, withRest } from '../statement-spans.ts';
import { tokenize } from './tokenize.ts';

/** The statements of a text. GO on a line of its own ends a batch, as in every tool for SQL Server. */
export async function splitStatements(sql: string): Promise<Span[]> {
  const isGo = ({ text, start, end }: { readonly text: string } & Span): boolean =>
    /^go$/i.test(text) &&
    /(?:^|\n)[ \t]*$/.test(sql.slice(Math.max(0, start - 100), start)) &&
    /^[ \t\r]*(?:\n|$)/.test(sql.slice(end, end + 100));
  const read = tokenize(sql);
  if (read.ok) return statementSpans(read.tokens, isGo);
  const before = tokenize(sql.slice(0, read.at));
  return withRest(before.ok ? statementSpans(before.tokens, isGo) : [], sql, before.ok ? read.at : 0);
}
