import { bindNames } from './bind.ts';
import { explainedBy, type ReadyStatement } from './judge.ts';
import { behindByte, wordsOf } from './sql-tree.ts';

/** The statement behind an EXPLAIN of its own. It is judged by the tree that is there already. */
export function behindExplain(statement: ReadyStatement): ReadyStatement {
  const { node, written, params } = statement;
  if (node?.name !== 'ExplainStmt') return statement;
  // Values cannot stand in front of it: what is bound anew has the same ones in the same order.
  return explainedBy(statement, bindNames(withoutExplain(written), params));
}

function withoutExplain(sql: string): string {
  const words = wordsOf(sql);
  let at = 1;
  if (words[at]?.text === '(') {
    let depth = 0;
    do {
      if (words[at]?.text === '(') depth += 1;
      if (words[at]?.text === ')') depth -= 1;
      at += 1;
    } while (depth > 0 && at < words.length);
  } else {
    while (/^(analy[sz]e|verbose)$/i.test(words[at]?.text ?? '')) at += 1;
  }
  return behindByte(sql, words[at]?.start ?? 0);
}
