import type { Caps, ReadOutcome } from '../engine.ts';
import type { MssqlStatement } from './bind.ts';
import type { Completed, Receiver, ServerConnection } from './connection.ts';
import type { Database } from './database.ts';
import { ConnectionLost } from './errors.ts';
import { explainFailure } from './explain-error.ts';
import { rollBack } from './guard.ts';
import type { ReadyStatement } from './judge.ts';
import { BeyondReading } from './reach.ts';
import { CappedResult } from './result.ts';

/** Sends a statement as one batch, or by sp_executesql if it has bound values. */
export function runBound(
  connection: ServerConnection,
  { text, parameters }: MssqlStatement,
  receiver?: Receiver,
): Promise<Completed> {
  return parameters.length === 0 ? connection.run(text, receiver) : connection.runWith(text, parameters, receiver);
}

/** A read under guard and caps. At a cap the statement is stopped on the server. */
export async function read(
  database: Database,
  statement: ReadyStatement,
  caps: Caps,
  signal: AbortSignal,
): Promise<ReadOutcome> {
  const { effect, verb } = statement;
  if (effect === 'write') return { kind: 'is-write', verb };
  try {
    return await explainFailure(database, statement, signal, () => readGuarded(database, statement, caps, signal));
  } catch (error) {
    if (error instanceof BeyondReading) return { kind: 'is-write', verb };
    throw error;
  }
}

function readGuarded(
  database: Database,
  statement: MssqlStatement,
  caps: Caps,
  signal: AbortSignal,
): Promise<ReadOutcome> {
  return database.guarded(signal, statement.text, async (connection, progress) => {
    progress.reached = 'read';
    const result = new CappedResult(caps, () => connection.cancel());
    const isEnded = await runUntilFull(connection, statement, result);
    const messages = connection.takeMessages();
    // A statement that keeps running holds its transaction; the pool watches it and keeps its place until it is gone.
    if (isEnded) await rollBack(connection);
    else messages.unshift(STILL_RUNS);
    return { kind: 'rows', rows: result.finish(messages) };
  });
}

const STILL_RUNS =
  'The server was told to stop the statement at the row limit and has not confirmed it yet: it may still be running.';

/** Whether the statement is over: the stop at a cap ends it with an error that is not one, or not in time. */
async function runUntilFull(
  connection: ServerConnection,
  statement: MssqlStatement,
  result: CappedResult,
): Promise<boolean> {
  const running = runBound(connection, statement, result).then(
    () => true,
    (error: unknown) => {
      if (!result.isFull || !(error instanceof ConnectionLost)) throw error;
      return !connection.isBroken;
    },
  );
  return Promise.race([running, connection.stopIsLate.then(() => false)]);
}

/** Runs a read to its end in the guarded transaction; its results go to the receiver. */
export function runGuarded(
  database: Database,
  statement: MssqlStatement,
  signal: AbortSignal,
  receiverOn: (connection: ServerConnection, fail: (error: unknown) => void) => Receiver,
  setting?: string,
): Promise<void> {
  return explainFailure(database, statement, signal, () =>
    database.guarded(signal, statement.text, async (connection, progress) => {
      progress.reached = 'read';
      if (setting !== undefined) await connection.run(setting);
      const failed = Promise.withResolvers<never>();
      const receiver = receiverOn(connection, failed.reject);
      await Promise.race([runBound(connection, statement, receiver), failed.promise]);
      await rollBack(connection);
    }),
  );
}
