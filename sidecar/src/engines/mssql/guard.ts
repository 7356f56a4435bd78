import { AppError } from '@devdb/shared/errors';
import { SERVER_LOCK_TIMEOUT_MS } from '@devdb/shared/limits';
import type { Guard } from '../engine.ts';
import type { DriverValue } from '../values.ts';
import type { ServerConnection } from './connection.ts';
import { literal } from './quote.ts';
import { TEXT_SIZE } from './raw-values.ts';

/** The session's settings for every statement: nobody waits long for it, and it is the one to give way. */
export function sessionSettings(lockTimeoutMs: number): string {
  return [
    `SET LOCK_TIMEOUT ${lockTimeoutMs}`,
    'SET DEADLOCK_PRIORITY LOW',
    `SET TEXTSIZE ${TEXT_SIZE}`,
    'SET NOCOUNT OFF',
    'SET IMPLICIT_TRANSACTIONS OFF',
  ].join('; ');
}

/** Gives up the login's rights for those of the user that reads are to run as. The connection cannot get them back. */
function asReader(reader: string | undefined): string {
  return reader === undefined ? '' : `EXECUTE AS USER = ${literal(reader)} WITH NO REVERT; `;
}

/** Settings of a connection that only looks at catalogues and plans. */
export function prepareLook(reader: string | undefined): string {
  return `${sessionSettings(SERVER_LOCK_TIMEOUT_MS)}; ${asReader(reader)}`.trimEnd();
}

/** Opens the transaction that is rolled back whatever happens in it. */
export async function beginGuarded(connection: ServerConnection, reader: string | undefined): Promise<void> {
  await connection.run(
    `${sessionSettings(SERVER_LOCK_TIMEOUT_MS)}; SET XACT_ABORT OFF; ${asReader(reader)}BEGIN TRANSACTION`,
  );
}

/** Looks whether the guarded transaction is still the one that was opened, then takes it back. */
export async function endGuarded(connection: ServerConnection): Promise<void> {
  const open = await firstValue(connection, 'SELECT @@TRANCOUNT');
  if (open !== 1) throw breach(open);
  await connection.run('ROLLBACK TRANSACTION');
}

function breach(open: DriverValue): AppError {
  return new AppError(
    'E_SQL',
    'The statement changed the transaction that guards reads, so that what it did may have stayed. Its rows are withheld.',
    {
      hint: 'Look at what it may have changed, and give the connection a login that can only read: `devdb role --print` writes its GRANT script.',
      details: { guardBreached: true, mayHaveBeenCarriedOut: true, openTransactions: open === null ? 0 : String(open) },
    },
  );
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

/** What is known before the first connection. */
export const NOT_CONNECTED: Guard = {
  strength: 'guarded',
  reason:
    'Not connected yet. Only single SELECTs run, in a transaction that is rolled back; the first call tells whether the login could do more.',
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

/** Rights beyond reading: on the server, in the database, on single objects, and what is owned. */
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

/** Asks what the login may do besides reading: SQL Server itself refuses writes to those alone who have no right to them. */
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
  // A NULL is a right that could not be asked about.
  if (more.length === 4 && more.every((count) => count === 0)) {
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
