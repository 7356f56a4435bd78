import { afterBrackets, isOperator } from '../operators.ts';
import { isName, isWord, type Token } from './tokenize.ts';

/** A name that stands, or may stand, for a table, a view or a sequence. */
export interface NamedObject {
  readonly schema: string | undefined;
  readonly name: string;
  /** The text gives this name to a subquery of its own; a table of that name may exist all the same. */
  readonly isOwn: boolean;
}

/** What a pair of brackets holds, as far as tables are concerned. */
interface Group {
  hasSelect: boolean;
  /** `table`: the next name is one. `joined`: a comma brings another one. */
  zone: 'none' | 'table' | 'joined';
}

/** Reserved words behind which no table of the same query stands any more. */
const ENDS = ['SELECT', 'WHERE', 'GROUP', 'HAVING', 'ORDER', 'LIMIT', 'UNION', 'INTO', 'PROCEDURE'];

/** Words behind which brackets hold tables; behind any other name they hold what a function is given. */
const OPENS = ['FROM', 'JOIN', 'STRAIGHT_JOIN'];

/**
 * The tables of a query and of the queries in it. Only what stands behind FROM, JOIN, TABLE and their commas and
 * brackets can be one; a column may be among them, a table is never left out.
 */
export function queriedTables(tokens: readonly Token[]): NamedObject[] {
  const own = ownNames(tokens);
  const found: NamedObject[] = [];
  const outer: Group[] = [];
  let group: Group = { hasSelect: true, zone: 'none' };
  for (const [at, token] of tokens.entries()) {
    if (isOperator(token, '(')) {
      const isCall = isName(tokens[at - 1]) && !OPENS.some((word) => isWord(tokens[at - 1], word));
      const inner: Group = { hasSelect: false, zone: group.zone === 'table' && !isCall ? 'table' : 'none' };
      if (group.zone === 'table') group.zone = 'joined';
      outer.push(group);
      group = inner;
    } else if (isOperator(token, ')')) {
      group = outer.pop() ?? group;
    } else if (group.zone === 'table' && isTableName(tokens, at)) {
      found.push(objectAt(tokens, at, own));
      group.zone = 'joined';
    } else {
      step(group, tokens, at);
    }
  }
  return found;
}

/** What a token changes in its group. */
function step(group: Group, tokens: readonly Token[], at: number): void {
  const token = tokens[at];
  if (isWord(token, 'SELECT')) group.hasSelect = true;
  if (isOperator(token, ';') || ENDS.some((word) => isWord(token, word))) group.zone = 'none';
  // FROM also stands in EXTRACT(), TRIM() and SUBSTRING(), and behind FETCH.
  else if (isWord(token, 'FROM')) group.zone = group.hasSelect && !isFetch(tokens, at) ? 'table' : 'none';
  else if (isWord(token, 'TABLE')) group.zone = 'table';
  else if (group.zone === 'none') return;
  else if (isWord(token, 'JOIN') || isWord(token, 'STRAIGHT_JOIN') || isOperator(token, ',')) group.zone = 'table';
}

/** NEXT alone may be a column. */
function isFetch(tokens: readonly Token[], from: number): boolean {
  const before = tokens[from - 1];
  return isWord(before, 'FETCH') || (isWord(before, 'NEXT') && isWord(tokens[from - 2], 'FETCH'));
}

const NO_TABLES = ['SELECT', 'TABLE', 'VALUES', 'WITH', 'DUAL'];

/** A call (JSON_TABLE) is no table. A point may stand before the name: it means the database in use. */
function isTableName(tokens: readonly Token[], at: number): boolean {
  const token = tokens[at];
  return isName(token) && !NO_TABLES.some((word) => isWord(token, word)) && !isOperator(tokens[at + 1], '(');
}

/** Every name of a statement, alone and with the one before its point: some of them are tables. */
export function allNames(tokens: readonly Token[]): NamedObject[] {
  const own = ownNames(tokens);
  return tokens.flatMap((token, at): NamedObject[] => {
    if (!isName(token)) return [];
    const owner = token.afterPoint ? tokens[at - 2] : undefined;
    if (isName(owner)) return [{ schema: owner.value, name: token.value, isOwn: false }];
    return [{ schema: undefined, name: token.value, isOwn: own.has(token.value.toLowerCase()) }];
  });
}

function objectAt(tokens: readonly Token[], at: number, own: ReadonlySet<string>): NamedObject {
  const first = tokens[at]?.value ?? '';
  const second = tokens[at + 2];
  const qualified = isOperator(tokens[at + 1], '.') && isName(second);
  if (qualified) return { schema: first, name: second.value, isOwn: false };
  return { schema: undefined, name: first, isOwn: own.has(first.toLowerCase()) };
}

/** Names of common table expressions. */
function ownNames(tokens: readonly Token[]): ReadonlySet<string> {
  const named = tokens.filter((token, at) => {
    if (!isName(token)) return false;
    const behind = afterBrackets(tokens, at + 1) ?? at + 1;
    return isWord(tokens[behind], 'AS') && isOperator(tokens[behind + 1], '(');
  });
  return new Set(named.map(({ value }) => value.toLowerCase()));
}
