import { AppError } from '@devdb/shared/errors';
import type { Caps, WritePreview } from '../../engine.ts';
import type { Db } from '../catalog.ts';
import { classify, plainChange } from '../judge.ts';
import type { Bound, Request } from '../messages.ts';
import { CappedRows, type Prepared, prepare, rawRows } from './rows.ts';
import type { RowsReply } from './rows-reply.ts';

/** These end or forbid a transaction, or are ignored inside one. */
const OUTSIDE_TRANSACTIONS = new Set(['VACUUM', 'PRAGMA']);
const COUNTED = new Set(['INSERT', 'UPDATE', 'DELETE', 'REPLACE', 'WITH']);

/**
 * Runs one write and commits it, unless it changes a different number of rows than expected: the frame with what it
 * returns, or JSON with the reason why nothing was changed.
 */
export function runAndCommit(
  db: Db,
  request: Omit<Extract<Request, { op: 'write' }>, 'op'>,
  reply: RowsReply,
  beforeCommit: () => void,
): Buffer | string {
  const { caps, expectedRows } = request;
  const verb = verbOfWrite(request);
  const run = () => runWrite(db, request, verb, (statement) => allRows(statement, caps, reply));
  if (OUTSIDE_TRANSACTIONS.has(verb)) return doneFrame(run(), reply);
  db.exec('BEGIN IMMEDIATE');
  try {
    const done = run();
    if (expectedRows !== undefined && done.affectedRows !== expectedRows) {
      db.exec('ROLLBACK');
      return JSON.stringify({ kind: 'count-differs', affectedRows: done.affectedRows ?? 0 });
    }
    // It waits for readers, and the statement may have taken most of the call's time.
    beforeCommit();
    db.exec('COMMIT');
    return doneFrame(done, reply);
  } finally {
    // A failed statement may itself have ended the transaction.
    if (db.inTransaction) db.exec('ROLLBACK');
  }
}

interface Done {
  readonly rows: CappedRows | undefined;
  readonly affectedRows: number | undefined;
}

function runWrite(db: Db, bound: Bound, verb: string, read: (statement: Prepared) => CappedRows): Done {
  const statement = prepare(db, bound);
  const before = totalChanges(db);
  const rows = statement.reader ? read(statement) : undefined;
  if (!statement.reader) statement.run();
  const changed = totalChanges(db) !== before;
  // DDL does not reset the last count, so it is reported only if the statement has changed something.
  const affectedRows = changed ? lastChanges(db) : COUNTED.has(verb) ? 0 : undefined;
  return { rows, affectedRows };
}

/** Steps through all rows, even those over the caps: the change is complete only after the last one. */
function allRows(statement: Prepared, caps: Caps, reply: RowsReply): CappedRows {
  const rows = new CappedRows(statement, caps, reply);
  for (const row of rawRows(statement)) rows.add(row);
  return rows;
}

function doneFrame({ rows, affectedRows }: Done, reply: RowsReply): Buffer {
  const extra = affectedRows === undefined ? {} : { affectedRows };
  return rows === undefined ? reply.withoutRows(extra) : rows.frame(extra);
}

function verbOfWrite({ sql, params }: Bound): string {
  const judged = classify(sql, params);
  if (judged.effect === 'refused') throw new AppError('E_SQL', judged.reason, { details: { refused: true } });
  return judged.verb;
}

/** What a plain change of an ordinary table would change, from a dry run that is rolled back. */
export function dryRun(db: Db, bound: Bound): WritePreview | undefined {
  const change = plainChange(bound.sql, bound.params);
  if (change === undefined) return undefined;
  db.exec('BEGIN IMMEDIATE');
  try {
    if (!isOrdinary(db, change.table)) return undefined;
    const statement = prepare(db, bound);
    const before = totalChanges(db);
    if (statement.reader) for (const _row of rawRows(statement));
    else statement.run();
    const affectedRows = lastChanges(db);
    return { affectedRows, estimate: besides(totalChanges(db) - before - affectedRows, change.replaces) };
  } finally {
    if (db.inTransaction) db.exec('ROLLBACK');
  }
}

/** Changes the count leaves out: rows of other tables, and rows replaced by new ones. */
function besides(others: number, replaces: boolean): string | undefined {
  const facts = [
    ...(others > 0 ? [`Through foreign keys it changes ${others} ${others === 1 ? 'row' : 'rows'} more.`] : []),
    ...(replaces ? ['Rows that conflict with the new ones are deleted.'] : []),
  ];
  return facts.length === 0 ? undefined : facts.join(' ');
}

/** An ordinary table without triggers, where a change can be rolled back without a trace. */
function isOrdinary(db: Db, table: string): boolean {
  const ordinary = db
    .prepare<[string, string], number>(
      `SELECT (SELECT count(*) FROM pragma_table_list(?) WHERE schema = 'main' AND type = 'table')
        - (SELECT count(*) FROM main.sqlite_schema WHERE type = 'trigger' AND tbl_name = ? COLLATE NOCASE)`,
    )
    .pluck()
    .get(table, table);
  return ordinary === 1;
}

/** The description of a write without a dry run. Compiles it, so that a mistake shows before anybody is asked. */
export function describeWrite(db: Db, bound: Bound): WritePreview {
  const verb = verbOfWrite(bound);
  // Preparing a PRAGMA may run it.
  if (verb === 'PRAGMA') return estimated('A PRAGMA that changes a setting of the database.');
  if (!COUNTED.has(verb)) {
    prepare(db, bound);
    return estimated(`${verb} changes the database as a whole, not rows.`);
  }
  const explained = prepare(db, { ...bound, sql: `EXPLAIN QUERY PLAN ${bound.sql}` });
  const steps = [...rawRows(explained)].map((row) => String(row.at(-1)));
  const plan = steps.length === 0 ? '' : ` Plan: ${steps.slice(0, MAX_PLAN_STEPS).join('; ')}.`;
  return estimated(`How many rows it changes is not known until it runs.${plan}`);
}

const MAX_PLAN_STEPS = 8;

function estimated(estimate: string): WritePreview {
  return { affectedRows: undefined, estimate };
}

function totalChanges(db: Db): number {
  return numberOf(db, 'SELECT total_changes()');
}

/** How many rows the last change has changed, without those of its triggers. */
export function lastChanges(db: Db): number {
  return numberOf(db, 'SELECT changes()');
}

function numberOf(db: Db, sql: string): number {
  const value = db.prepare(sql).pluck().get();
  if (typeof value !== 'number') throw new Error('SQLite reported no change count.');
  return value;
}
