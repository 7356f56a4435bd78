import { AppError } from '@devdb/shared/errors';
import { SERVER_LOCK_TIMEOUT_MS } from '../limits.ts';
import type { RowChanges } from '../row-editing.ts';
import { bindNames } from './bind.ts';
import type { Database } from './database.ts';
import { explainFailure } from './explain-error.ts';
import { assertOpen, begin } from './guard.ts';
import { type ReadyStatement, ready } from './judge.ts';
import { runBound } from './read.ts';
import { commit, ROLLBACK } from './write.ts';

const CHANGES: ReadonlySet<string> = new Set(['INSERT', 'UPDATE', 'DELETE']);

/** Runs changes in one transaction and commits them if each has changed exactly one row. */
export async function changeRows(
  database: Database,
  texts: readonly string[],
  signal: AbortSignal,
): Promise<RowChanges> {
  const statements = texts.map(changeIn);
  return database.acting(signal, SERVER_LOCK_TIMEOUT_MS, async (connection, progress): Promise<RowChanges> => {
    // With XACT_ABORT ON, the first error ends the transaction.
    await begin(connection, 'ON');
    progress.reached = 'uncommitted';
    const counts: number[] = [];
    for (const statement of statements) {
      const run = () => runBound(connection, statement);
      counts.push((await explainFailure(database, statement, signal, run)).count ?? 0);
    }
    connection.takeMessages();
    await assertOpen(connection);
    if (counts.some((count) => count !== 1)) {
      await connection.run(ROLLBACK);
      return { kind: 'rows-differ', counts };
    }
    await commit(connection, progress);
    return { kind: 'done' };
  });
}

function changeIn(text: string): ReadyStatement {
  const statement = ready(bindNames(text, undefined));
  if (statement.effect === 'write' && CHANGES.has(statement.verb)) return statement;
  throw new AppError('E_SQL', 'Only changes of rows run here.', { details: { refused: true } });
}
