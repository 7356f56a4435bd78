import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createConnection } from 'mysql2/promise';
import { LAB_NAMES, obtainEngine } from '../../../fixtures/labs/engines.ts';
import { notRun } from '../../../fixtures/labs/not-run.ts';
import type { ServerTarget } from '../../src/engines/engine.ts';
import { Secret } from '../../src/host/secret.ts';
import { targetOf } from './engine-target.ts';

const SQL_DIR = join(__dirname, '../../../fixtures/sql/mysql');

export type MysqlKind = 'mysql' | 'mariadb';

/** Both products run every suite. */
export const MYSQL_KINDS = ['mysql', 'mariadb'] as const;

/** A suite's own database on the test run's server. */
export interface MysqlLab {
  readonly kind: MysqlKind;
  readonly target: ServerTarget;
  /** The same database for root; undefined where the run has none. */
  readonly superuser: ServerTarget | undefined;
  /** A plain driver connection, for checking what the engine did. */
  ask(sql: string, target?: ServerTarget): Promise<unknown[][]>;
  /** Another empty database, removed with the lab. */
  freshDatabase(): Promise<ServerTarget>;
  remove(): Promise<void>;
}

/** Undefined when this run has no such server, which is then listed as not run. */
export async function mysqlLab(kind: MysqlKind, scripts: readonly string[] = []): Promise<MysqlLab | undefined> {
  const engine = await obtainEngine(kind);
  if ('notRun' in engine) {
    notRun(process.env, LAB_NAMES[kind], engine.notRun);
    return undefined;
  }
  const own = targetOf(engine.url, 3306);
  const root = engine.superuserUrl === undefined ? undefined : targetOf(engine.superuserUrl, 3306);
  const prefix = `devdb_${randomBytes(6).toString('hex')}`;
  const user = root === undefined ? own : await suiteUser(prefix, root);
  const made: string[] = [];
  const freshDatabase = async (): Promise<ServerTarget> => {
    const database = `${prefix}_${made.length}`;
    await ask({ ...user, database: '' }, `CREATE DATABASE ${database} DEFAULT CHARACTER SET utf8mb4`);
    made.push(database);
    return { ...user, database };
  };
  const target = await freshDatabase();
  for (const name of scripts) await ask(target, readFileSync(join(SQL_DIR, name), 'utf8'));
  return {
    kind,
    target,
    superuser: root === undefined ? undefined : { ...root, database: target.database },
    ask: (sql, other = target) => ask(other, sql),
    freshDatabase,
    remove: async () => {
      for (const database of made) await ask({ ...user, database: '' }, `DROP DATABASE IF EXISTS ${database}`);
      if (root !== undefined) await ask(root, `DROP USER '${user.user}'`);
      await engine.stop();
    },
  };
}

/** A user that sees only its own suite's databases: those of others come and go. */
async function suiteUser(prefix: string, root: ServerTarget): Promise<ServerTarget> {
  const password = 'suite-pw';
  const pattern = prefix.replaceAll('_', '\\_');
  await ask(
    root,
    `CREATE USER '${prefix}'@'%' IDENTIFIED BY '${password}'; GRANT ALL ON \`${pattern}%\`.* TO '${prefix}'@'%'`,
  );
  return { ...root, user: prefix, password: new Secret(password), database: '' };
}

/** Runs a script of our own as a whole; returns the rows of its last statement. */
export async function ask({ host, port, user, password, database }: ServerTarget, sql: string): Promise<unknown[][]> {
  const connection = await createConnection({
    host,
    port,
    user,
    password: password?.open() ?? '',
    ...(database === '' ? {} : { database }),
    rowsAsArray: true,
    multipleStatements: true,
    charset: 'utf8mb4',
    supportBigNumbers: true,
    dateStrings: true,
  });
  try {
    const [rows]: [unknown, unknown] = await connection.query(sql);
    return Array.isArray(rows) ? rows.filter((row) => Array.isArray(row)) : [];
  } finally {
    await connection.end();
  }
}
