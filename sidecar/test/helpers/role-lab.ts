import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ServerTarget } from '../../src/engines/engine.ts';
import { Secret } from '../../src/host/secret.ts';
import { type MysqlKind, mysqlLab } from './mysql-lab.ts';
import { postgresLab } from './postgres-lab.ts';

const SQL_DIR = join(__dirname, '../../../fixtures/sql');
const SHOP = ['01-schema.sql', '02-rows.sql'];

/** A name with everything that has to be quoted somewhere. */
export const ODD_ROLE = "Rö\"le `q` \\ 'x' %s $devdb$";
/** The same for a password. */
export const ODD_PASSWORD = 'pä\'s"s\\w $1 `ö';

/** A shop in a database with an odd name, set up by its owner and guarded by an administrator. */
export interface RoleLab {
  /** The engine's name in `.devdbrc`. */
  readonly type: 'postgres' | 'mysql';
  readonly owner: ServerTarget;
  readonly admin: ServerTarget;
  ask(sql: string, target: ServerTarget): Promise<unknown[][]>;
  /** The script with this password inserted. */
  withPassword(script: string, password: string): string;
  /** How the server lists the role; empty when there is none. */
  roles(name: string): Promise<unknown[][]>;
  dropRole(name: string): Promise<void>;
  /** What the role sees of a declaration, given what its owner sees. */
  seen(schema: string): string;
  /** A statement by its owner that adds a table `later` with the number 7. */
  readonly addTable: string;
  /** Statements that write, bypassing everything DevDB does against them. */
  readonly writes: readonly string[];
  remove(): Promise<void>;
}

const doubled = (text: string): string => text.replaceAll("'", "''");

/** The shop on Postgres; undefined where this run has no superuser. */
export async function postgresRoleLab(): Promise<RoleLab | undefined> {
  const lab = await postgresLab();
  if (lab?.superuser === undefined) {
    await lab?.remove();
    return undefined;
  }
  const { target, superuser, ask } = lab;
  const database = `${target.database} "my" sh\\op %s ünï it's`;
  const quoted = `"${database.replaceAll('"', '""')}"`;
  await ask(`CREATE DATABASE ${quoted} ENCODING 'UTF8' TEMPLATE template0`);
  const [owner, admin] = [
    { ...target, database },
    { ...superuser, database },
  ];
  for (const name of SHOP) await ask(readFileSync(join(SQL_DIR, 'postgres', name), 'utf8'), owner);
  await ask('CREATE SCHEMA "Odd ""s\\ch, %ma"; CREATE TABLE "Odd ""s\\ch, %ma"."t $devdb$ x" (a int)', owner);
  return {
    type: 'postgres',
    owner,
    admin,
    ask,
    withPassword: (script, password) => script.replace("text := ''", () => `text := '${doubled(password)}'`),
    roles: (name) =>
      ask(`SELECT rolname, rolcanlogin, rolsuper FROM pg_roles WHERE rolname = E'${forE(name)}'`, superuser),
    dropRole: async (name) => {
      const role = `"${name.replaceAll('"', '""')}"`;
      for (const at of [admin, superuser]) await ask(`DROP OWNED BY ${role}`, at);
      await ask(`DROP ROLE ${role}`, superuser);
    },
    seen: (schema) => schema,
    addTable: 'CREATE SCHEMA newer; CREATE TABLE later AS SELECT 7 AS a',
    writes: [
      'BEGIN READ WRITE; DELETE FROM orders',
      'BEGIN READ WRITE; CREATE TABLE made (a int)',
      "BEGIN READ WRITE; SELECT nextval('orders_id_seq')",
      'BEGIN READ WRITE; CREATE ROLE made',
      "COPY orders TO PROGRAM 'cat'",
      "SELECT pg_read_file('postgresql.conf')",
      'TABLE pg_catalog.pg_authid',
    ],
    remove: async () => {
      await ask(`DROP DATABASE ${quoted} WITH (FORCE)`);
      await lab.remove();
    },
  };
}

function forE(text: string): string {
  return doubled(text).replaceAll('\\', '\\\\');
}

/** The shop on MySQL or MariaDB; undefined where this run has no root. */
export async function mysqlRoleLab(kind: MysqlKind): Promise<RoleLab | undefined> {
  const lab = await mysqlLab(kind);
  if (lab?.superuser === undefined) {
    await lab?.remove();
    return undefined;
  }
  const { target, superuser, ask } = lab;
  // The owner has all databases whose names start with its own.
  const database = `${target.user} "m_y" s\`h\\o %p ünï it's`;
  const quoted = `\`${database.replaceAll('`', '``')}\``;
  await ask(`CREATE DATABASE ${quoted} DEFAULT CHARACTER SET utf8mb4`);
  const [owner, admin] = [
    { ...target, database },
    { ...superuser, database },
  ];
  for (const name of SHOP) await ask(readFileSync(join(SQL_DIR, 'mysql', name), 'utf8'), owner);
  const account = (name: string): string => `\`${name.replaceAll('`', '``')}\`@\`%\``;
  return {
    type: 'mysql',
    owner,
    admin,
    ask,
    withPassword: (script, password) =>
      script.replace("SET @password = ''", () => `SET @password = '${forE(password)}'`),
    roles: (name) => ask(`SELECT user, host FROM mysql.user WHERE user = '${forE(name)}'`, superuser),
    dropRole: async (name) => {
      await ask(`DROP USER ${account(name)}`, superuser);
    },
    // Only a user with the right to create a trigger sees it.
    seen: (schema) => schema.replace(/\n\nCREATE TRIGGER [\s\S]*$/, ''),
    addTable: 'CREATE TABLE later AS SELECT 7 AS a',
    writes: [
      'DELETE FROM orders',
      'CREATE TABLE made (a int)',
      'CREATE TEMPORARY TABLE made (a int)',
      'CREATE DATABASE devdb_made',
      'CREATE USER made',
      "SELECT 1 INTO OUTFILE '/tmp/devdb-made'",
      'SET GLOBAL max_error_count = 77',
      'SELECT * FROM mysql.user',
      `SELECT * FROM \`${target.database}\`.shop_other`,
    ],
    remove: async () => {
      await ask(`DROP DATABASE ${quoted}`);
      await lab.remove();
    },
  };
}

/** Another user's target on the same database. */
export function as(name: string, password: string, target: ServerTarget): ServerTarget {
  return { ...target, user: name, password: new Secret(password) };
}
