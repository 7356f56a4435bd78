import type { Caps, WriteOutcome } from '../engine.ts';
import type { Progress } from '../server-pool.ts';
import { boundError, compile, type PostgresStatement, settle } from './bind.ts';
import type { ServerConnection } from './connection.ts';
import type { Database } from './database.ts';
import { isAboutStatement } from './errors.ts';
import { beginGuarded, beginWrite, prepareBare } from './guard.ts';
import type { ReadyStatement } from './judge.ts';
import { look } from './judged-run.ts';
import { CappedResult } from './result.ts';
import { nodesBelow, type TreeNode } from './sql-tree.ts';
import { runsBy } from './touched.ts';
import type { Completed, RowReceiver } from './wire/statement-run.ts';

/** Any other statement may leave something in the session that no reset clears. */
const CHANGES_ROWS: ReadonlySet<string> = new Set(['InsertStmt', 'UpdateStmt', 'DeleteStmt', 'MergeStmt']);

const COUNTED = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE']);

/** Runs a write and commits it, unless it changed a different number of rows than expected. Never run a second time. */
export async function write(
  { connections, types }: Database,
  statement: ReadyStatement,
  caps: Caps,
  expectedRows: number | undefined,
  signal: AbortSignal,
): Promise<WriteOutcome> {
  const { node, names } = statement;
  // All rows are read, even those over the caps: the change is complete only after the last one.
  const result = new CappedResult(caps, () => undefined);
  let messages: string[] = [];
  const affectedRows = await connections.use(signal, async (connection, progress) => {
    if (names.calls.length > 0 || !CHANGES_ROWS.has(node?.name ?? '')) connection.markSpent();
    const count =
      node !== undefined && runsBare(node)
        ? await runBare(connection, progress, statement, result)
        : await runAndCommit(connection, progress, statement, expectedRows, result);
    messages = connection.takeNotices();
    return count;
  });
  if (expectedRows !== undefined && affectedRows !== expectedRows) {
    return { kind: 'count-differs', affectedRows: affectedRows ?? 0 };
  }
  const columns = await types.columns(result.fields, connections, signal);
  const extra = {
    ...(affectedRows === undefined ? {} : { affectedRows }),
    ...(messages.length === 0 ? {} : { messages }),
  };
  return { kind: 'done', rows: result.finish(columns, extra) };
}

async function runAndCommit(
  connection: ServerConnection,
  progress: Progress,
  statement: PostgresStatement,
  expectedRows: number | undefined,
  result: CappedResult,
): Promise<number | undefined> {
  await beginWrite(connection);
  progress.reached = 'uncommitted';
  const settled = await settle(connection, statement, () => beginWrite(connection));
  const affectedRows = countOf(await runStatement(connection, settled, result));
  if (expectedRows !== undefined && affectedRows !== expectedRows) {
    await connection.run('ROLLBACK', 'script');
    return affectedRows;
  }
  progress.reached = 'maybe-committed';
  progress.committing = true;
  await commit(connection, settled);
  progress.committing = false;
  return affectedRows;
}

/** What Postgres refuses to run in a transaction commits itself, piece by piece. */
async function runBare(
  connection: ServerConnection,
  progress: Progress,
  statement: PostgresStatement,
  result: CappedResult,
): Promise<number | undefined> {
  await prepareBare(connection);
  progress.reached = 'maybe-committed';
  return countOf(await runStatement(connection, statement, result));
}

/** Runs a statement; an error says where in its text it is. */
export async function runStatement(
  connection: ServerConnection,
  statement: PostgresStatement,
  result: RowReceiver,
): Promise<Completed> {
  try {
    return await connection.run(statement.text, 'statement', result, statement.parameters);
  } catch (error) {
    if (!isAboutStatement(error)) throw error;
    throw boundError(error, statement);
  }
}

/** Deferred constraints are checked now, so a commit may fail like a statement. */
export async function commit(connection: ServerConnection, statement: PostgresStatement): Promise<void> {
  try {
    await connection.run('COMMIT', 'script');
  } catch (error) {
    if (!isAboutStatement(error)) throw error;
    throw boundError(error, statement);
  }
}

/** The rows that a change has changed. */
export function countOf({ command, count }: Completed): number | undefined {
  return COUNTED.has(command) ? count : undefined;
}

const ALWAYS_BARE = new Set([
  'VacuumStmt',
  'CreatedbStmt',
  'DropdbStmt',
  'AlterDatabaseSetTablespaceStmt',
  'CreateTableSpaceStmt',
  'DropTableSpaceStmt',
  'AlterSystemStmt',
  'CreateSubscriptionStmt',
  'DropSubscriptionStmt',
  'AlterSubscriptionStmt',
]);

/** VACUUM, CREATE DATABASE, everything CONCURRENTLY. */
function runsBare({ name, fields }: TreeNode): boolean {
  if (name === 'VacuumStmt') return fields['is_vacuumcmd'] === true;
  if (ALWAYS_BARE.has(name)) return true;
  if (fields['concurrent'] === true) return true;
  if (name === 'ReindexStmt')
    return isConcurrent(fields['params']) || /DATABASE|SYSTEM|SCHEMA/.test(String(fields['kind']));
  if (name === 'AlterTableStmt') return JSON.stringify(fields).includes('"concurrent":true');
  return name === 'ClusterStmt' && fields['relation'] === undefined;
}

function isConcurrent(options: unknown): boolean {
  return [...nodesBelow(options)].some(
    ({ name, fields }) => name === 'DefElem' && fields['defname'] === 'concurrently',
  );
}

/**
 * Compiles a statement without running it, so that the server reports mistakes. Skipped where compiling could run a
 * user-defined input function: that is left to the person who is asked.
 */
export async function check(
  { connections, reach }: Database,
  statement: ReadyStatement,
  signal: AbortSignal,
): Promise<void> {
  await connections.use(signal, async (connection, progress) => {
    const { touched } = await look(connection, reach, statement.names, await beginGuarded(connection));
    progress.reached = 'read';
    if (runsBy('compile', touched)) return;
    const settled = await settle(connection, statement, () => beginGuarded(connection));
    try {
      await compile(connection, settled);
    } catch (error) {
      if (!isAboutStatement(error)) throw error;
      throw boundError(error, settled);
    }
  });
}
