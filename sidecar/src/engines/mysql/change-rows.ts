import { AppError } from '@devdb/shared/errors';
import type { RowChanges } from '../row-editing.ts';
import { bindNames } from './bind.ts';
import type { Completed } from './connection.ts';
import { type ReadyStatement, ready } from './judge.ts';
import type { Connections } from './pool.ts';
import { beginStrictWrite } from './session-state.ts';

const CHANGES: ReadonlySet<string> = new Set(['INSERT', 'UPDATE', 'DELETE']);

/** Runs changes in one transaction and commits them if each has changed exactly one row. */
export async function changeRows(
  connections: Connections,
  texts: readonly string[],
  signal: AbortSignal,
): Promise<RowChanges> {
  const statements = texts.map(changeIn);
  return connections.use(signal, async (connection, progress): Promise<RowChanges> => {
    await beginStrictWrite(connection);
    progress.reached = 'maybe-committed';
    const counts: number[] = [];
    for (const { text } of statements) counts.push(rowsOf(await connection.run(text)));
    if (counts.some((count) => count !== 1)) {
      await connection.run('ROLLBACK');
      return { kind: 'rows-differ', counts };
    }
    progress.committing = true;
    await connection.run('COMMIT');
    progress.committing = false;
    return { kind: 'done' };
  });
}

function changeIn(text: string): ReadyStatement {
  const statement = ready(bindNames(text, undefined));
  if (statement.effect === 'write' && CHANGES.has(statement.verb)) return statement;
  throw new AppError('E_SQL', 'Only changes of rows run here.', { details: { refused: true } });
}

/** A row that already has its new values is matched and not changed. */
function rowsOf({ info, affectedRows }: Completed): number {
  const matched = /Rows matched: (\d+)/.exec(info)?.[1];
  return matched === undefined ? (affectedRows ?? 0) : Number(matched);
}
