import { MAX_QUERY_TIMEOUT_MS } from '@devdb/shared/limits';
import { DRY_RUN_LOCK_TIMEOUT_MS, SERVER_LOCK_TIMEOUT_MS } from '../limits.ts';
import type { ServerConnection } from './connection.ts';
import { isMariadb, isMysql, type ServerVersion } from './server-version.ts';

/** The start of every call: a reset connection has the server's own settings, and its text may be latin1. */
function common(lockTimeoutMs: number): string[] {
  const seconds = Math.ceil(lockTimeoutMs / 1_000);
  return [
    'NAMES utf8mb4',
    'SESSION autocommit = 1',
    // One time zone for reading and writing, whatever the server's own.
    "SESSION time_zone = '+00:00'",
    `SESSION lock_wait_timeout = ${seconds}`,
    `SESSION innodb_lock_wait_timeout = ${seconds}`,
  ];
}

/** MariaDB and MySQL before 5.7.20 use its old name. */
function readOnly(version: ServerVersion): string {
  return isMysql(version, 50_720) ? 'SESSION transaction_read_only = 1' : 'SESSION tx_read_only = 1';
}

/** Last resort: a call that is over its time is normally stopped long before. */
function timeLimit(version: ServerVersion): string[] {
  if (isMysql(version, 50_708)) return [`SESSION max_execution_time = ${MAX_QUERY_TIMEOUT_MS}`];
  return isMariadb(version, 100_101) ? [`SESSION max_statement_time = ${MAX_QUERY_TIMEOUT_MS / 1_000}`] : [];
}

/**
 * Opens the state in which the server refuses to write: a read-only transaction, in a session that is read-only too, so
 * that a statement that implicitly ends the transaction meets another read-only one. `mostRows` ends a SELECT without
 * LIMIT early; it is defence in depth, nothing relies on it.
 */
export async function beginGuarded(connection: ServerConnection, mostRows?: number): Promise<void> {
  const { version } = connection;
  const limit = mostRows === undefined ? [] : [`SESSION sql_select_limit = ${mostRows + 1}`];
  const settings = [...common(SERVER_LOCK_TIMEOUT_MS), readOnly(version), ...timeLimit(version), ...limit];
  await connection.settle(settings.join(', '), true);
  await connection.run('START TRANSACTION READ ONLY');
}

/** The same for catalogue queries, whose values are written into the text and whose results need one spelling. */
export async function beginCatalog(connection: ServerConnection): Promise<void> {
  const { version } = connection;
  const settings = [
    ...common(SERVER_LOCK_TIMEOUT_MS),
    readOnly(version),
    ...timeLimit(version),
    "SESSION sql_mode = ''",
  ];
  await connection.settle([...settings, ...freshStatistics(version)].join(', '));
  await connection.run('START TRANSACTION READ ONLY');
}

/** MySQL 8 caches the catalogue's row counts for a day. */
function freshStatistics(version: ServerVersion): string[] {
  return isMysql(version, 80_000) ? ['SESSION information_schema_stats_expiry = 0'] : [];
}

/** Opens a transaction that may write. */
export async function beginWrite(connection: ServerConnection, purpose: 'dry-run' | 'for-real'): Promise<void> {
  const settings = common(purpose === 'dry-run' ? DRY_RUN_LOCK_TIMEOUT_MS : SERVER_LOCK_TIMEOUT_MS);
  await connection.settle(settings.join(', '));
  await connection.run('START TRANSACTION');
}

/** The same, where a value that a column cannot hold is an error in every mode of the server, and never another value. */
export async function beginStrictWrite(connection: ServerConnection): Promise<void> {
  const strict = "SESSION sql_mode = CONCAT(@@SESSION.sql_mode, ',STRICT_ALL_TABLES')";
  await connection.settle([...common(SERVER_LOCK_TIMEOUT_MS), strict].join(', '));
  await connection.run('START TRANSACTION');
}
