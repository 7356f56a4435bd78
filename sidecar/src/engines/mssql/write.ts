import type { Caps, WriteOutcome } from '../engine.ts';
import { SERVER_LOCK_TIMEOUT_MS } from '../limits.ts';
import type { Progress } from '../server-pool.ts';
import type { MssqlStatement } from './bind.ts';
import type { Completed, Receiver, ServerConnection } from './connection.ts';
import type { Database } from './database.ts';
import { explainFailure } from './explain-error.ts';
import { assertOpen, begin } from './guard.ts';
import type { ReadyStatement } from './judge.ts';
import { runBound } from './read.ts';
import { CappedResult } from './result.ts';

/** Statements that the server refuses inside a transaction, and procedures, which may begin and end their own. */
const BARE = /^(?:(?:CREATE|ALTER|DROP) (?:DATABASE|FULLTEXT|ENDPOINT|AVAILABILITY)|EXEC$)/;
/** For these the row count means changed rows. */
const COUNTED: ReadonlySet<string> = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE', 'SELECT']);

/** Runs a write once, and commits it if it changed as many rows as agreed. */
export function write(
  database: Database,
  statement: ReadyStatement,
  caps: Caps,
  expectedRows: number | undefined,
  signal: AbortSignal,
): Promise<WriteOutcome> {
  const { verb } = statement;
  return explainFailure(database, statement, signal, () =>
    database.acting(signal, SERVER_LOCK_TIMEOUT_MS, async (connection, progress): Promise<WriteOutcome> => {
      const result = new CappedResult(caps, () => undefined);
      const isBare = BARE.test(verb) && expectedRows === undefined;
      const { count } = isBare
        ? await runBare(connection, progress, statement, result)
        : await runInTransaction(connection, progress, statement, result);
      const messages = connection.takeMessages();
      const affectedRows = COUNTED.has(verb) ? (count ?? 0) : undefined;
      if (isBare) return { kind: 'done', rows: result.finish(messages, affectedRows) };
      await assertOpen(connection);
      if (expectedRows !== undefined && affectedRows !== expectedRows) {
        await connection.run(ROLLBACK);
        return { kind: 'count-differs', affectedRows: affectedRows ?? 0 };
      }
      await commit(connection, progress);
      return { kind: 'done', rows: result.finish(messages, affectedRows) };
    }),
  );
}

/** Also where an error has ended the transaction already. */
export const ROLLBACK = 'IF @@TRANCOUNT > 0 ROLLBACK TRANSACTION';

function runBare(
  connection: ServerConnection,
  progress: Progress,
  statement: MssqlStatement,
  receiver: Receiver,
): Promise<Completed> {
  progress.reached = 'maybe-committed';
  return runBound(connection, statement, receiver);
}

async function runInTransaction(
  connection: ServerConnection,
  progress: Progress,
  statement: MssqlStatement,
  receiver: Receiver,
): Promise<Completed> {
  // With XACT_ABORT ON, the first error ends the transaction.
  await begin(connection, 'ON');
  progress.reached = 'uncommitted';
  return runBound(connection, statement, receiver);
}

/** Commits, and notes that a lost connection leaves the outcome open. */
export async function commit(connection: ServerConnection, progress: Progress): Promise<void> {
  progress.reached = 'maybe-committed';
  progress.committing = true;
  await connection.run('COMMIT TRANSACTION');
  progress.committing = false;
}
