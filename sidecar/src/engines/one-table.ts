import { isOperator } from './operators.ts';
import type { ShownTable } from './row-editing.ts';

/** The part of a token that the dialects share. */
interface Piece {
  readonly kind: string;
  readonly text: string;
  readonly value: string;
}

/** After the table; in brackets they belong to a subquery and say nothing about the rows. */
const CLAUSES = /^(?:WHERE|ORDER|LIMIT|OFFSET|FETCH)$/i;
/** They make other rows of the table's. */
const CHANGE_ROWS =
  /^(?:UNION|INTERSECT|EXCEPT|MINUS|GROUP|HAVING|WINDOW|QUALIFY|INTO|FOR|PROCEDURE|OPTION|JOIN|STRAIGHT_JOIN)$/i;
const NOT_A_COLUMN = /^(?:DISTINCT|DISTINCTROW|ALL|TOP|AS|FROM|NULL|TRUE|FALSE|DEFAULT|CURRENT_\w+|LOCALTIME\w*)$/i;

/** Reads `SELECT columns FROM table` with conditions, an order and a limit; undefined for everything else. */
export function oneTable(tokens: readonly Piece[]): ShownTable | undefined {
  if (!isWord(tokens[0], /^SELECT$/i)) return undefined;
  const start = afterTop(tokens, 1);
  const from = tokens.findIndex((token) => isWord(token, /^FROM$/i));
  if (from < start) return undefined;
  const named = nameAt(tokens, from + 1);
  if (named === undefined || named.parts.length > 2) return undefined;
  const aliased = aliasAt(tokens, named.end);
  if (!isPlainRest(tokens.slice(aliased.end))) return undefined;
  const columns = columnsIn(tokens.slice(start, from), aliased.name ?? named.parts[named.parts.length - 1] ?? '');
  return columns === undefined ? undefined : { name: named.parts, columns: columns === 'all' ? undefined : columns };
}

/** `TOP (10)` and `TOP 10` of SQL Server. */
function afterTop(tokens: readonly Piece[], at: number): number {
  if (!isWord(tokens[at], /^TOP$/i)) return at;
  const hasBrackets = isOperator(tokens[at + 1], '(') && isOperator(tokens[at + 3], ')');
  const end = hasBrackets ? at + 4 : at + 2;
  return isWord(tokens[end], /^(?:PERCENT|WITH)$/i) ? tokens.length : end;
}

function nameAt(tokens: readonly Piece[], at: number) {
  const parts: string[] = [];
  for (let end = at; ; end += 2) {
    const token = tokens[end];
    if (!isName(token)) return undefined;
    parts.push(token.value);
    if (!isOperator(tokens[end + 1], '.')) return { parts, end: end + 1 };
  }
}

function aliasAt(tokens: readonly Piece[], at: number): { readonly name?: string; readonly end: number } {
  const named = isWord(tokens[at], /^AS$/i) ? at + 1 : at;
  const token = tokens[named];
  if (!isName(token) || (token.kind === 'word' && (CLAUSES.test(token.text) || CHANGE_ROWS.test(token.text)))) {
    return { end: at };
  }
  return { name: token.value, end: named + 1 };
}

function isPlainRest(rest: readonly Piece[]): boolean {
  if (rest.every((token) => isOperator(token, ';'))) return true;
  let depth = 0;
  const outer = rest.filter((token) => {
    if (isOperator(token, '(')) depth += 1;
    if (isOperator(token, ')')) depth -= 1;
    return depth === 0;
  });
  return isWord(rest[0], CLAUSES) && !outer.some((token) => isWord(token, CHANGE_ROWS));
}

function columnsIn(tokens: readonly Piece[], table: string): readonly string[] | 'all' | undefined {
  if (isOperator(tokens[0], '*') && tokens.length === 1) return 'all';
  const columns: string[] = [];
  for (let at = 0; at < tokens.length; ) {
    const named = nameAt(tokens, at);
    const isAll = isName(tokens[at]) && isOperator(tokens[at + 1], '.') && isOperator(tokens[at + 2], '*');
    if (isAll && tokens.length === 3) return tokens[at]?.value === table ? 'all' : undefined;
    if (named === undefined || isCall(tokens, named.end) || isWord(tokens[at], NOT_A_COLUMN)) return undefined;
    const name = named.parts[named.parts.length - 1];
    if (name === undefined) return undefined;
    columns.push(name);
    at = afterAlias(tokens, named.end);
    if (at < tokens.length && !isOperator(tokens[at], ',')) return undefined;
    at += 1;
  }
  return columns.length === 0 ? undefined : columns;
}

function afterAlias(tokens: readonly Piece[], at: number): number {
  if (isWord(tokens[at], /^AS$/i)) return isName(tokens[at + 1]) ? at + 2 : at;
  return isName(tokens[at]) ? at + 1 : at;
}

function isCall(tokens: readonly Piece[], at: number): boolean {
  return isOperator(tokens[at], '(');
}

function isWord(token: Piece | undefined, word: RegExp): boolean {
  return token?.kind === 'word' && word.test(token.text);
}

function isName(token: Piece | undefined): token is Piece {
  return token?.kind === 'word' || token?.kind === 'quoted';
}
