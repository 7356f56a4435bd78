import type { ShownTable } from '../row-editing.ts';
import { isRecord, loadGrammar, nodesBelow, parseSql, type TreeNode } from './sql-tree.ts';

/** They make other rows of the table's. */
const CHANGE_ROWS = [
  'distinctClause',
  'groupClause',
  'havingClause',
  'windowClause',
  'withClause',
  'intoClause',
  'lockingClause',
  'valuesLists',
  'larg',
] as const;

/** The table that a SELECT shows, by the server's own grammar. */
export async function tableIn(sql: string): Promise<ShownTable | undefined> {
  await loadGrammar();
  const parsed = parseSql(sql);
  const [select, second] = parsed.ok ? parsed.statements : [];
  if (select?.name !== 'SelectStmt' || second !== undefined) return undefined;
  const { fields } = select;
  if (CHANGE_ROWS.some((clause) => fields[clause] !== undefined)) return undefined;
  const [from, other] = nodeList(fields['fromClause']);
  if (from?.name !== 'RangeVar' || other !== undefined) return undefined;
  const name = [from.fields['schemaname'], from.fields['relname']].filter((part) => typeof part === 'string');
  const columns = columnsIn(nodeList(fields['targetList']));
  return columns === undefined ? undefined : { name, columns: columns === 'all' ? undefined : columns };
}

function columnsIn(targets: readonly TreeNode[]): readonly string[] | 'all' | undefined {
  const names = targets.map(({ fields }) => {
    const [value] = nodeList([fields['val']]);
    const parts = value?.name === 'ColumnRef' ? nodeList(value.fields['fields']) : [];
    const last = parts[parts.length - 1];
    return last?.name === 'A_Star' ? '*' : last?.fields['sval'];
  });
  if (names.length === 1 && isAll(targets)) return 'all';
  const columns = names.filter((name) => typeof name === 'string');
  return columns.length === names.length && columns.length > 0 && !hasStar(targets) ? columns : undefined;
}

function isAll(targets: readonly TreeNode[]): boolean {
  return (
    hasStar(targets) && ![...nodesBelow(targets.map(({ fields }) => fields))].some(({ name }) => name === 'FuncCall')
  );
}

function hasStar(targets: readonly TreeNode[]): boolean {
  return [...nodesBelow(targets.map(({ fields }) => fields))].some(({ name }) => name === 'A_Star');
}

/** The nodes of a list, without those below them. */
function nodeList(list: unknown): TreeNode[] {
  if (!Array.isArray(list)) return [];
  return list.flatMap((item) =>
    isRecord(item)
      ? Object.entries(item).flatMap(([name, fields]) => (isRecord(fields) ? [{ name, fields }] : []))
      : [],
  );
}
