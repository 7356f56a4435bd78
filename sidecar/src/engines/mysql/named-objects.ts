import { afterBrackets, isOperator } from '../operators.ts';
import { isName, isWord, type Token } from './tokenize.ts';

/** A name that is, or may be, a table, a view or a sequence. */
export interface NamedObject {
  readonly schema: string | undefined;
  readonly name: string;
  /** The text gives this name to a subquery; a table of that name may exist all the same. */
  readonly isOwn: boolean;
}

/** The content of a pair of parentheses, as far as tables are concerned. */
interface Group {
  hasSelect: boolean;
  /** `table`: the next name is one. `joined`: a comma leads to another. */
  zone: 'none' | 'table' | 'joined';
}

/** Reserved words after which the same query names no more tables. */
const ENDS = ['SELECT', 'WHERE', 'GROUP', 'HAVING', 'ORDER', 'LIMIT', 'UNION', 'INTO', 'PROCEDURE'];

/** Words after which parentheses contain tables; after any other name they contain a function's arguments. */
const OPENS = ['FROM', 'JOIN', 'STRAIGHT_JOIN'];

/**
 * The tables of a query and its subqueries. They can only follow FROM, JOIN, TABLE, and the commas and parentheses
 * after those; the result may include columns but never misses a table.
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

/** Applies one token to its group. */
function step(group: Group, tokens: readonly Token[], at: number): void {
  const token = tokens[at];
  if (isWord(token, 'SELECT')) group.hasSelect = true;
  if (isOperator(token, ';') || ENDS.some((word) => isWord(token, word))) group.zone = 'none';
  // FROM also occurs in EXTRACT(), TRIM() and SUBSTRING(), and after FETCH.
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

/** A call (JSON_TABLE) is not a table. A leading point before the name means the current database. */
function isTableName(tokens: readonly Token[], at: number): boolean {
  const token = tokens[at];
  return isName(token) && !NO_TABLES.some((word) => isWord(token, word)) && !isOperator(tokens[at + 1], '(');
}

/** Every name in a statement, alone and with the one before its point: some of them are tables. */
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
