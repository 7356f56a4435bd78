import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LAB_NAMES } from '../../fixtures/labs/engines.ts';
import { FEW_ROWS, MANY_ROWS } from './bench-project.ts';
import { openRaw, type RawServer } from './raw-server.ts';
import { devdbrcEntry, type ServerDatabase, type ServerKind, serverDatabase } from './server-database.ts';
import { openStage, type Stage } from './stage.ts';

/** The set-up for measuring a server: a sidecar whose project has its database there, and the bare driver. */
export interface ServerStage {
  readonly stage: Stage;
  readonly raw: RawServer;
  /** The engine's name in the table. */
  readonly name: string;
  /** The database as a URL. */
  readonly dsn: string;
  close(): Promise<void>;
}

/** Undefined when this machine lacks the server; `onNotRun` gets the reason. */
export async function openServerStage(
  kind: ServerKind,
  folder: string,
  onNotRun: (why: string) => void,
): Promise<ServerStage | undefined> {
  const database = await serverDatabase(kind, 'devdb_bench', onNotRun);
  if (database === undefined) return undefined;
  try {
    await database.ask(FILL[kind]);
    const root = join(folder, 'project');
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(root, { recursive: true });
    writeFileSync(join(root, '.devdbrc'), JSON.stringify([devdbrcEntry(database)], undefined, 2));
    const stage = await openStage({ root, database: '' }, join(folder, 'home'), ['--trust']);
    const raw = await openRaw(database);
    const close = async (): Promise<void> => {
      await stage.sidecar.stop();
      await raw.close();
      await database.remove();
    };
    return { stage, raw, name: `${LAB_NAMES[kind]} ${numberOf(database.version)}`, dsn: dsnOf(database), close };
  } catch (error) {
    await database.remove();
    throw error;
  }
}

function numberOf(version: string): string {
  return /\d+(\.\d+)*/.exec(version)?.[0] ?? version;
}

function dsnOf({ kind, address }: ServerDatabase): string {
  const { host, port, user, password, database } = address;
  const isPostgres = kind === 'postgres';
  const login = `${encodeURIComponent(user)}:${encodeURIComponent(password)}`;
  return `${isPostgres ? 'postgres' : 'mysql'}://${login}@${host}:${port}/${database}?sslmode=disable`;
}

/** The same tables as in the SQLite project. */
const fill = (series: (rows: number) => string): string => `
  CREATE TABLE items (id integer PRIMARY KEY, name varchar(40) NOT NULL, price double precision NOT NULL);
  CREATE TABLE events (id integer PRIMARY KEY, kind varchar(40) NOT NULL, amount double precision NOT NULL, note varchar(80));
  INSERT INTO items ${series(FEW_ROWS)} SELECT i, concat('item ', i), i * 1.25 FROM n;
  INSERT INTO events ${series(MANY_ROWS)}
    SELECT i, concat('kind ', i % 7), i * 0.5, CASE WHEN i % 3 = 0 THEN NULL ELSE concat('note number ', i) END FROM n;`;

const recursion = (rows: number): string =>
  `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${rows})`;

const FILL = {
  postgres: fill((rows) => `WITH n(i) AS (SELECT generate_series(1, ${rows}))`),
  mysql: `SET SESSION cte_max_recursion_depth = ${MANY_ROWS}; ${fill(recursion)}`,
  mariadb: `SET SESSION max_recursive_iterations = ${MANY_ROWS}; ${fill(recursion)}`,
} as const satisfies Record<ServerKind, string>;
