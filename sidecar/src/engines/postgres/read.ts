import { AppError } from '@devdb/shared/errors';
import type { Caps, ReadOutcome } from '../engine.ts';
import { type Judged, judge } from './classify.ts';
import type { ServerConnection } from './connection.ts';
import type { Connections } from './connections.ts';
import { failureOf, isAboutStatement, statementError } from './failures.ts';
import { beginGuarded } from './guard.ts';
import { CappedResult } from './result.ts';
import type { RowReceiver } from './statement-run.ts';
import type { TypeBook } from './type-book.ts';

/** Judges a statement, and refuses in words what must never run. */
export function judgeOrRefuse(sql: string): Judged {
  const judged = judge(sql);
  const { statement } = judged;
  if (statement.effect === 'refused') {
    throw new AppError('E_SQL', statement.reason, { details: { refused: true } });
  }
  return judged;
}

/** A read under guard and caps. At a cap the statement is stopped on the server, and the answer does not wait for that. */
export async function read(
  connections: Connections,
  types: TypeBook,
  sql: string,
  caps: Caps,
  signal: AbortSignal,
): Promise<ReadOutcome> {
  const { statement, functions } = judgeOrRefuse(sql);
  if (statement.effect === 'write') return { kind: 'is-write', verb: statement.verb };
  const full = new AbortController();
  const result = new CappedResult(caps, () => full.abort());
  let messages: string[] = [];
  const done = await untilFull(full.signal, signal, (both) =>
    connections.use(both, async (connection, progress) => {
      const changing = await beginGuarded(connection, functions);
      if (changing.length > 0) return 'is-write';
      progress.reached = 'read';
      const refusal = await runRead(connection, sql, result);
      messages = connection.takeNotices();
      return refusal;
    }),
  );
  if (done === 'is-write') return { kind: 'is-write', verb: statement.verb };
  const columns = await types.columns(result.fields, connections, signal);
  return { kind: 'rows', rows: result.finish(columns, messages.length === 0 ? {} : { messages }) };
}

/** `full` ends the work like a cancel does, but is no failure. */
async function untilFull<T>(
  full: AbortSignal,
  signal: AbortSignal,
  work: (both: AbortSignal) => Promise<T>,
): Promise<T | 'full'> {
  try {
    return await work(AbortSignal.any([signal, full]));
  } catch (error) {
    signal.throwIfAborted();
    if (full.aborted && error === full.reason) return 'full';
    throw error;
  }
}

/** Runs a read in the guarded transaction; `is-write` when Postgres refuses it as a write. */
export async function runRead(
  connection: ServerConnection,
  sql: string,
  receiver: RowReceiver,
  sent: string = sql,
): Promise<'read' | 'is-write'> {
  try {
    await connection.run(sent, 'statement', receiver);
    return 'read';
  } catch (error) {
    if (!isAboutStatement(error)) throw error;
    if (failureOf(error).code === READ_ONLY_TRANSACTION) return 'is-write';
    throw statementError(error, sql, sent);
  }
}

const READ_ONLY_TRANSACTION = '25006';
