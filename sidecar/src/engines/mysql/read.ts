import { AppError } from '@devdb/shared/errors';
import { type BoundStatement, unbound } from '../bound-statement.ts';
import type { Caps, Judgement, ReadOutcome } from '../engine.ts';
import { runBound } from './bindings.ts';
import type { Catalog } from './catalog.ts';
import { judgeBound, usualTokens } from './classify.ts';
import type { Completed, RowReceiver, ServerConnection } from './connection.ts';
import type { Connections } from './connections.ts';
import { failureOf } from './failures.ts';
import { type Call, explainedStatement, verbOf } from './judge.ts';
import { warningsOf } from './messages.ts';
import { CappedResult } from './result.ts';
import { findFunctions } from './routine-catalog.ts';
import { areHarmless, type Routine } from './routines.ts';
import { beginGuarded, beginWrite } from './session-state.ts';
import type { ViewBook } from './views.ts';

/** What the guarded work of a call needs of its session. */
export interface Reading {
  readonly connections: Connections;
  readonly views: ViewBook;
  readonly inCatalog: InCatalog;
}

/** Runs work on the catalogue, on a connection of its own. */
export type InCatalog = <T>(use: (catalog: Catalog) => Promise<T>, signal: AbortSignal) => Promise<T>;

const READ_ONLY_TRANSACTION = 1792;

/** Judges a statement, and looks up the functions and views that decide whether it is a read. */
export async function classify(bound: BoundStatement, reading: Reading, signal: AbortSignal): Promise<Judgement> {
  const { statement } = judgeBound(bound);
  if (statement.effect !== 'read' || (await hidesNothing(bound, reading, signal))) return statement;
  return { effect: 'write', verb: statement.verb };
}

/** Whether the functions and views of a statement do nothing but read, as far as this user may see them. */
export async function hidesNothing(bound: BoundStatement, reading: Reading, signal: AbortSignal): Promise<boolean> {
  const { calls } = judgeBound(bound);
  const names = reading.views.unknownNames(usualTokens(bound.text));
  if (calls.length === 0 && names.length === 0) return true;
  return reading.inCatalog(async (catalog) => {
    const find = (open: readonly Call[]): Promise<readonly Routine[]> => findFunctions(open, catalog);
    return (await areHarmless(calls, find)) && (await reading.views.areHarmless(names, catalog, find));
  }, signal);
}

/** The same, with an error for what must never run. */
export function classifyOrRefuse(sql: string, reading: Reading, signal: AbortSignal): Promise<Judgement> {
  return classifyBoundOrRefuse(unbound(sql), reading, signal);
}

async function classifyBoundOrRefuse(bound: BoundStatement, reading: Reading, signal: AbortSignal): Promise<Judgement> {
  const statement = await classify(bound, reading, signal);
  if (statement.effect !== 'refused') return statement;
  throw new AppError('E_SQL', statement.reason, { details: { refused: true } });
}

/** A read under guard and caps. At a cap the statement is stopped on the server, and the answer does not wait for that. */
export async function read(
  bound: BoundStatement,
  caps: Caps,
  reading: Reading,
  signal: AbortSignal,
): Promise<ReadOutcome> {
  const { connections } = reading;
  const statement = await classifyBoundOrRefuse(bound, reading, signal);
  const isWrite = { kind: 'is-write', verb: statement.verb } as const;
  if (statement.effect === 'write') return isWrite;
  return connections.use(signal, async (connection, progress) => {
    await begin(bound.text, connection, caps.rows);
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
