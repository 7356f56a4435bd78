import { AppError } from '@devdb/shared/errors';
import type { Caps, Judgement, ReadOutcome } from '../engine.ts';
import { type MssqlStatement, plainStatement } from './bindings.ts';
import { classifyBound } from './classify.ts';
import type { Completed, Receiver, ServerConnection } from './connection.ts';
import type { Database } from './database.ts';
import { explainFailure } from './explain-failure.ts';
import { ConnectionLost } from './failures.ts';
import { endGuarded } from './guard.ts';
import { CappedResult } from './result.ts';

/** Judges a statement, and refuses in words what must never run. */
export function judgeOrRefuse(sql: string): Exclude<Judgement, { effect: 'refused' }> {
  return judgeBoundOrRefuse(plainStatement(sql));
}

/** The same for a statement with values beside it. */
export function judgeBoundOrRefuse(statement: MssqlStatement): Exclude<Judgement, { effect: 'refused' }> {
  const judged = classifyBound(statement);
  if (judged.effect === 'refused') throw new AppError('E_SQL', judged.reason, { details: { refused: true } });
  return judged;
}

/** Sends a statement as one batch, or by sp_executesql where values go beside it. */
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
  statement: MssqlStatement,
  caps: Caps,
  signal: AbortSignal,
): Promise<ReadOutcome> {
  const { effect, verb } = judgeBoundOrRefuse(statement);
  if (effect === 'write') return { kind: 'is-write', verb };
  return explainFailure(database, statement, signal, () =>
    database.guarded(signal, async (connection, progress): Promise<ReadOutcome> => {
      progress.reached = 'read';
      const result = new CappedResult(caps, () => connection.cancel());
      await runUntilFull(connection, statement, result);
      const messages = connection.takeMessages();
      // A server that does not confirm the stop in time loses the connection, and with it the transaction.
      if (!connection.isBroken) await endGuarded(connection);
      return { kind: 'rows', rows: result.finish(messages) };
    }),
  );
}

/** The stop at a cap ends the statement with an error that is none. */
async function runUntilFull(
  connection: ServerConnection,
  statement: MssqlStatement,
  result: CappedResult,
): Promise<void> {
  try {
    await runBound(connection, statement, result);
  } catch (error) {
    if (!result.isFull || !(error instanceof ConnectionLost)) throw error;
  }
}

/** Runs a read to its end in the guarded transaction; what it gives goes to the receiver. */
export function runGuarded(
  database: Database,
  sql: string,
  signal: AbortSignal,
  receiverOn: (connection: ServerConnection, fail: (error: unknown) => void) => Receiver,
  setting?: string,
): Promise<void> {
  return explainFailure(database, plainStatement(sql), signal, () =>
    database.guarded(signal, async (connection, progress) => {
      progress.reached = 'read';
      if (setting !== undefined) await connection.run(setting);
      const failed = Promise.withResolvers<never>();
      const receiver = receiverOn(connection, failed.reject);
      await Promise.race([connection.run(sql, receiver), failed.promise]);
      await endGuarded(connection);
    }),
  );
}
