import { MAX_QUERY_TIMEOUT_MS } from '@devdb/shared/limits';
import type { Guard } from '../engine.ts';
import { DRY_RUN_LOCK_TIMEOUT_MS, SERVER_LOCK_TIMEOUT_MS } from '../limits.ts';
import type { ServerConnection } from './connection.ts';
import { COMMITTED } from './reach-query.ts';

/** The server ends a transaction that is idle for this long. */
export const IDLE_TIMEOUT_MS = 60_000;

/**
 * Values come in the format this build reads, and texts are read as the grammar read them, whatever the role's settings
 * are. The time limits are a last resort: a call that is over its time is normally cancelled long before.
 */
const SETTINGS = Object.entries({
  statement_timeout: MAX_QUERY_TIMEOUT_MS,
  lock_timeout: SERVER_LOCK_TIMEOUT_MS,
  idle_in_transaction_session_timeout: IDLE_TIMEOUT_MS,
  client_encoding: 'UTF8',
  standard_conforming_strings: 'on',
  datestyle: 'ISO',
  intervalstyle: 'postgres',
  bytea_output: 'hex',
  extra_float_digits: 1,
});

const SET_LOCAL = SETTINGS.map(([name, value]) => `SET LOCAL ${name} = '${value}'`).join('; ');

const GUARDED = 'ISOLATION LEVEL READ COMMITTED READ ONLY';

/** The statements of `beginGuarded`, for a read that opens its transaction in the same exchange. */
export const GUARDED_OPENING: readonly string[] = [
  `BEGIN ${GUARDED}`,
  `SELECT ${SETTINGS.map(([name, value]) => `pg_catalog.set_config('${name}', '${value}', true)`).join(', ')}`,
];

/**
 * Opens the state in which Postgres refuses to write, and pins it: after the first query it cannot be switched off.
 * Every statement in it sees everything committed before the statement, whatever the role's own isolation level is.
 * Returns the current state of the database.
 */
export function beginGuarded(connection: ServerConnection): Promise<string> {
  return begin(connection, GUARDED, SERVER_LOCK_TIMEOUT_MS);
}

/** Opens a transaction that may write, with the role's isolation level. */
export async function beginWrite(connection: ServerConnection): Promise<void> {
  await begin(connection, 'READ WRITE', SERVER_LOCK_TIMEOUT_MS);
}

/** Opens a transaction that may write and will be rolled back; sees and returns the same as a guarded one. */
export function beginDryRun(connection: ServerConnection): Promise<string> {
  return begin(connection, 'ISOLATION LEVEL READ COMMITTED READ WRITE', DRY_RUN_LOCK_TIMEOUT_MS);
}

async function begin(connection: ServerConnection, mode: string, lockTimeoutMs: number): Promise<string> {
  let committed = '';
  await connection.run(
    `BEGIN ${mode}; ${SET_LOCAL}; SET LOCAL lock_timeout = ${lockTimeoutMs}; SELECT ${COMMITTED}`,
    'script',
    {
      row: ([text]) => {
        committed = text ?? '';
      },
    },
  );
  if (!connection.inTransaction) throw new Error('Postgres did not open the transaction.');
  return committed;
}

/** The same settings for what cannot run in a transaction; the connection's reset clears them. */
export async function prepareBare(connection: ServerConnection): Promise<void> {
  await connection.run(SETTINGS.map(([name, value]) => `SET ${name} = '${value}'`).join('; '), 'script');
}

/** Postgres' operators are qualified, so that no user-defined operator answers. */
const POWERS = `
SELECT r.rolsuper::text,
       coalesce((SELECT pg_catalog.string_agg(p.rolname::text, ', ' ORDER BY p.oid) FROM pg_catalog.pg_roles p
         WHERE p.rolname OPERATOR(pg_catalog.=) ANY
               ('{pg_read_server_files,pg_write_server_files,pg_execute_server_program}'::pg_catalog.name[])
           AND pg_catalog.pg_has_role(r.oid, p.oid, 'MEMBER')), '')
  FROM pg_catalog.pg_roles r WHERE r.rolname OPERATOR(pg_catalog.=) current_user`;

/** Before the first connection. */
export const NOT_CONNECTED: Guard = {
  strength: 'guarded',
  reason:
    'Not connected yet. Reads run in a read-only transaction that is rolled back; the first call shows whether the role can reach past it.',
};

/** From version 17 on, code can be set to run for everybody who connects, before any statement that could be judged. */
const AT_LOGIN = `
SELECT coalesce(pg_catalog.string_agg(evtname::text, ', ' ORDER BY oid), '') FROM pg_catalog.pg_event_trigger
 WHERE evtevent OPERATOR(pg_catalog.=) 'login' AND evtenabled OPERATOR(pg_catalog.<>) 'D'`;

/** Determines what the role may do: a superuser's functions reach files and programs, which no transaction guards. */
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
  let atLogin = '';
  await connection.run(AT_LOGIN, 'statement', {
    row: ([names]) => {
      atLogin = names ?? '';
    },
  });
  if (atLogin !== '') return withLoginTriggers(atLogin);
  return {
    strength: 'enforced',
    reason:
      "Reads run in a read-only transaction of Postgres, one statement of a list of reads at a time, and are rolled back. Code of the database's own, reached through a view, an operator or a type as well, is asked about first.",
  };
}

function withPowers(who: string): Guard {
  return {
    strength: 'guarded',
    reason: `${who}: its reads are checked for everything they reach and run in a read-only transaction, but anything missed could reach the server's files. Connect with an ordinary role; \`devdb role --print\` writes the GRANT script of one.`,
  };
}

function withLoginTriggers(names: string): Guard {
  return {
    strength: 'guarded',
    reason: `The server runs its own code on every login (event triggers ${names}), before there is a statement to check. Disable them for this role, or trust what they do.`,
  };
}
