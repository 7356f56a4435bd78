import { AppError } from '@devdb/shared/errors';
import type { RowChanges } from '../../row-editing.ts';
import type { Db } from '../catalog.ts';
import { classify } from '../judge.ts';
import { lastChanges } from './write.ts';

const CHANGES = /^(?:INSERT|UPDATE|DELETE)$/;

/** Runs changes in one transaction and commits them if each has changed exactly one row. */
export function changeRows(db: Db, statements: readonly string[], beforeCommit: () => void): RowChanges {
  for (const sql of statements) assertChange(sql);
  db.exec('BEGIN IMMEDIATE');
  try {
    const counts = statements.map((sql) => {
      db.prepare(sql).run();
      return lastChanges(db);
    });
    if (counts.some((count) => count !== 1)) return { kind: 'rows-differ', counts };
    // It waits for readers, and the statements may have taken most of the call's time.
    beforeCommit();
    db.exec('COMMIT');
    return { kind: 'done' };
  } finally {
    if (db.inTransaction) db.exec('ROLLBACK');
  }
}

/** The last line of defence, as for every other write. */
function assertChange(sql: string): void {
  const judged = classify(sql, undefined);
  if (judged.effect === 'write' && CHANGES.test(judged.verb)) return;
  throw new AppError('E_SQL', 'Only changes of rows run here.', { details: { refused: true } });
}
