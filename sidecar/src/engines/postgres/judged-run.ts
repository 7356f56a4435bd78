import { compile, type PostgresStatement, settle } from './bind.ts';
import type { ServerConnection } from './connection.ts';
import type { NamesUsed } from './names-used.ts';
import { committedNow, type Reach, type ReachBook } from './reach.ts';
import { type Touched, touchedBy } from './touched.ts';
import { CommittedMeanwhile } from './wire/statement-run.ts';

/** What a statement touches, in the database state it was looked up in. */
export interface Looked {
  readonly reach: Reach;
  readonly touched: readonly Touched[];
}

export interface JudgedRun<T> {
  readonly statement: PostgresStatement & { readonly names: NamesUsed };
  /** Opens the transaction, and returns the state of the database. */
  begin(connection: ServerConnection): Promise<string>;
  /** Whether it may run. Called again when anybody has committed. */
  isFine(looked: Looked): boolean | Promise<boolean>;
  /** Our own words before the statement. */
  readonly prefix?: string;
  /** With `wanted` it must only run while the database is in that state. */
  run(settled: PostgresStatement, wanted: string | undefined): Promise<T>;
}

/**
 * Looks up what a statement touches. Needs a transaction in which each statement sees everything committed before it.
 */
export async function look(
  connection: ServerConnection,
  book: ReachBook,
  names: NamesUsed,
  committed: string,
): Promise<Looked> {
  const reach = await book.at(connection, committed);
  return { reach, touched: touchedBy(names, reach) };
}

/**
 * Runs a statement as judged, or returns what it touches. No view can be swapped in between: the statement is compiled,
 * which resolves its names and locks its relations until the transaction ends, and then runs only if no other
 * transaction has committed since the judgement. If one has, it is compiled first and judged under its own locks.
 */
export async function runAsJudged<T>(
  connection: ServerConnection,
  book: ReachBook,
  job: JudgedRun<T>,
): Promise<T | Looked> {
  const first = await look(connection, book, job.statement.names, await job.begin(connection));
  if (!(await job.isFine(first))) return first;
  const settled = await settle(connection, job.statement, () => job.begin(connection));
  try {
    return await job.run(settled, first.reach.committed);
  } catch (error) {
    if (!(error instanceof CommittedMeanwhile)) throw error;
  }
  await connection.run('ROLLBACK', 'script');
  return runUnderLocks(connection, book, job, settled);
}

async function runUnderLocks<T>(
  connection: ServerConnection,
  book: ReachBook,
  job: JudgedRun<T>,
  settled: PostgresStatement,
): Promise<T | Looked> {
  const before = await look(connection, book, job.statement.names, await job.begin(connection));
  if (!(await job.isFine(before))) return before;
  await compile(connection, { ...settled, text: (job.prefix ?? '') + settled.text });
  const locked = await look(connection, book, job.statement.names, await committedNow(connection));
  if (!(await job.isFine(locked))) return locked;
  return job.run(settled, undefined);
}

/** Whether nothing it touches may change anything. */
export function touchesNothing({ touched }: Looked): boolean {
  return touched.length === 0;
}
