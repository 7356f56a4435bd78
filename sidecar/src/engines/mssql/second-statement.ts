import { STATEMENT_WORDS } from './statement-words.ts';
import { isName, isWord, type Token } from './tokenize.ts';

/** Words that may occur inside a statement with this verb although they can start another. */
const INNER_WORDS: Readonly<Record<string, readonly string[]>> = {
  SELECT: [],
  INSERT: ['SELECT', 'EXEC', 'EXECUTE'],
  UPDATE: ['SET'],
  DELETE: [],
  DROP: [],
  MERGE: ['INSERT', 'UPDATE', 'DELETE', 'SET'],
  TRUNCATE: [],
  PRINT: [],
  EXEC: [],
  EXECUTE: [],
};

/** A keyword after the first that starts another statement, in parentheses or not: only the first may run. */
export function secondStatement(verb: string, tokens: readonly Token[]): Token | undefined {
  const allowed = INNER_WORDS[verb];
  if (allowed === undefined) return undefined;
  const first = beginOf(verb, tokens);
  return tokens.find((token, at) => {
    if (at === first || token.kind !== 'word') return false;
    const word = token.text.toUpperCase();
    if (word === 'SELECT') return verb !== 'INSERT' && token.depth === 0 && !continuesQuery(tokens, at);
    if (!STATEMENT_WORDS.has(word) || belongs(tokens, at)) return false;
    return !allowed.includes(word) || (verb !== 'MERGE' && isRepeated(tokens, word, at));
  });
}

/** The first token with that verb; after WITH, the first one outside parentheses. */
function beginOf(verb: string, tokens: readonly Token[]): number {
  const isBehindWith = isWord(tokens[0], 'WITH');
  return tokens.findIndex((token) => isWord(token, verb) && (!isBehindWith || token.depth === 0));
}

/** `SELECT 1 SELECT 2` is two statements, `SELECT 1 UNION ALL SELECT 2` is one. */
function continuesQuery(tokens: readonly Token[], at: number): boolean {
  const before = tokens[at - 1];
  return ['UNION', 'ALL', 'EXCEPT', 'INTERSECT'].some((word) => isWord(before, word));
}

function isRepeated(tokens: readonly Token[], word: string, at: number): boolean {
  return tokens.slice(0, at).some((token) => isWord(token, word) && token.depth === 0);
}

/** Statement keywords inside an expression, a hint or a clause. */
function belongs(tokens: readonly Token[], at: number): boolean {
  const next = tokens[at + 1];
  switch (tokens[at]?.text.toUpperCase()) {
    case 'ELSE':
    case 'END':
      return isInsideCase(tokens, at);
    case 'MERGE':
      return ['JOIN', 'UNION'].some((word) => isWord(next, word)) && at > 0;
    case 'USE':
      return (tokens[at]?.depth ?? 0) > 0 && (isWord(next, 'HINT') || isWord(next, 'PLAN'));
    case 'IF':
      // DROP TABLE IF EXISTS name; after the name it would start another statement.
      return at === 2 && isWord(tokens[0], 'DROP') && isWord(next, 'EXISTS') && isName(tokens[at + 2]);
    case 'FETCH':
      // OFFSET ... ROWS FETCH NEXT 5 ROWS ONLY; for a cursor it is FETCH NEXT FROM.
      return (
        (isWord(next, 'NEXT') || isWord(next, 'FIRST')) && !isWord(tokens[at + 2], 'FROM') && hasOffset(tokens, at)
      );
    default:
      return false;
  }
}

function hasOffset(tokens: readonly Token[], at: number): boolean {
  const before = tokens[at - 1];
  return isWord(before, 'ROWS') || isWord(before, 'ROW');
}

/** CASE and END come in pairs; an END without its CASE ends a block. */
function isInsideCase(tokens: readonly Token[], at: number): boolean {
  let open = 0;
  for (const token of tokens.slice(0, at)) {
    if (isWord(token, 'CASE')) open += 1;
    if (isWord(token, 'END')) open -= 1;
  }
  return open > 0;
}
