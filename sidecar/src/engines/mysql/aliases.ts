import { isOperator } from '../operators.ts';
import { isName, isWord, type Token } from './tokenize.ts';

/** A table that a statement names, and its alias there. */
export interface NamedTable {
  readonly schema: string | undefined;
  readonly name: string;
  readonly alias: string;
}

const BEFORE_TABLE = ['FROM', 'JOIN', 'UPDATE', 'INTO', 'TABLE', 'STRAIGHT_JOIN', 'LOW_PRIORITY', 'IGNORE'];
const NO_ALIAS = new Set(
  `CROSS DELETE EXCEPT FOR FORCE FULL GROUP HAVING IGNORE INNER INTERSECT JOIN LEFT LIMIT NATURAL ON ORDER PARTITION RIGHT
   SELECT SET STRAIGHT_JOIN UNION USE USING VALUES WHERE WINDOW WITH`.split(/\s+/),
);

/** Names in the position of tables; some are common table expressions, which the catalogue does not contain. */
export function namedTables(tokens: readonly Token[]): NamedTable[] {
  return tokens.flatMap((_, at) => {
    const before = tokens[at - 1];
    const opens =
      BEFORE_TABLE.some((word) => isWord(before, word)) || isOperator(before, ',') || isOperator(before, '(');
    return opens ? tableAt(tokens, at) : [];
  });
}

function tableAt(tokens: readonly Token[], at: number): NamedTable[] {
  const first = tokens[at];
  if (!isName(first)) return [];
  const second = tokens[at + 2];
  const qualified = isOperator(tokens[at + 1], '.') && isName(second);
  const name = qualified ? second.value : first.value;
  const behind = at + (qualified ? 3 : 1);
  const alias = tokens[isWord(tokens[behind], 'AS') ? behind + 1 : behind];
  const hasAlias = isName(alias) && !(alias.kind === 'word' && NO_ALIAS.has(alias.text.toUpperCase()));
  return [{ schema: qualified ? first.value : undefined, name, alias: hasAlias ? alias.value : name }];
}
