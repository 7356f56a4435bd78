import { afterBrackets, isOperator } from '../operators.ts';
import { isBuiltIn } from './functions.ts';
import { formOf } from './judge-tokens.ts';
import { isName, isWord, type Token } from './tokenize.ts';

export type ChangeVerb = 'INSERT' | 'UPDATE' | 'DELETE';

/** A change of one table that affects the same number of rows each time it runs. */
export interface PlainChange {
  readonly verb: ChangeVerb;
  readonly schema: string | undefined;
  readonly table: string;
}

/** Functions whose result differs from call to call, or that wait. */
const UNSTEADY = new Set(
  'benchmark last_insert_id rand random_bytes sleep sysdate uuid uuid_short row_count found_rows is_free_lock is_used_lock'.split(
    ' ',
  ),
);
const MODIFIERS = new Set(['LOW_PRIORITY', 'HIGH_PRIORITY', 'DELAYED', 'QUICK', 'IGNORE']);
const BEHIND_TABLE: Readonly<Record<ChangeVerb, readonly string[]>> = {
  INSERT: ['VALUES', 'VALUE', 'SET', 'SELECT', 'WITH', 'TABLE'],
  UPDATE: ['SET'],
  DELETE: ['WHERE', 'ORDER', 'LIMIT'],
};

/** The single plain change that a statement is; undefined when a dry run is not safe. */
export function plainChangeIn(tokens: readonly Token[]): PlainChange | undefined {
  const verb = (['INSERT', 'UPDATE', 'DELETE'] as const).find((one) => isWord(tokens[0], one));
  if (verb === undefined || !tokens.every((token, at) => isSteady(token, tokens, at))) return undefined;
  let at = 1;
  while (tokens[at]?.kind === 'word' && MODIFIERS.has(tokens[at]?.text.toUpperCase() ?? '')) at += 1;
  if (isWord(tokens[at], verb === 'INSERT' ? 'INTO' : 'FROM') && verb !== 'UPDATE') at += 1;
  else if (verb === 'DELETE') return undefined;
  const named = nameAt(tokens, at);
  if (named === undefined) return undefined;
  at = verb === 'INSERT' ? (afterBrackets(tokens, named.next) ?? named.next) : afterAlias(tokens, named.next);
  const behind = tokens[at];
  const ends = behind === undefined ? verb === 'DELETE' : BEHIND_TABLE[verb].some((word) => isWord(behind, word));
  return ends ? { verb, schema: named.schema, table: named.table } : undefined;
}

/** How many rows an INSERT's value lists make; undefined where they come from elsewhere. */
export function insertedRows(tokens: readonly Token[]): number | undefined {
  const start = tokens.findIndex((token) => isWord(token, 'VALUES') || isWord(token, 'VALUE'));
  if (start < 0) return undefined;
  let rows = 0;
  for (let at = start + 1; ; at += 1) {
    const next = afterBrackets(tokens, isWord(tokens[at], 'ROW') ? at + 1 : at);
    if (next === undefined) return undefined;
    rows += 1;
    if (!isOperator(tokens[next], ',')) return rows;
    at = next;
  }
}

function nameAt(tokens: readonly Token[], at: number) {
  const [first, point, second] = tokens.slice(at, at + 3);
  if (!isName(first)) return undefined;
  if (!isOperator(point, '.')) return { schema: undefined, table: first.value, next: at + 1 };
  return isName(second) ? { schema: first.value, table: second.value, next: at + 3 } : undefined;
}

function afterAlias(tokens: readonly Token[], at: number): number {
  if (isWord(tokens[at], 'AS')) return at + 2;
  const isAlias = isName(tokens[at]) && !['SET', 'WHERE', 'ORDER', 'LIMIT'].some((word) => isWord(tokens[at], word));
  return isAlias ? at + 1 : at;
}

function isSteady(token: Token, tokens: readonly Token[], at: number): boolean {
  if (token.kind === 'variable' || token.comment !== undefined) return false;
  if (!isName(token) || !isOperator(tokens[at + 1], '(')) return true;
  const name = token.value.toLowerCase();
  // An INSERT's column list looks like a call.
  if (isWord(tokens[at - 1], 'INTO') || isOperator(tokens[at - 1], '.')) return isInsertTarget(tokens, at);
  if (UNSTEADY.has(name)) return false;
  return isBuiltIn(name, formOf(token, tokens[at + 1])) || OPENS_A_LIST.has(token.text.toUpperCase());
}

function isInsertTarget(tokens: readonly Token[], at: number): boolean {
  const before = tokens.slice(0, at).filter((token) => !isName(token) && !isOperator(token, '.'));
  return before.length === 0;
}

const OPENS_A_LIST = new Set(
  'VALUES VALUE ROW IN AND OR NOT WHERE SET SELECT EXISTS FROM ON USING AS BETWEEN CASE WHEN THEN ELSE JOIN UNION ALL ANY SOME DISTINCT LIKE'.split(
    ' ',
  ),
);
