import { AppError } from '@devdb/shared/errors';
import type { RowChanges } from '../row-editing.ts';
import { plainStatement } from './bind.ts';
import type { Database } from './database.ts';
import { beginWrite } from './guard.ts';
import { type ReadyStatement, ready } from './judge.ts';
import { loadGrammar } from './sql-tree.ts';
import { commit, countOf, runStatement } from './write.ts';

const CHANGES: ReadonlySet<string> = new Set(['InsertStmt', 'UpdateStmt', 'DeleteStmt']);

/** Runs changes in one transaction and commits them if each has changed exactly one row. */
export async function changeRows(
  { connections }: Database,
  texts: readonly string[],
  signal: AbortSignal,
): Promise<RowChanges> {
  await loadGrammar();
  const statements = texts.map(changeIn);
  return connections.use(signal, async (connection, progress): Promise<RowChanges> => {
    if (statements.some(({ names }) => names.calls.length > 0)) connection.markSpent();
    await beginWrite(connection);
    progress.reached = 'uncommitted';
    const counts: number[] = [];
    for (const statement of statements) counts.push(countOf(await runStatement(connection, statement, {})) ?? 0);
    connection.takeNotices();
    if (counts.some((count) => count !== 1)) {
      await connection.run('ROLLBACK', 'script');
      return { kind: 'rows-differ', counts };
    }
    progress.reached = 'maybe-committed';
    progress.committing = true;
    await commit(connection, plainStatement('COMMIT'));
    progress.committing = false;
    return { kind: 'done' };
  });
}

function changeIn(text: string): ReadyStatement {
  const statement = ready(plainStatement(text));
  if (statement.effect === 'write' && CHANGES.has(statement.node?.name ?? '')) return statement;
  throw new AppError('E_SQL', 'Only changes of rows run here.', { details: { refused: true } });
}
