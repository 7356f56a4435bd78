import type { Reading, SqlReader } from '../sql-reader.ts';
import { indexesOfBytes } from './bind.ts';
import { splitStatements } from './split.ts';
import { loadGrammar, wordsOf } from './sql-tree.ts';

/** The server's own lexer. psql's commands begin with a backslash, which no statement has outside of quotes. */
export const reader: SqlReader = { split: splitStatements, readings, clientWord: /^\\/ };

async function readings(sql: string): Promise<Reading[]> {
  await loadGrammar();
  return [read(sql)];
}

function read(sql: string): Reading {
  if (sql.includes('\0')) return { ok: false, problem: 'a NUL character', at: sql.indexOf('\0') };
  // The lexer refuses an empty text.
  if (sql === '') return { ok: true, tokens: [] };
  let words: ReturnType<typeof wordsOf>;
  try {
    words = wordsOf(sql);
  } catch {
    return { ok: false, problem: 'a quote or a comment that is not closed, or a control character' };
  }
  const indexOf = indexesOfBytes(sql);
  const tokens = words.map(({ text, start, tokenName }) => {
    const index = indexOf(start);
    return { text, kind: tokenName, start: index, end: index + text.length };
  });
  const command = tokens.find(({ text }) => text.startsWith('\\'));
  if (command !== undefined) return { ok: false, problem: 'a command of psql', at: command.start };
  return { ok: true, tokens };
}
