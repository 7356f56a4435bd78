import { randomBytes } from 'node:crypto';
import { createConnection } from 'mysql2/promise';
import pg from 'pg';
import { type LabKind, obtainEngine } from '../../fixtures/labs/engines.ts';

/** The measured servers; SQL Server is listed as not run. */
export const SERVER_KINDS = ['postgres', 'mysql', 'mariadb'] as const satisfies readonly LabKind[];
export type ServerKind = (typeof SERVER_KINDS)[number];

export interface ServerAddress {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
  readonly database: string;
}

/** Our own database on a server of the lab. */
export interface ServerDatabase {
  readonly kind: ServerKind;
  /** The server's own version text. */
  readonly version: string;
  readonly address: ServerAddress;
  /** Runs a script of ours in it; returns the rows of the last statement. */
  ask(sql: string): Promise<unknown[][]>;
  /** Queries the server about itself from another database, as its superuser where there is one. */
  watch(sql: string): Promise<unknown[][]>;
  /** Drops the database and releases the server. */
  remove(): Promise<void>;
}

/** Undefined when this machine lacks the server; `onNotRun` gets the reason. */
export async function serverDatabase(
  kind: ServerKind,
  prefix: string,
  onNotRun: (why: string) => void,
): Promise<ServerDatabase | undefined> {
  const engine = await obtainEngine(kind);
  if ('notRun' in engine) {
    onNotRun(engine.notRun);
    return undefined;
  }
  const lab = addressOf(engine.url);
  const database = `${prefix}_${randomBytes(6).toString('hex')}`;
  const ask = kind === 'postgres' ? askPostgres : askMysql;
  await ask(lab, `CREATE DATABASE ${database}`);
  const address = { ...lab, database };
  // Through the lab's own database, so that counting the connections to ours does not count itself.
  const watcher =
    engine.superuserUrl === undefined ? lab : { ...addressOf(engine.superuserUrl), database: lab.database };
  return {
    kind,
    version: engine.version,
    address,
    ask: (sql) => ask(address, sql),
    watch: (sql) => ask(watcher, sql),
    remove: async () => {
      await ask(lab, `DROP DATABASE ${database}${kind === 'postgres' ? ' WITH (FORCE)' : ''}`);
      await engine.stop();
    },
  };
}

/** The parts of a URL such as postgres://user:password@host:port/database. */
function addressOf(url: string): ServerAddress {
  const { protocol, hostname, port, username, password, pathname } = new URL(url);
  return {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: Number(port || (protocol.startsWith('postgres') ? 5432 : 3306)),
    user: decodeURIComponent(username),
    password: decodeURIComponent(password),
    database: decodeURIComponent(pathname.slice(1)),
  };
}

async function askPostgres(address: ServerAddress, sql: string): Promise<unknown[][]> {
  const client = new pg.Client({ ...address });
  await client.connect();
  try {
    const result: unknown = await client.query({ text: sql, rowMode: 'array' });
    const last: unknown = Array.isArray(result) ? result.at(-1) : result;
    return rowsOf(typeof last === 'object' && last !== null && 'rows' in last ? last.rows : []);
  } finally {
    await client.end();
  }
}

async function askMysql(address: ServerAddress, sql: string): Promise<unknown[][]> {
  const connection = await createConnection({ ...address, rowsAsArray: true, multipleStatements: true });
  try {
    const [rows]: [unknown, unknown] = await connection.query(sql);
    return rowsOf(rows);
  } finally {
    await connection.end();
  }
}

function rowsOf(rows: unknown): unknown[][] {
  return Array.isArray(rows) ? rows.filter((row) => Array.isArray(row)) : [];
}

/** The entry in `.devdbrc` for it. */
export function devdbrcEntry({ kind, address }: ServerDatabase): Record<string, unknown> {
  const { user, ...rest } = address;
  return { type: kind, name: kind, ...rest, username: user };
}
