import { MAX_QUERY_TIMEOUT_MS, SERVER_LOCK_TIMEOUT_MS } from '@devdb/shared/limits';
import type { Guard } from '../engine.ts';
import type { ServerConnection } from './connection.ts';
import { mayChange } from './functions.ts';

/** A transaction that nobody goes on with is ended by the server. */
export const IDLE_TIMEOUT_MS = 60_000;

/**
 * Values come as this build reads them, and texts are read as the grammar read them, whatever the role's settings are.
 * The time limits are the last net: a call that is over its time is cancelled long before.
 */
const SETTINGS = [
  `statement_timeout = ${MAX_QUERY_TIMEOUT_MS}`,
  `lock_timeout = ${SERVER_LOCK_TIMEOUT_MS}`,
  `idle_in_transaction_session_timeout = ${IDLE_TIMEOUT_MS}`,
  "client_encoding = 'UTF8'",
  'standard_conforming_strings = on',
  "datestyle = 'ISO'",
  "intervalstyle = 'postgres'",
  "bytea_output = 'hex'",
  'extra_float_digits = 1',
] as const;

const SET_LOCAL = SETTINGS.map((setting) => `SET LOCAL ${setting}`).join('; ');

/**
 * Opens the state in which Postgres refuses to write, and pins its snapshot, after which that cannot be switched off.
 * Answers which of the functions that the statement calls may change something, so that it is no read after all.
 */
export async function beginGuarded(connection: ServerConnection, functions: readonly string[] = []): Promise<string[]> {
  const volatile: string[] = [];
  await connection.run(`BEGIN READ ONLY; ${SET_LOCAL}; ${volatilityQuery(functions)}`, 'script', {
    row: ([name]) => {
      if (typeof name === 'string') volatile.push(name);
    },
  });
  if (!connection.inTransaction) throw new Error('Postgres did not open the guarded transaction.');
  return mayChange(volatile);
}

/** Opens a transaction that may write. */
export async function beginWrite(connection: ServerConnection, lockTimeoutMs: number): Promise<void> {
  await connection.run(`BEGIN READ WRITE; ${SET_LOCAL}; SET LOCAL lock_timeout = ${lockTimeoutMs}`, 'script');
  if (!connection.inTransaction) throw new Error('Postgres did not open the transaction.');
}

/** The same settings for what cannot run in a transaction; they go when the connection is reset. */
export async function prepareBare(connection: ServerConnection): Promise<void> {
  await connection.run(SETTINGS.map((setting) => `SET ${setting}`).join('; '), 'script');
}

function volatilityQuery(functions: readonly string[]): string {
  if (functions.length === 0) return 'SELECT NULL';
  const names = functions.map((name) => literal(name)).join(', ');
  return `SELECT DISTINCT proname FROM pg_catalog.pg_proc WHERE provolatile = 'v' AND proname IN (${names})`;
}

/** A text as SQL writes it, whatever standard_conforming_strings says. */
export function literal(text: string): string {
  const quoted = `'${text.replaceAll("'", "''").replaceAll('\\', '\\\\')}'`;
  return text.includes('\\') ? `E${quoted}` : quoted;
}

const POWERS = `
SELECT r.rolsuper::text,
       coalesce((SELECT string_agg(p.rolname, ', ' ORDER BY p.rolname) FROM pg_catalog.pg_roles p
         WHERE p.rolname IN ('pg_read_server_files', 'pg_write_server_files', 'pg_execute_server_program')
           AND pg_catalog.pg_has_role(r.oid, p.oid, 'MEMBER')), '')
  FROM pg_catalog.pg_roles r WHERE r.rolname = current_user`;

/** What is known before the first connection. */
export const NOT_CONNECTED: Guard = {
  strength: 'guarded',
  reason:
    'Not connected yet. Reads run in a read-only transaction that is rolled back; the first call tells whether the role can reach past it.',
};

/** Asks what the role may do: a superuser's functions reach files and programs, which no transaction guards. */
export async function readGuard(connection: ServerConnection): Promise<Guard> {
  let isSuperuser = false;
  let powers = '';
  await connection.run(POWERS, 'statement', {
    row: ([superuser, roles]) => {
      isSuperuser = superuser === 'true';
      powers = roles ?? '';
    },
  });
  if (isSuperuser) return withPowers('The role is a superuser');
  if (powers !== '') return withPowers(`The role is a member of ${powers}`);
  return {
    strength: 'enforced',
    reason:
      'Reads run in a read-only transaction of Postgres, one statement of a list of reads at a time, and are rolled back.',
  };
}

function withPowers(who: string): Guard {
  return {
    strength: 'guarded',
    reason: `${who}: its reads are checked and run in a read-only transaction, but functions hidden in views could reach the server's files. Connect with an ordinary role; \`devdb role --print\` writes the GRANT script of one.`,
  };
}
