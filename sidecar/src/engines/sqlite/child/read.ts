import { msSince } from '@devdb/shared/elapsed';
import { AppError } from '@devdb/shared/errors';
import type { Explanation } from '@devdb/shared/plans';
import type { Caps } from '../../engine.ts';
import type { Db } from '../catalog.ts';
import { withIndexAdvice } from '../index-advice.ts';
import { classify } from '../judge.ts';
import type { Bound } from '../messages.ts';
import { explain } from '../plan.ts';
import { isWriteRefusal } from './driver-error.ts';
import { CappedRows, type Prepared, prepare, rawRows } from './rows.ts';
import type { RowsReply } from './rows-reply.ts';

export type GuardedStatement =
  | { readonly kind: 'read'; readonly statement: Prepared }
  | { readonly kind: 'is-write'; readonly verb: string };

/** Prepares a statement that both we and SQLite consider a read. Throws for one that must never run. */
export function prepareRead(db: Db, bound: Bound): GuardedStatement {
  const judged = classify(bound.sql, bound.params);
  if (judged.effect === 'refused') throw new AppError('E_SQL', judged.reason, { details: { refused: true } });
  const isWrite = { kind: 'is-write', verb: judged.verb } as const;
  if (judged.effect === 'write') return isWrite;
  const statement = prepare(db, bound);
  // For SQLite the EXPLAIN of a write is a write, although it runs nothing; so is the query for the journal mode, which
  // only reports it.
  const runsNothing = judged.verb === 'EXPLAIN' || judged.verb === 'PRAGMA';
  return statement.reader && (statement.readonly || runsNothing) ? { kind: 'read', statement } : isWrite;
}

/** Compiles a statement without running it. Throws SQLite's error, or the reason why it must never run. */
export function compiles(db: Db, bound: Bound): true {
  const judged = classify(bound.sql, bound.params);
  if (judged.effect === 'refused') throw new AppError('E_SQL', judged.reason, { details: { refused: true } });
  // Some PRAGMAs take effect when they are compiled.
  if (judged.effect === 'read' || judged.verb !== 'PRAGMA') prepare(db, bound);
  return true;
}

/**
 * A read under caps: the frame with its rows, or JSON with the reason why there are none. Stops at the first row over a
 * cap.
 */
export function readRows(db: Db, bound: Bound & { readonly caps: Caps }, reply: RowsReply): Buffer | string {
  const guarded = prepareRead(db, bound);
  if (guarded.kind === 'is-write') return JSON.stringify(guarded);
  const rows = new CappedRows(guarded.statement, bound.caps, reply);
  try {
    for (const row of rawRows(guarded.statement)) if (!rows.add(row)) break;
  } catch (error) {
    if (!isWriteRefusal(error)) throw error;
    return JSON.stringify({ kind: 'is-write', verb: classify(bound.sql, bound.params).verb });
  }
  return rows.frame();
}

/** The plan of any statement; `analyze` executes a read and counts its rows, but never executes a write. */
export function explainStatement(db: Db, sql: string, analyze: boolean, openScratch: () => Db): Explanation {
  const judged = classify(sql);
  if (judged.effect === 'refused') throw new AppError('E_SQL', judged.reason, { details: { refused: true } });
  const { plan: steps, flags, source } = explain(db, sql);
  const plan = { plan: steps, source, flags: [...withIndexAdvice(db, openScratch, sql, flags)] };
  const guarded = analyze ? prepareRead(db, { sql }) : undefined;
  if (guarded?.kind !== 'read') return { ...plan, analyzed: false };
  const start = performance.now();
  let count = 0;
  for (const _row of rawRows(guarded.statement)) count += 1;
  return { ...plan, analyzed: true, measured: { rows: count, durationMs: msSince(start) } };
}
