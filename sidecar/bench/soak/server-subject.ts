import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LAB_NAMES } from '../../../fixtures/labs/engines.ts';
import { SERVER_CONNECTIONS } from '../../src/engines/limits.ts';
import { devdbrcEntry, type ServerDatabase, type ServerKind, serverDatabase } from '../server-database.ts';
import type { Subject } from './subject.ts';
import { MANY_ROWS, SERIES, TABLES } from './tables.ts';

/** How to observe a kind of server from outside; `database` is the one whose connections count. */
interface Dialect {
  readonly fill: string;
  readonly slowQuery: (mark: string) => string;
  readonly count: (database: string) => string;
  readonly running: (database: string, mark: string) => string;
  readonly dropAll: (server: ServerDatabase) => Promise<void>;
  /** Connections that stay as long as the database is open: the one that stops statements on the others. */
  readonly lasting: number;
}

/** Our own database on a server, and the project's file that points to it. */
export async function serverSubject(
  kind: ServerKind,
  root: string,
  onNotRun: (why: string) => void,
): Promise<Subject | undefined> {
  const server = await serverDatabase(kind, 'devdb_soak', onNotRun);
  if (server === undefined) return undefined;
  const { fill, slowQuery, count, running, dropAll, lasting } = DIALECTS[kind];
  const { database } = server.address;
  writeFileSync(join(root, '.devdbrc'), JSON.stringify([devdbrcEntry(server)], undefined, 2));
  await server.ask(`${TABLES} ${fill}`);
  const number = async (rows: Promise<unknown[][]>): Promise<number> => Number((await rows)[0]?.[0]);
  return {
    name: LAB_NAMES[kind],
    version: server.version,
    slowQuery,
    mostIdleConnections: lasting,
    mostConnections: SERVER_CONNECTIONS + lasting,
    canDrop: true,
    connections: () => number(server.watch(count(database))),
    running: (mark) => number(server.watch(running(database, mark))),
    drop: () => dropAll(server),
    counted: () => number(server.ask('SELECT n FROM counter')),
    remove: () => server.remove(),
  };
}

const POSTGRES: Dialect = {
  fill: `INSERT INTO items SELECT i, 'item ' || i FROM generate_series(1, ${MANY_ROWS}) i`,
  slowQuery: (mark) => `SELECT pg_sleep(20), '${mark}'`,
  count: (database) => `SELECT count(*) FROM pg_stat_activity WHERE datname = '${database}'`,
  running: (database, mark) =>
    `SELECT count(*) FROM pg_stat_activity WHERE datname = '${database}' AND state = 'active' AND query LIKE '%${mark}%'`,
  dropAll: async ({ watch, address }) => {
    await watch(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${address.database}'`);
  },
  lasting: 0,
};

const PROCESSES = 'information_schema.PROCESSLIST WHERE DB';

const MYSQL: Dialect = {
  fill: `SET SESSION cte_max_recursion_depth = ${MANY_ROWS}; INSERT INTO items ${SERIES}`,
  slowQuery: (mark) => `SELECT SLEEP(20), '${mark}'`,
  count: (database) => `SELECT count(*) FROM ${PROCESSES} = '${database}'`,
  running: (database, mark) => `SELECT count(*) FROM ${PROCESSES} = '${database}' AND INFO LIKE '%${mark}%'`,
  dropAll: async ({ watch, address }) => {
    const ids = await watch(`SELECT ID FROM ${PROCESSES} = '${address.database}'`);
    for (const [id] of ids) await watch(`KILL ${Number(id)}`).catch(unlessGone);
  },
  lasting: 1,
};

const DIALECTS = {
  postgres: POSTGRES,
  mysql: MYSQL,
  mariadb: { ...MYSQL, fill: `SET SESSION max_recursive_iterations = ${MANY_ROWS}; INSERT INTO items ${SERIES}` },
} as const satisfies Record<ServerKind, Dialect>;

const NO_SUCH_THREAD = 1094;

function unlessGone(error: unknown): unknown[][] {
  if (error instanceof Error && 'errno' in error && error.errno === NO_SUCH_THREAD) return [];
  throw error;
}
