import { AppError } from '@devdb/shared/errors';
import type { Guard } from '../engine.ts';
import { SERVER_LOCK_TIMEOUT_MS } from '../limits.ts';
import type { DriverValue } from '../values.ts';
import type { ServerConnection } from './connection.ts';
import { literal } from './quote.ts';
import { TEXT_SIZE } from './wire/raw-values.ts';

/** The session's settings for every statement: others never wait long for it, and in a deadlock it gives way. */
export function sessionSettings(lockTimeoutMs: number): string {
  return [
    `SET LOCK_TIMEOUT ${lockTimeoutMs}`,
    'SET DEADLOCK_PRIORITY LOW',
    `SET TEXTSIZE ${TEXT_SIZE}`,
    'SET NOCOUNT OFF',
    'SET IMPLICIT_TRANSACTIONS OFF',
  ].join('; ');
}

/** Gives up the login's rights for those of the user that reads run as. The connection cannot get them back. */
function asReader(reader: string | undefined): string {
  return reader === undefined ? '' : `; EXECUTE AS USER = ${literal(reader)} WITH NO REVERT`;
}

/**
 * What every connection does first: the settings, then the switch to the reader's rights. No transaction is open yet.
 */
export function prepareSession(reader: string | undefined): string {
  return `${sessionSettings(SERVER_LOCK_TIMEOUT_MS)}${asReader(reader)}`;
}

/**
 * Opens a transaction and verifies it: a server that opens none would commit each statement at once. With `XACT_ABORT
 * ON` the first error ends it.
 */
export async function begin(connection: ServerConnection, xactAbort: 'ON' | 'OFF'): Promise<void> {
  const open = await firstValue(connection, `SET XACT_ABORT ${xactAbort}; BEGIN TRANSACTION; SELECT @@TRANCOUNT`);
  connection.takeMessages();
  if (open === 1) return;
  connection.cut();
  throw new AppError('E_SQL', 'The server opened no transaction to run the statement in, so nothing was run.', {
    hint: 'Check that the server is a SQL Server, and that no trigger or setting of the login ends transactions.',
    details: { guardMissing: true, openTransactions: countOf(open) },
  });
}

/** Rolls back, after verifying that it is still the transaction that was opened; otherwise cuts the connection. */
export async function rollBack(connection: ServerConnection): Promise<void> {
  await assertOpen(connection);
  await connection.run('ROLLBACK TRANSACTION');
}

/** Throws when a statement has changed the transaction it ran in, since its changes may have stayed. */
export async function assertOpen(connection: ServerConnection): Promise<void> {
  const open = await firstValue(connection, 'SELECT @@TRANCOUNT');
  if (open === 1) return;
  connection.cut();
  throw breach(open);
}

function breach(open: DriverValue): AppError {
  return new AppError(
    'E_SQL',
    'The statement changed the transaction it ran in, so its effects may have persisted. Its rows are withheld.',
    {
      hint: 'Check what it may have changed, and give the connection a login that can only read: `devdb role --print` writes its GRANT script.',
      details: { guardBreached: true, mayHaveBeenCarriedOut: true, openTransactions: countOf(open) },
    },
  );
}

function countOf(open: DriverValue): string | number {
  return open === null ? 0 : String(open);
}

async function firstValue(connection: ServerConnection, sql: string): Promise<DriverValue> {
  let value: DriverValue = null;
  await connection.run(sql, {
    row: ([first = null]) => {
      value = first;
    },
  });
  return value;
}

/** Before the first connection. */
export const NOT_CONNECTED: Guard = {
  strength: 'guarded',
  reason:
    'Not connected yet. Only single SELECTs run, in a transaction that is rolled back; the first call shows whether the login could do more.',
};

const READ_RIGHTS = [
  'CONNECT',
  'SELECT',
  'SHOWPLAN',
  'VIEW DEFINITION',
  'VIEW DATABASE STATE',
  'VIEW DATABASE PERFORMANCE STATE',
];
const SERVER_RIGHTS = [
  'CONNECT SQL',
  'VIEW ANY DATABASE',
  'VIEW ANY DEFINITION',
  'VIEW SERVER STATE',
  'VIEW SERVER PERFORMANCE STATE',
];

