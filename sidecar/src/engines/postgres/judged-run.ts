import { compile, isSettled, type PostgresStatement, settle } from './bind.ts';
import type { ServerConnection } from './connection.ts';
import type { NamesUsed } from './names-used.ts';
import { committedNow, type Reach, type ReachBook } from './reach.ts';
import { type Touched, touchedBy } from './touched.ts';
import { type Before, NotRunAsJudged } from './wire/statement-run.ts';

/** What a statement touches, in the database state it was looked up in. */
export interface Looked {
  readonly reach: Reach;
  readonly touched: readonly Touched[];
}

export interface JudgedRun<T> {
  readonly statement: PostgresStatement & { readonly names: NamesUsed };
  /** Opens the transaction, and returns the state of the database. */
  begin(connection: ServerConnection): Promise<string>;
  /** What `begin` sends, where the run may open the transaction itself. */
  readonly opening?: readonly string[];
  /** Whether it may run. Called again when anybody has committed. */
  isFine(looked: Looked): boolean | Promise<boolean>;
  /** Our own words before the statement. */
  readonly prefix?: string;
  /** It must only run after what comes before it. */
  run(settled: PostgresStatement, before: Before): Promise<T>;
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
  const atOnce = await runAtOnce(connection, book, job);
  if (atOnce !== undefined) return atOnce.done;
  const first = await look(connection, book, job.statement.names, await job.begin(connection));
  if (!(await job.isFine(first))) return first;
  const settled = await settle(connection, job.statement, () => job.begin(connection));
  try {
    return await job.run(settled, { wanted: first.reach.committed });
  } catch (error) {
    if (!(error instanceof NotRunAsJudged)) throw error;
  }
  await connection.run('ROLLBACK', 'script');
  return runUnderLocks(connection, book, job, settled);
}

/**
 * Runs it in one exchange with the opening of its transaction, judged by what was reached at the last look: the server
 * may be far away. Undefined where it was not run, because there was no such look or somebody has committed since.
 */
async function runAtOnce<T>(
  connection: ServerConnection,
  book: ReachBook,
  { statement, opening, isFine, run }: JudgedRun<T>,
): Promise<{ readonly done: T } | undefined> {
  const reach = book.lastSeen;
  if (opening === undefined || reach === undefined || !isSettled(statement)) return undefined;
  if (!(await isFine({ reach, touched: touchedBy(statement.names, reach) }))) return undefined;
  try {
    return { done: await run(statement, { opening, wanted: reach.committed }) };
  } catch (error) {
    if (!(error instanceof NotRunAsJudged)) throw error;
  }
  book.outdated();
  await connection.run('ROLLBACK', 'script');
  return undefined;
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
  return job.run(settled, {});
}

/** Whether nothing it touches may change anything. */
export function touchesNothing({ touched }: Looked): boolean {
  return touched.length === 0;
}
