import type { Guard } from '../engine.ts';
import type { ServerConnection } from './connection.ts';
import { isLost } from './errors.ts';
import { isMysql } from './server-version.ts';

/** Before the first connection. */
export const NOT_CONNECTED: Guard = {
  strength: 'guarded',
  reason:
    'Not connected yet. Reads run in a read-only transaction that is rolled back; the first call shows whether the user can reach past it.',
};

/** For a server that does not show what the user may do. */
const NOT_TOLD: Guard = {
  strength: 'guarded',
  reason:
    'Reads run in a read-only transaction that is rolled back; the server does not report what else the user may do. Connect with a user that has rights on this database only; `devdb role --print` writes the GRANT script of one.',
};

const ENFORCED: Guard = {
  strength: 'enforced',
  reason:
    'Reads run in a read-only transaction of the server in a read-only session, one statement of a list of reads at a time, and are rolled back. Views and stored functions are looked up before they run: what does more than read, or is not shown to this user, is a change.',
};

/** Global privileges for the server's files, code, settings or accounts, which no transaction guards. */
const POWERS =
  /^(ALL PRIVILEGES|FILE|SUPER|SHUTDOWN|RELOAD|CREATE USER|CREATE TABLESPACE|CREATE ROLE|DROP ROLE|SET USER|SET_USER_ID|SET_ANY_DEFINER|.*[ _]ADMIN|BINLOG REPLAY|REPLICATION_APPLIER|CLONE_ADMIN|INSERT|UPDATE|DELETE)$/;

/** Asks the server what the user may do. */
export async function readGuard(connection: ServerConnection): Promise<Guard> {
  let grants: readonly string[];
  try {
    grants = await grantsOf(connection);
  } catch (error) {
    // A server without accounts (skip-grant-tables) has no grants to show.
    if (isLost(error)) throw error;
    return NOT_TOLD;
  }
  const powers = powersIn(grants);
  if (powers.length === 0) return ENFORCED;
  return {
    strength: 'guarded',
    reason: `The user has server-wide privileges (${powers.slice(0, MOST_NAMED).join(', ')}): its reads are checked and run in a read-only transaction, but a function behind a view could reach the server's files and settings. Connect with a user that has rights on this database only; \`devdb role --print\` writes the GRANT script of one.`,
  };
}

/** Includes the active roles' grants: MySQL omits them unless the roles are named, MariaDB includes them. */
async function grantsOf(connection: ServerConnection): Promise<readonly string[]> {
  if (!isMysql(connection.version, 80_000)) return firstCells(connection, 'SHOW GRANTS');
  const [roles = 'NONE'] = await firstCells(connection, 'SELECT CURRENT_ROLE()');
  return firstCells(connection, roles === 'NONE' ? 'SHOW GRANTS' : `SHOW GRANTS FOR CURRENT_USER() USING ${roles}`);
}

async function firstCells(connection: ServerConnection, sql: string): Promise<string[]> {
  const cells: string[] = [];
  await connection.run(sql, {
    row: ([text]) => {
      cells.push(text?.toString('utf8') ?? '');
    },
  });
  return cells;
}

const MOST_NAMED = 5;

/** Privileges on everything, and those to change the server's own tables, where functions and accounts are stored. */
export function powersIn(grants: readonly string[]): string[] {
  const found = grants.flatMap((grant) => {
    const [, list = '', where = ''] = /^GRANT (.+?) ON (\S+) TO /s.exec(grant) ?? [];
    if (where !== '*.*' && !coversServerTables(where)) return [];
    return splitOutside(list).filter((privilege) => POWERS.test(privilege.trim()));
  });
  return [...new Set(found.map((privilege) => privilege.trim()))];
}

/** Splits at commas outside parentheses, which hold lists of columns. */
function splitOutside(list: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let from = 0;
  for (let at = 0; at < list.length; at += 1) {
    const char = list[at];
    if (char === '(') depth += 1;
    else if (char === ')') depth -= 1;
    else if (char === ',' && depth === 0) {
      parts.push(list.slice(from, at));
      from = at + 1;
    }
  }
  return [...parts, list.slice(from)];
}

/** Whether a grant covers the server's own database: a database's name in a grant is a pattern. */
function coversServerTables(where: string): boolean {
  const [, pattern] = /^[`"']?(.+?)[`"']?\.\*$/.exec(where) ?? [];
  return pattern !== undefined && fitsLike('mysql', pattern);
}

/** LIKE without case: tracks which positions in the name each part of the pattern can reach. */
function fitsLike(name: string, pattern: string): boolean {
  let reached = new Set([0]);
  for (const part of pattern.match(/\\?[\s\S]/g) ?? []) {
    const next = new Set<number>();
    for (const at of reached) {
      if (part === '%') for (let end = at; end <= name.length; end += 1) next.add(end);
      else if (at < name.length && (part === '_' || part.at(-1)?.toLowerCase() === name.charAt(at))) next.add(at + 1);
    }
    reached = next;
  }
  return reached.has(name.length);
}
