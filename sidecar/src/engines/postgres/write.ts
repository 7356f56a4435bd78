import { SERVER_LOCK_TIMEOUT_MS } from '@devdb/shared/limits';
import type { Caps, WriteOutcome } from '../engine.ts';
import type { ServerConnection } from './connection.ts';
import type { Connections, Progress } from './connections.ts';
import { isAboutStatement, statementError } from './failures.ts';
import { beginGuarded, beginWrite, prepareBare } from './guard.ts';
import { judgeOrRefuse } from './read.ts';
import { CappedResult } from './result.ts';
import { nodesBelow, type TreeNode } from './sql-tree.ts';
import type { Completed } from './statement-run.ts';
import type { TypeBook } from './type-book.ts';

const COUNTED = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE']);

/** Runs a write and commits it, unless it changed another number of rows than expected. Never run a second time. */
export async function write(
  connections: Connections,
  types: TypeBook,
  sql: string,
  caps: Caps,
  expectedRows: number | undefined,
  signal: AbortSignal,
): Promise<WriteOutcome> {
  const { node } = judgeOrRefuse(sql);
  // All rows are read, also those over the caps: the change is complete after the last one.
  const result = new CappedResult(caps, () => undefined);
  let messages: string[] = [];
  const affectedRows = await connections.use(signal, async (connection, progress) => {
    const count =
      node !== undefined && runsBare(node)
        ? await runBare(connection, progress, sql, result)
        : await runAndCommit(connection, progress, sql, expectedRows, result);
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
  sql: string,
  expectedRows: number | undefined,
  result: CappedResult,
): Promise<number | undefined> {
  await beginWrite(connection, SERVER_LOCK_TIMEOUT_MS);
  progress.reached = 'uncommitted';
  const affectedRows = countOf(await runStatement(connection, sql, result));
  if (expectedRows !== undefined && affectedRows !== expectedRows) {
    await connection.run('ROLLBACK', 'script');
    return affectedRows;
  }
  progress.reached = 'maybe-committed';
  progress.committing = true;
  // Constraints that were deferred are checked now, so that a commit may fail as a statement does.
  await runScript(connection, 'COMMIT', sql);
  progress.committing = false;
  return affectedRows;
}

/** What Postgres refuses to run in a transaction commits by itself, piece by piece. */
async function runBare(
  connection: ServerConnection,
  progress: Progress,
  sql: string,
  result: CappedResult,
): Promise<number | undefined> {
  await prepareBare(connection);
  progress.reached = 'maybe-committed';
  return countOf(await runStatement(connection, sql, result));
}

async function runStatement(connection: ServerConnection, sql: string, result: CappedResult): Promise<Completed> {
  try {
    return await connection.run(sql, 'statement', result);
  } catch (error) {
    if (!isAboutStatement(error)) throw error;
    throw statementError(error, sql);
  }
}

async function runScript(connection: ServerConnection, script: string, sql: string): Promise<void> {
  try {
    await connection.run(script, 'script');
  } catch (error) {
    if (!isAboutStatement(error)) throw error;
    throw statementError(error, sql);
  }
}

function countOf({ command, count }: Completed): number | undefined {
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

/** Compiles a statement without running it: the server's own judgement of a slip. */
export async function check(connections: Connections, sql: string, signal: AbortSignal): Promise<void> {
  judgeOrRefuse(sql);
  await connections.use(signal, async (connection, progress) => {
    await beginGuarded(connection);
    progress.reached = 'read';
    try {
      await connection.run(sql, 'compile');
    } catch (error) {
      if (!isAboutStatement(error)) throw error;
      throw statementError(error, sql);
    }
  });
}
