import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { LAB_NAMES, obtainEngine } from '../../../fixtures/labs/engines.ts';
import { notRun } from '../../../fixtures/labs/not-run.ts';
import type { ServerTarget } from '../../src/engines/engine.ts';
import { Secret } from '../../src/host/secret.ts';
import { targetOf } from './engine-target.ts';

const SQL_DIR = join(import.meta.dirname, '../../../fixtures/sql/postgres');

/** A suite's own database on the test run's server. */
export interface PostgresLab {
  readonly target: ServerTarget;
  /** The same database for a superuser; undefined where the run has none. */
  readonly superuser: ServerTarget | undefined;
  /** A plain driver connection, for checking what the engine did. */
  ask(sql: string, target?: ServerTarget): Promise<unknown[][]>;
  /** Another empty database, removed with the lab. */
  freshDatabase(): Promise<ServerTarget>;
  remove(): Promise<void>;
}

/** Undefined when this run has no Postgres, which is then listed as not run. */
export async function postgresLab(scripts: readonly string[] = []): Promise<PostgresLab | undefined> {
  const engine = await obtainEngine('postgres');
  if ('notRun' in engine) {
    notRun(process.env, LAB_NAMES.postgres, engine.notRun);
    return undefined;
  }
  const { ordinary, superuser, dropRole } = await rolesOf(targetOf(engine.url, 5432), engine.superuserUrl);
  const made: string[] = [];
  const freshDatabase = async (): Promise<ServerTarget> => {
    const database = `devdb_${randomBytes(6).toString('hex')}`;
    await askPostgres(ordinary, `CREATE DATABASE ${database} ENCODING 'UTF8' TEMPLATE template0`);
    made.push(database);
    return { ...ordinary, database };
  };
  const target = await freshDatabase();
  for (const name of scripts) await askPostgres(target, readFileSync(join(SQL_DIR, name), 'utf8'));
  return {
    target,
    superuser: superuser === undefined ? undefined : { ...superuser, database: target.database },
    ask: (sql, other = target) => askPostgres(other, sql),
    freshDatabase,
    remove: async () => {
      // An ordinary role may not end an autovacuum worker that happens to be in it.
      const dropping = superuser ?? ordinary;
      for (const database of made) await askPostgres(dropping, `DROP DATABASE IF EXISTS ${database} WITH (FORCE)`);
      await dropRole();
      await engine.stop();
    },
  };
}

interface Roles {
  readonly ordinary: ServerTarget;
  readonly superuser: ServerTarget | undefined;
  readonly dropRole: () => Promise<void>;
}

/** Where the run has only a superuser, it creates an ordinary role. */
async function rolesOf(given: ServerTarget, superuserUrl: string | undefined): Promise<Roles> {
  const superuser = superuserUrl === undefined ? undefined : targetOf(superuserUrl, 5432);
  const [[isSuperuser] = []] = await askPostgres(given, 'SELECT rolsuper FROM pg_roles WHERE rolname = current_user');
  if (isSuperuser !== true) return { ordinary: given, superuser, dropRole: async () => undefined };
  const role = `devdb_role_${randomBytes(6).toString('hex')}`;
  await askPostgres(given, `CREATE ROLE ${role} LOGIN CREATEDB CREATEROLE PASSWORD '${role}'`);
  return {
    ordinary: { ...given, user: role, password: new Secret(role) },
    superuser: superuser ?? given,
    dropRole: async () => {
      await askPostgres(given, `DROP ROLE ${role}`);
    },
  };
}

/** Queries over a plain driver connection. */
export function askPostgres(target: ServerTarget, sql: string): Promise<unknown[][]> {
  return withPostgres(target, async (client) => {
    const result = await client.query<unknown[]>({ text: sql, rowMode: 'array' });
    return Array.isArray(result) ? [] : result.rows;
  });
}

/** Opens a plain driver connection, and ends it whatever happens. */
export async function withPostgres<T>(
  { host, port, user, password, database }: ServerTarget,
  use: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ host, port, user, password: password?.open(), database });
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}
