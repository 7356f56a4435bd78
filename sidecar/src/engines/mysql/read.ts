import { AppError } from '@devdb/shared/errors';
import { type BoundStatement, unbound } from '../bound-statement.ts';
import type { Caps, Judgement, ReadOutcome } from '../engine.ts';
import { runBound } from './bind.ts';
import type { Catalog } from './catalog.ts';
import type { Completed, RowReceiver, ServerConnection } from './connection.ts';
import { failureOf } from './errors.ts';
import { type Finding, inspect } from './inspection.ts';
import { judgeBound, usualTokens } from './judge.ts';
import { explainedStatement, type Judged, verbOf } from './judge-tokens.ts';
import { warningsOf } from './messages.ts';
import type { Connections } from './pool.ts';
import { CappedResult } from './result.ts';
import { ServerObjects } from './server-objects.ts';
import { beginGuarded, beginWrite } from './session-state.ts';

/** What the guarded work of a call needs of its session. */
export interface Reading {
  readonly connections: Connections;
  readonly recent: RecentReads;
  readonly inCatalog: InCatalog;
}

/** Runs work on the catalogue, on a connection of its own. */
export type InCatalog = <T>(use: (catalog: Catalog) => Promise<T>, signal: AbortSignal) => Promise<T>;

const READ_ONLY_TRANSACTION = 1792;

/**
 * Judges a statement, and looks up the functions and views that decide whether it is a read. This is said in advance:
 * whatever runs is looked up again on the connection that runs it, in the same transaction.
 */
export async function classify(bound: BoundStatement, reading: Reading, signal: AbortSignal): Promise<Judgement> {
  const judged = judgeBound(bound);
  const { statement } = judged;
  if (statement.effect !== 'read' || reading.recent.has(judged)) return statement;
  const finding = await reading.connections.use(signal, async (connection) => {
    await beginGuarded(connection);
    return findingOf(judged, connection);
  });
  if (finding !== 'harmless') return { effect: 'write', verb: statement.verb };
  reading.recent.add(judged);
  return statement;
}

/** What stands behind a statement's names, asked on the connection and in the transaction that is to run it. */
export function findingOf(judged: Judged, connection: ServerConnection): Promise<Finding> {
  return inspect(judged, new ServerObjects(connection), connection.version);
}

/** A statement that is judged by its text, with an error for what must never run. */
export function judgedOrRefused(bound: BoundStatement): Judged {
  const judged = judgeBound(bound);
  if (judged.statement.effect !== 'refused') return judged;
  throw new AppError('E_SQL', judged.statement.reason, { details: { refused: true } });
}

const MOST_RECENT = 1_000;

/** Names that a moment ago led to nothing but reads. It saves a look-up where the answer is looked up again anyway. */
export class RecentReads {
  readonly #keys = new Set<string>();

  has({ calls, tables }: Judged): boolean {
    return (calls.length === 0 && tables.length === 0) || this.#keys.has(JSON.stringify([calls, tables]));
  }

  add({ calls, tables }: Judged): void {
    if (this.#keys.size >= MOST_RECENT) this.#keys.clear();
    this.#keys.add(JSON.stringify([calls, tables]));
  }

  remove({ calls, tables }: Judged): void {
    this.#keys.delete(JSON.stringify([calls, tables]));
  }
}

/** A read under guard and caps. At a cap the statement is stopped on the server, and the answer does not wait for that. */
export async function read(
  bound: BoundStatement,
  caps: Caps,
  reading: Reading,
  signal: AbortSignal,
): Promise<ReadOutcome> {
  const { connections } = reading;
  const judged = judgedOrRefused(bound);
  const { statement } = judged;
  const isWrite = { kind: 'is-write', verb: statement.verb } as const;
  if (statement.effect === 'write') return isWrite;
  return connections.use(signal, async (connection, progress) => {
    await begin(bound.text, connection, caps.rows);
    if (!(await isHarmless(judged, connection, reading))) return isWrite;
    progress.reached = 'read';
    const overrun = Promise.withResolvers<'overrun'>();
    const result = new CappedResult(caps, () => overrun.resolve('overrun'));
    const running = runBoundRead(connection, bound, result);
    const ended = await Promise.race([running, overrun.promise]);
    if (ended === 'is-write') return isWrite;
    if (ended !== 'overrun') return { kind: 'rows', rows: result.finish({}, await warningsOf(connection)) };
    connections.discard(connection);
    await Promise.allSettled([running]);
    return { kind: 'rows', rows: result.finish({}, []) };
  });
}

/** Whether a statement that reads may run on this connection now. */
export async function isHarmless(judged: Judged, connection: ServerConnection, reading: Reading): Promise<boolean> {
  if ((await findingOf(judged, connection)) === 'harmless') return true;
  reading.recent.remove(judged);
  return false;
}

/**
 * Opens the guarded state. The server takes EXPLAIN of a change for the change and refuses it there: that runs nothing
 * and is let into a transaction that is rolled back.
 */
export async function begin(sql: string, connection: ServerConnection, mostRows?: number): Promise<void> {
  const explained = explainedStatement(usualTokens(sql));
  const ofChange = explained !== undefined && !explained.analyze && CHANGES.has(verbOf(explained.rest));
  if (ofChange) await beginWrite(connection, 'dry-run');
  else await beginGuarded(connection, mostRows);
}

const CHANGES = new Set(['INSERT', 'UPDATE', 'DELETE', 'REPLACE']);

/** Runs a read in the guarded state; `is-write` when the server refuses it as a write. */
export function runRead(
  connection: ServerConnection,
  sql: string,
  receiver: RowReceiver,
): Promise<Completed | 'is-write'> {
  return runBoundRead(connection, unbound(sql), receiver);
}

async function runBoundRead(
  connection: ServerConnection,
  bound: BoundStatement,
  receiver: RowReceiver,
): Promise<Completed | 'is-write'> {
  try {
    return await runBound(connection, bound, receiver);
  } catch (error) {
    if (failureOf(error).errno === READ_ONLY_TRANSACTION) return 'is-write';
    throw error;
  }
}
