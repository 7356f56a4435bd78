import { afterBrackets, isOperator } from '../operators.ts';
import { callsIn, judgeTokens, type Named } from './judge-tokens.ts';
import { queriedTables } from './named-objects.ts';
import { isName, isWord, type Token, tokenize } from './tokenize.ts';

/** The words of a sql_mode. */
export function modesIn(sqlMode: string): ReadonlySet<string> {
  return new Set(sqlMode.toUpperCase().split(','));
}

/**
 * The names in a view's text; undefined when it does more than read. The server stores the text in one spelling,
 * whatever the sql_mode was when it was made.
 */
export function namesOfView(text: string): Named | undefined {
  const read = tokenize(text, { ansiQuotes: false, backslashEscapes: true });
  if (!read.ok || read.comments > 0) return undefined;
  const { statement, calls, tables } = judgeTokens(read.tokens);
  return statement.effect === 'read' ? { calls, tables } : undefined;
}

/**
 * Words a function's text must not contain: they change rows, or reach beyond rows and the transaction. The server
 * refuses a function that writes rows, but one that sets a global variable or writes a file runs with its definer's
 * rights even in a read-only transaction. Columns with such a name must be quoted, or the user is asked.
 */
const FORBIDDEN = new Set(
  `ALTER ANALYZE BACKUP BINLOG CACHE CALL CHANGE CLONE CREATE DEALLOCATE DELETE DROP DUMPFILE EXECUTE FLUSH GLOBAL GRANT IMPORT
   INSERT INSTALL KILL LOAD LOCK OPTIMIZE OUTFILE PERSIST PERSIST_ONLY PREPARE PURGE RENAME REPAIR REPLACE RESET RESTART REVOKE
   SHUTDOWN SONAME START STOP TRUNCATE UNINSTALL UNLOCK UPDATE XA`.split(/\s+/),
);
/** MariaDB's SET STATEMENT, MySQL's SET RESOURCE GROUP. */
const FORBIDDEN_BEHIND_SET = new Set(['STATEMENT', 'RESOURCE']);
const ALSO_FUNCTIONS = new Set(['INSERT', 'REPLACE', 'TRUNCATE']);

/** The names in a stored function's CREATE statement; undefined when it may do more than read. */
export function namesOfRoutine(text: string, sqlMode: string): Named | undefined {
  const modes = modesIn(sqlMode);
  // In that mode a procedure's name alone calls it.
  if (modes.has('ORACLE')) return undefined;
  const read = tokenize(text, {
    ansiQuotes: modes.has('ANSI_QUOTES'),
    backslashEscapes: !modes.has('NO_BACKSLASH_ESCAPES'),
  });
  const tokens = read.ok && read.comments === 0 ? behindParameters(read.tokens) : undefined;
  if (tokens === undefined || tokens.some((_, at) => reachesOut(tokens, at))) return undefined;
  const calls = callsIn(tokens);
  if ('refused' in calls || calls.writes) return undefined;
  // A name may be a subquery in one statement of the text and a table in another.
  return { calls: calls.unknown, tables: queriedTables(tokens).map((table) => ({ ...table, isOwn: false })) };
}

/** The text after `CREATE FUNCTION name (...)`: its type and its body. */
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
  // A body in another language is not examined.
  if (word === 'LANGUAGE') return !isWord(next, 'SQL');
  if (word === 'NEXT') return isWord(next, 'VALUE');
  if (FORBIDDEN_BEHIND_SET.has(word)) return isWord(tokens[at - 1], 'SET');
  return FORBIDDEN.has(word) && !(ALSO_FUNCTIONS.has(word) && isOperator(next, '('));
}

/** Reading a server setting is allowed; where the comparison sign could also assign, the user is asked. */
function isReadOnly(next: Token | undefined): boolean {
  return !['=', ':=', '.'].some((sign) => isOperator(next, sign));
}
