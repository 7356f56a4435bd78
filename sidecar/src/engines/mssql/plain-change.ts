import { isOperator } from '../operators.ts';
import type { ReadyStatement } from './judge.ts';
import { isName, isWord, type Token, tokenize } from './tokenize.ts';

/** A change of one table of this database and nothing else. */
export interface PlainChange {
  readonly verb: 'INSERT' | 'UPDATE' | 'DELETE';
  /** As written: one name, or schema and name. */
  readonly name: readonly string[];
}

/** The single plain change that a statement is; undefined when a dry run could leave something behind. */
export function plainChange({ effect, text }: ReadyStatement): PlainChange | undefined {
  if (effect !== 'write') return undefined;
  const read = tokenize(text);
  if (!read.ok) return undefined;
  const { tokens } = read;
  const verb = (['INSERT', 'UPDATE', 'DELETE'] as const).find((word) => isWord(tokens[0], word));
  if (verb === undefined || hasMore(tokens)) return undefined;
  let at = 1;
  if (isWord(tokens[at], 'TOP')) at = isOperator(tokens[at + 1], '(') ? afterParenthesis(tokens, at + 1) : at + 2;
  if (isWord(tokens[at], verb === 'INSERT' ? 'INTO' : 'FROM') && verb !== 'UPDATE') at += 1;
  const name = nameAt(tokens, at);
  if (name === undefined) return undefined;
  return followsPlainly(verb, tokens, at + name.length * 2 - 1) ? { verb, name } : undefined;
}

function nameAt(tokens: readonly Token[], at: number): string[] | undefined {
  const first = tokens[at];
  if (!isName(first)) return undefined;
  if (!isOperator(tokens[at + 1], '.')) return [first.value];
  const second = tokens[at + 2];
  // A third part would make it another database's table; `.WRITE` changes part of a value.
  return isName(second) && !isOperator(tokens[at + 3], '.') ? [first.value, second.value] : undefined;
}

function followsPlainly(verb: PlainChange['verb'], tokens: readonly Token[], at: number): boolean {
  const next = tokens[at];
  const outer = tokens.slice(at).filter(({ depth }) => depth === 0);
  if (verb === 'INSERT')
    return isOperator(next, '(') || ['VALUES', 'SELECT', 'DEFAULT'].some((word) => isWord(next, word));
  // A second FROM joins other tables, and the first name may then be an alias.
  if (outer.some((token) => isWord(token, 'FROM'))) return false;
  return verb === 'UPDATE' ? isWord(next, 'SET') : next === undefined || isOperator(next, ';') || isWord(next, 'WHERE');
}

/** Clauses that reach beyond the table: rows put elsewhere, counters that no rollback resets, other code. */
function hasMore(tokens: readonly Token[]): boolean {
  return tokens.some(
    (token, at) =>
      isWord(token, 'OUTPUT') ||
      isWord(token, 'EXEC') ||
      isWord(token, 'EXECUTE') ||
      (isWord(token, 'NEXT') && isWord(tokens[at + 1], 'VALUE')) ||
      (isOperator(token, '.') && isName(tokens[at + 1]) && isOperator(tokens[at + 2], '(')),
  );
}

function afterParenthesis(tokens: readonly Token[], open: number): number {
  const depth = tokens[open]?.depth ?? 0;
  return tokens.findIndex((token, at) => at > open && token.depth === depth) + 1;
}
