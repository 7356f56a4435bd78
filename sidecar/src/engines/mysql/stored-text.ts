import { afterBrackets, isOperator } from '../operators.ts';
import { callsIn, judgeTokens, type Named } from './judge-tokens.ts';
import { queriedTables } from './named-objects.ts';
import { isName, isWord, type Token, tokenize } from './tokenize.ts';

/** Each word of a sql_mode. */
export function modesIn(sqlMode: string): ReadonlySet<string> {
  return new Set(sqlMode.toUpperCase().split(','));
}

/**
 * What a view names; undefined when it does more than read. The server keeps its text in one spelling, whatever sql_mode
 * it was made in.
 */
export function namesOfView(text: string): Named | undefined {
  const read = tokenize(text, { ansiQuotes: false, backslashEscapes: true });
  if (!read.ok || read.comments > 0) return undefined;
  const { statement, calls, tables } = judgeTokens(read.tokens);
  return statement.effect === 'read' ? { calls, tables } : undefined;
}

/**
 * Words that a function's text may not have: they change rows, or reach past rows and transaction. The server refuses a
 * function that writes rows, but one that sets a global variable or writes a file runs with its owner's rights in a
 * read-only transaction too. Columns of such a name stand in quotes, or a person is asked.
 */
const FORBIDDEN = new Set(
  `ALTER ANALYZE BACKUP BINLOG CACHE CALL CHANGE CLONE CREATE DEALLOCATE DELETE DROP DUMPFILE EXECUTE FLUSH GLOBAL GRANT IMPORT
   INSERT INSTALL KILL LOAD LOCK OPTIMIZE OUTFILE PERSIST PERSIST_ONLY PREPARE PURGE RENAME REPAIR REPLACE RESET RESTART REVOKE
   SHUTDOWN SONAME START STOP TRUNCATE UNINSTALL UNLOCK UPDATE XA`.split(/\s+/),
);
/** SET STATEMENT of MariaDB, SET RESOURCE GROUP of MySQL. */
const FORBIDDEN_BEHIND_SET = new Set(['STATEMENT', 'RESOURCE']);
const ALSO_FUNCTIONS = new Set(['INSERT', 'REPLACE', 'TRUNCATE']);

/** What a stored function names, from its CREATE statement; undefined when it may do more than read. */
export function namesOfRoutine(text: string, sqlMode: string): Named | undefined {
  const modes = modesIn(sqlMode);
  // There a procedure's name alone calls it.
  if (modes.has('ORACLE')) return undefined;
  const read = tokenize(text, {
    ansiQuotes: modes.has('ANSI_QUOTES'),
    backslashEscapes: !modes.has('NO_BACKSLASH_ESCAPES'),
  });
  const tokens = read.ok && read.comments === 0 ? behindParameters(read.tokens) : undefined;
  if (tokens === undefined || tokens.some((_, at) => reachesOut(tokens, at))) return undefined;
  const calls = callsIn(tokens);
  if ('refused' in calls || calls.writes) return undefined;
  // A name may be a subquery's in one statement of the text and a table's in another.
  return { calls: calls.unknown, tables: queriedTables(tokens).map((table) => ({ ...table, isOwn: false })) };
}

/** The text from behind `CREATE FUNCTION name (...)`, where its type and its body are. */
function behindParameters(tokens: readonly Token[]): readonly Token[] | undefined {
  const word = tokens.findIndex((token) => isWord(token, 'FUNCTION'));
  const name = isOperator(tokens[word + 2], '.') ? word + 3 : word + 1;
  if (word < 0 || !isName(tokens[name])) return undefined;
  const behind = afterBrackets(tokens, name + 1);
  return behind === undefined ? undefined : tokens.slice(behind);
}

function reachesOut(tokens: readonly Token[], at: number): boolean {
  const token = tokens[at];
  const next = tokens[at + 1];
  if (token?.kind === 'variable') return /^@@`?(global|persist)/i.test(token.text) && !isReadOnly(next);
  if (token?.kind !== 'word' || token.afterPoint) return false;
  const word = token.text.toUpperCase();
  // Another language is not read here.
  if (word === 'LANGUAGE') return !isWord(next, 'SQL');
  if (word === 'NEXT') return isWord(next, 'VALUE');
  if (FORBIDDEN_BEHIND_SET.has(word)) return isWord(tokens[at - 1], 'SET');
  return FORBIDDEN.has(word) && !(ALSO_FUNCTIONS.has(word) && isOperator(next, '('));
}

/** A server's setting may be looked at; what is compared with a sign that also assigns is left to a person. */
function isReadOnly(next: Token | undefined): boolean {
  return !['=', ':=', '.'].some((sign) => isOperator(next, sign));
}
