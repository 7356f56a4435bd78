import { AppError } from '@devdb/shared/errors';
import { throwIfAborted } from '../abort-reason.ts';
import type { Caps, ReadOutcome } from '../engine.ts';
import type { Progress } from '../server-pool.ts';
import { boundError, type PostgresStatement } from './bind.ts';
import type { ServerConnection } from './connection.ts';
import type { Database } from './database.ts';
import { failureOf, isAboutStatement } from './errors.ts';
import { LEAVES_A_MARK } from './functions.ts';
import { beginGuarded, GUARDED_OPENING } from './guard.ts';
import type { ReadyStatement } from './judge.ts';
import { runAsJudged, touchesNothing } from './judged-run.ts';
import type { ReachBook } from './reach.ts';
import { CappedResult } from './result.ts';
import type { Before, RowReceiver } from './wire/statement-run.ts';

/** A read under guard and caps. At a cap the statement is stopped on the server; the answer does not wait for that. */
export async function read(
  { connections, types, reach }: Database,
  statement: ReadyStatement,
  caps: Caps,
  signal: AbortSignal,
): Promise<ReadOutcome> {
  if (statement.effect === 'write') return { kind: 'is-write', verb: statement.verb };
  const full = new AbortController();
  const result = new CappedResult(caps, () => full.abort());
  let messages: string[] = [];
  const done = await untilFull(full.signal, signal, (both) =>
    connections.use(both, async (connection, progress) => {
      const outcome = await runRead(connection, reach, statement, result, progress);
      messages = connection.takeNotices();
      return outcome;
    }),
  );
  if (done === 'is-write') return { kind: 'is-write', verb: statement.verb };
  const columns = await types.columns(result.fields, connections, signal);
  return { kind: 'rows', rows: result.finish(columns, messages.length === 0 ? {} : { messages }) };
}

/** `full` ends the work as a cancel does, but is not a failure. */
async function untilFull<T>(
  full: AbortSignal,
  signal: AbortSignal,
  work: (both: AbortSignal) => Promise<T>,
): Promise<T | 'full'> {
  try {
    return await work(AbortSignal.any([signal, full]));
  } catch (error) {
    // When cancelled statements kept the call from getting a connection, the pool's error says more than the signal's
    // reason.
    const isToldBetter = error instanceof AppError && error.details?.['stillRunning'] !== undefined;
    if (!isToldBetter) throwIfAborted(signal);
    if (full.aborted && error === full.reason) return 'full';
    throw error;
  }
}

/**
 * Runs a read under guard; `is-write` when it touches something that may change data, or Postgres refuses it as a
 * write.
 */
export async function runRead(
  connection: ServerConnection,
  book: ReachBook,
  statement: ReadyStatement,
  receiver: RowReceiver,
  progress: Progress,
): Promise<'read' | 'is-write'> {
  if (statement.names.calls.some(({ name }) => LEAVES_A_MARK.has(name))) connection.markSpent();
  const outcome = await runAsJudged(connection, book, {
    statement,
    begin: beginGuarded,
    opening: GUARDED_OPENING,
    isFine: touchesNothing,
    run: (settled, before) => {
      const opened = (): void => {
        progress.reached = 'read';
      };
      return runGuarded(connection, settled, receiver, { ...before, opened });
    },
  });
  return typeof outcome === 'string' ? outcome : 'is-write';
}

/** Runs a statement in the guarded transaction; `is-write` when Postgres refuses it as a write. */
export async function runGuarded(
  connection: ServerConnection,
  statement: PostgresStatement,
  receiver: RowReceiver,
  before: Before,
  prefix = '',
): Promise<'read' | 'is-write'> {
  try {
    await connection.run(prefix + statement.text, 'statement', receiver, statement.parameters, before);
    return 'read';
  } catch (error) {
    if (!isAboutStatement(error)) throw error;
    if (failureOf(error).code === READ_ONLY_TRANSACTION) return 'is-write';
    throw boundError(error, statement, prefix);
  }
}

const READ_ONLY_TRANSACTION = '25006';
