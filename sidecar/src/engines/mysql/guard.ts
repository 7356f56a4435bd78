import type { Guard } from '../engine.ts';
import type { ServerConnection } from './connection.ts';
import { isLost } from './failures.ts';

/** What is known before the first connection. */
export const NOT_CONNECTED: Guard = {
  strength: 'guarded',
  reason:
    'Not connected yet. Reads run in a read-only transaction that is rolled back; the first call tells whether the user can reach past it.',
};

/** For a server that does not tell what the user may do. */
const NOT_TOLD: Guard = {
  strength: 'guarded',
  reason:
    'Reads run in a read-only transaction that is rolled back; the server does not tell what else the user may do. Connect with a user that has rights on this database only; `devdb role --print` writes the GRANT script of one.',
};

const ENFORCED: Guard = {
  strength: 'enforced',
  reason:
    'Reads run in a read-only transaction of the server in a read-only session, one statement of a list of reads at a time, and are rolled back.',
};

/** Global privileges that reach files, code, settings or accounts of the server, which no transaction guards. */
const POWERS =
  /^(ALL PRIVILEGES|FILE|SUPER|SHUTDOWN|RELOAD|CREATE USER|CREATE TABLESPACE|CREATE ROLE|DROP ROLE|SET USER|SET_USER_ID|SET_ANY_DEFINER|.*[ _]ADMIN|BINLOG REPLAY|REPLICATION_APPLIER|CLONE_ADMIN|INSERT|UPDATE|DELETE)$/;

/** Asks what the user may do. */
export async function readGuard(connection: ServerConnection): Promise<Guard> {
  const grants: string[] = [];
  try {
    await connection.run('SHOW GRANTS', {
      row: ([text]) => {
        grants.push(text?.toString('utf8') ?? '');
      },
    });
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

const MOST_NAMED = 5;

/** Privileges on everything, and those to change the server's own tables, where functions and accounts are kept. */
export function powersIn(grants: readonly string[]): string[] {
  const found = grants.flatMap((grant) => {
    const [, list = '', where = ''] = /^GRANT (.+?) ON (\S+) TO /s.exec(grant) ?? [];
    if (!/^(\*|[`"']?mysql[`"']?)\.\*$/.test(where)) return [];
    return splitOutside(list).filter((privilege) => POWERS.test(privilege.trim()));
  });
  return [...new Set(found.map((privilege) => privilege.trim()))];
}

/** The parts between the commas that stand in no parentheses: columns are listed in those. */
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
