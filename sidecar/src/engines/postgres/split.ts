import { type Span, statementSpans, withRest } from '../statement-spans.ts';
import { indexesOfBytes } from './bind.ts';
import { loadGrammar, wordsOf } from './sql-tree.ts';

/** The statements of a text, by the server's own lexer. */
export async function splitStatements(sql: string): Promise<Span[]> {
  await loadGrammar();
  const words = wordsIn(sql);
  if (words === undefined) return withRest([], sql, 0);
  const indexOf = indexesOfBytes(sql);
  return statementSpans(
    words.map(({ text, start }) => {
      const index = indexOf(start);
      return { text, start: index, end: index + text.length };
    }),
  );
}

/** Undefined where a quote or a comment is not closed. */
function wordsIn(sql: string): ReturnType<typeof wordsOf> | undefined {
  if (sql.includes('\0')) return undefined;
  try {
    return wordsOf(sql);
  } catch {
    return undefined;
  }
}
