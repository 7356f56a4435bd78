import type { BoundStatement } from '../bound-statement.ts';
import type { Caps, JudgedStatement, ReadOutcome } from '../engine.ts';
import { runBound } from './bind.ts';
import type { Catalog } from './catalog.ts';
import type { Completed, RowReceiver, ServerConnection } from './connection.ts';
import { failureOf } from './errors.ts';
import { type Finding, inspect } from './inspection.ts';
import type { ReadyStatement } from './judge.ts';
import { explainedStatement, type Named, verbOf } from './judge-tokens.ts';
import { warningsOf } from './messages.ts';
import type { Connections } from './pool.ts';
import { CappedResult } from './result.ts';
import { ServerObjects } from './server-objects.ts';
import { beginGuarded, beginWrite } from './session-state.ts';

/** What guarded work needs from its session. */
export interface Reading {
  readonly connections: Connections;
  readonly recent: RecentReads;
  readonly inCatalog: InCatalog;
}

/** Runs work on the catalogue, on a separate connection. */
export type InCatalog = <T>(use: (catalog: Catalog) => Promise<T>, signal: AbortSignal) => Promise<T>;

const READ_ONLY_TRANSACTION = 1792;

/**
 * Looks up the functions and views that decide whether a statement is a read. This is said in advance: whatever runs is
 * looked up again on the connection that runs it, in the same transaction.
 */
export async function effectOf(
  statement: ReadyStatement,
  { connections, recent }: Reading,
  signal: AbortSignal,
): Promise<JudgedStatement['effect']> {
  if (statement.effect !== 'read' || recent.has(statement)) return statement.effect;
  const finding = await connections.use(signal, async (connection) => {
    await beginGuarded(connection);
    return findingOf(statement, connection);
  });
  if (finding !== 'harmless') return 'write';
  recent.add(statement);
  return 'read';
}

/** What is behind a statement's names, determined on the connection and in the transaction that will run it. */
export function findingOf(named: Named, connection: ServerConnection): Promise<Finding> {
  return inspect(named, new ServerObjects(connection), connection.version);
}

const MOST_RECENT = 1_000;

/** Names that only led to reads a moment ago. Saves a lookup where the result is verified again anyway. */
export class RecentReads {
  readonly #keys = new Set<string>();

  has({ calls, tables }: Named): boolean {
    return (calls.length === 0 && tables.length === 0) || this.#keys.has(JSON.stringify([calls, tables]));
  }

  add({ calls, tables }: Named): void {
    if (this.#keys.size >= MOST_RECENT) this.#keys.clear();
    this.#keys.add(JSON.stringify([calls, tables]));
  }

  remove({ calls, tables }: Named): void {
    this.#keys.delete(JSON.stringify([calls, tables]));
  }
}

/** A read under guard and caps. At a cap the statement is stopped on the server; the answer does not wait for that. */
export async function read(
  statement: ReadyStatement,
  caps: Caps,
  reading: Reading,
  signal: AbortSignal,
): Promise<ReadOutcome> {
  const { connections } = reading;
  const isWrite = { kind: 'is-write', verb: statement.verb } as const;
  if (statement.effect === 'write') return isWrite;
  return connections.use(signal, async (connection, progress) => {
    await begin(statement, connection, caps.rows);
    if (!(await isHarmless(statement, connection, reading))) return isWrite;
    progress.reached = 'read';
    const overrun = Promise.withResolvers<'overrun'>();
    const result = new CappedResult(caps, () => overrun.resolve('overrun'));
    const running = runRead(connection, statement, result);
    const ended = await Promise.race([running, overrun.promise]);
    if (ended === 'is-write') return isWrite;
    if (ended !== 'overrun') return { kind: 'rows', rows: result.finish({}, await warningsOf(connection)) };
    connections.discard(connection);
    await Promise.allSettled([running]);
    return { kind: 'rows', rows: result.finish({}, []) };
  });
}

/** Whether a statement that reads may run on this connection now. */
export async function isHarmless(named: Named, connection: ServerConnection, reading: Reading): Promise<boolean> {
  if ((await findingOf(named, connection)) === 'harmless') return true;
  reading.recent.remove(named);
  return false;
}

/**
 * Opens the guarded state. The server treats EXPLAIN of a change as the change and refuses it there; since it runs
 * nothing, it gets a transaction that is rolled back instead.
 */
export async function begin(
  { tokens }: ReadyStatement,
  connection: ServerConnection,
  mostRows?: number,
): Promise<void> {
  const explained = explainedStatement(tokens);
  const ofChange = explained !== undefined && !explained.analyze && CHANGES.has(verbOf(explained.rest));
  if (ofChange) await beginWrite(connection, 'dry-run');
  else await beginGuarded(connection, mostRows);
}

const CHANGES = new Set(['INSERT', 'UPDATE', 'DELETE', 'REPLACE']);

/** Runs a read in the guarded state; `is-write` when the server refuses it as a write. */
export async function runRead(
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