/** Rights beyond reading: on the server, in the database, on single objects, and through ownership. */
const RIGHTS = `
SELECT IS_SRVROLEMEMBER('sysadmin'), IS_ROLEMEMBER('db_owner'),
       (SELECT count(*) FROM sys.fn_my_permissions(NULL, 'SERVER')
         WHERE permission_name NOT IN (${SERVER_RIGHTS.map(literal).join(', ')}) AND permission_name NOT LIKE N'VIEW ANY %'),
       (SELECT count(*) FROM sys.fn_my_permissions(NULL, 'DATABASE')
         WHERE permission_name NOT IN (${READ_RIGHTS.map(literal).join(', ')}) AND permission_name NOT LIKE N'VIEW ANY %'),
       (SELECT count(*) FROM sys.database_permissions p
         WHERE p.state IN ('G', 'W') AND p.class <> 0 AND (p.class <> 1 OR p.major_id > 0)
           AND p.permission_name NOT IN (N'SELECT', N'REFERENCES', N'VIEW DEFINITION', N'VIEW CHANGE TRACKING')
           AND (p.grantee_principal_id = USER_ID() OR IS_ROLEMEMBER(USER_NAME(p.grantee_principal_id)) = 1)),
       (SELECT count(*) FROM sys.schemas WHERE principal_id = USER_ID())`;

/** Objects of the database through which a read could reach beyond it. */
const OUTSIDE = `
SELECT (SELECT count(*) FROM sys.assemblies WHERE is_user_defined = 1)
     + (SELECT count(*) FROM sys.tables WHERE is_external = 1)
     + (SELECT count(*) FROM sys.synonyms WHERE PARSENAME(base_object_name, 4) IS NOT NULL)
     + (SELECT count(*) FROM sys.sql_modules
         WHERE definition LIKE N'%OPENQUERY%' OR definition LIKE N'%OPENROWSET%' OR definition LIKE N'%OPENDATASOURCE%')`;

const REACHES_OUTSIDE: Guard = {
  strength: 'guarded',
  reason:
    'The login has no right to write here, but the database has CLR code, external tables or names of other servers, which act with rights of their own: reads that reach one are asked about like writes. Single SELECTs run, in a transaction that is rolled back.',
};

/** For a server that speaks TDS but is not SQL Server: what its rights and catalogues mean is up to its maker. */
export function foreignGuard(name: string): Guard {
  return {
    strength: 'guarded',
    reason: `The server is not Microsoft's SQL Server (${name}): its rights may mean something else, and settings that it does not know may be ignored. Reads are checked word by word, run alone and are rolled back. Connect with a login that can only read.`,
  };
}

/** The guard where the login's rights could not be determined. */
export const RIGHTS_UNKNOWN: Guard = {
  strength: 'guarded',
  reason:
    'The server did not tell the rights of the login: reads are checked word by word, run alone and are rolled back. Connect with a login that can only read (db_datareader); `devdb role --print` writes the GRANT script.',
};

/**
 * Determines what the login may do besides reading: SQL Server itself refuses writes only to those without the right.
 */
export async function readGuard(connection: ServerConnection): Promise<Guard> {
  let rights: readonly DriverValue[] = [];
  await connection.run(RIGHTS, {
    row: (values) => {
      rights = values;
    },
  });
  const [sysadmin, owner, ...more] = rights;
  if (sysadmin === 1) return couldWrite('is a member of sysadmin');
  if (owner === 1) return couldWrite('owns the database');
  // NULL means a right that could not be determined.
  if (more.length === 4 && more.every((count) => count === 0)) {
    if ((await firstValue(connection, OUTSIDE)) !== 0) return REACHES_OUTSIDE;
    return {
      strength: 'enforced',
      reason:
        'The login has no right to write, so that SQL Server itself refuses it; single SELECTs run, in a transaction that is rolled back.',
    };
  }
  return couldWrite('may do more than read');
}

function couldWrite(who: string): Guard {
  return {
    strength: 'guarded',
    reason: `The login ${who}, and SQL Server has no read-only transaction: reads are checked word by word, run alone and are rolled back, but the server itself would not refuse a write. Connect with a login that can only read (db_datareader), or name such a user in the option executeAsUser; \`devdb role --print\` writes the GRANT script.`,
  };
}
