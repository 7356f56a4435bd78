import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import type { Engine, EngineKind, ServerTarget, Session, Target } from '../../src/engines/engine.ts';
import { mssqlEngine } from '../../src/engines/mssql/session.ts';
import { mysqlEngine } from '../../src/engines/mysql/session.ts';
import { postgresEngine } from '../../src/engines/postgres/open.ts';
import { sqlite } from '../../src/engines/sqlite/session.ts';
import { driverDir } from './driver-dir.ts';
import { engineContext } from './engine-target.ts';
import { shopDatabase } from './sqlite-shop.ts';

/** As `ENGINES` names them. */
export type EngineName = 'sqlite' | 'postgres' | 'mysql' | 'mariadb' | 'mssql';

export interface EngineUnderTest {
  readonly name: EngineName;
  readonly kind: EngineKind;
  /** How a boolean of the shop arrives: as a number where the dialect has no booleans. */
  readonly yes: true | 1;
  /** A read that never ends by itself. */
  readonly endless: string;
  /** A statement that returns one row for each number from 1 to this one, in a column `i`. */
  readonly numbersTo: (last: number) => string;
  /** One row with a blob of this many bytes, each ff. */
  readonly blobOf: (bytes: number) => string;
  /** The words before a new column in an ALTER TABLE. */
  readonly addColumn: 'ADD COLUMN' | 'ADD';
  /** The first rows of a query, as many as the placeholder `:most` says. */
  readonly firstOf: (columns: string, rest: string) => string;
  /** Starts the engine, once per suite. */
  readonly start: () => Promise<StartedEngine>;
}

export interface StartedEngine {
  /** Creates the shop of fixtures/sql anew and opens it. */
  readonly open: () => Promise<OpenedShop>;
  readonly stop: () => Promise<void>;
}

export interface OpenedShop {
  readonly session: Session;
  /** What the session is open on. */
  readonly target: Target;
  readonly close: () => Promise<void>;
}

/**
 * Every engine of this run: SQLite, and the servers that `npm test` found or started and put into the environment.
 * `ENGINES=sqlite,postgres` narrows the run and makes a missing one fail.
 */
export function enginesUnderTest(env: Readonly<Record<string, string | undefined>>): readonly EngineUnderTest[] {
  const wanted = env['ENGINES'];
  if (wanted === undefined || wanted === '') {
    return ALL.filter(({ name }) => name === 'sqlite' || env[`DEVDB_TEST_${name.toUpperCase()}_URL`] !== undefined);
  }
  return wanted.split(',').map((name) => {
    const engine = ALL.find((candidate) => candidate.name === name.trim());
    if (engine === undefined) throw new Error(`ENGINES names ${name}, which this suite cannot bring up.`);
    return engine;
  });
}

const SHOP = ['01-schema.sql', '02-rows.sql'];
const limited = (columns: string, rest: string): string => `SELECT ${columns} ${rest} LIMIT :most`;
const DIGITS = Array.from({ length: 10 }, (_, digit) => `SELECT ${digit}${digit === 0 ? ' AS n' : ''}`).join(
  ' UNION ALL ',
);

/** What MySQL and MariaDB share. A recursion stops at 1,000 there, so numbers are composed of digits. */
const MYSQL = {
  kind: 'mysql2',
  yes: 1,
  endless: "SELECT BENCHMARK(20000000000, SHA2('x', 512))",
  numbersTo: (last: number) =>
    `WITH d AS (${DIGITS}) SELECT a.n + 10 * b.n + 100 * c.n + 1000 * e.n + 10000 * f.n + 1 AS i ` +
    `FROM d a, d b, d c, d e, d f WHERE a.n + 10 * b.n + 100 * c.n + 1000 * e.n + 10000 * f.n < ${last} ORDER BY i`,
  blobOf: (bytes: number) => `SELECT UNHEX(REPEAT('ff', ${bytes})) AS raw`,
  addColumn: 'ADD COLUMN',
  firstOf: limited,
} as const;

const ALL: readonly EngineUnderTest[] = [
  {
    name: 'sqlite',
    kind: 'sqlite',
    yes: true,
    endless: 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n',
    numbersTo: (last) =>
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${last}) SELECT i FROM n`,
    blobOf: (bytes) => `SELECT CAST(replace(hex(zeroblob(${bytes / 2})), '00', x'ffff') AS BLOB) AS raw`,
    addColumn: 'ADD COLUMN',
    firstOf: limited,
    start: startSqlite,
  },
  {
    name: 'postgres',
    kind: 'postgres',
    yes: true,
    endless:
      'SELECT count(*) FROM generate_series(1, 100000) a, generate_series(1, 100000) b, generate_series(1, 100000) c',
    numbersTo: (last) => `SELECT i FROM generate_series(1, ${last}) AS g(i)`,
    blobOf: (bytes) => `SELECT decode(repeat('ff', ${bytes}), 'hex') AS raw`,
    addColumn: 'ADD COLUMN',
    firstOf: limited,
    start: async () => onServer(postgresEngine, (await import('./postgres-lab.ts')).postgresLab),
  },
  {
    ...MYSQL,
    name: 'mysql',
    start: async () =>
      onServer(mysqlEngine, async (scripts) => (await import('./mysql-lab.ts')).mysqlLab('mysql', scripts)),
  },
  {
    ...MYSQL,
    name: 'mariadb',
    start: async () =>
      onServer(mysqlEngine, async (scripts) => (await import('./mysql-lab.ts')).mysqlLab('mariadb', scripts)),
  },
  {
    name: 'mssql',
    kind: 'mssql',
    yes: true,
    endless:
      'WITH n(i) AS (SELECT CAST(1 AS bigint) UNION ALL SELECT i + 1 FROM n) SELECT count_big(*) AS n FROM n OPTION (MAXRECURSION 0)',
    numbersTo: (last) =>
      `SELECT TOP (${last}) ROW_NUMBER() OVER (ORDER BY (SELECT NULL)) AS i FROM sys.all_columns a CROSS JOIN sys.all_columns b ORDER BY i`,
    blobOf: (bytes) => `SELECT CONVERT(varbinary(max), REPLICATE(CONVERT(varchar(max), 'ff'), ${bytes}), 2) AS raw`,
    addColumn: 'ADD',
    firstOf: (columns, rest) => `SELECT TOP (:most) ${columns} ${rest}`,
    start: async () => onServer(mssqlEngine, async (scripts) => mssqlShop(scripts)),
  },
];

async function mssqlShop(scripts: readonly string[]): Promise<Lab | undefined> {
  const { batchesOf, mssqlLab } = await import('./mssql-lab.ts');
  const database = await (await mssqlLab())?.database(scripts.flatMap(batchesOf));
  return database === undefined ? undefined : { target: database.target, remove: () => database.drop() };
}

interface Lab {
  readonly target: ServerTarget;
  remove(): Promise<void>;
}

/** The shop on a server, with a new database for each opening. */
async function onServer(
  engine: Engine,
  makeLab: (scripts: readonly string[]) => Promise<Lab | undefined>,
): Promise<StartedEngine> {
  return {
    open: async () => {
      const lab = await makeLab(SHOP);
      if (lab === undefined) throw new Error(`There is no server for ${engine.kind} in this run.`);
      const session = engine.open(lab.target, engineContext());
      return {
        session,
        target: lab.target,
        close: async () => {
          await session.end();
          await lab.remove();
        },
      };
    },
    stop: async () => undefined,
  };
}

async function startSqlite(): Promise<StartedEngine> {
  const bundle = await sqliteBundle();
  return { open: () => openSqliteShop(bundle.dir), stop: async () => bundle.remove() };
}

async function openSqliteShop(bundleDir: string): Promise<OpenedShop> {
  const shop = shopDatabase();
  const target = { file: shop.file };
  const session = sqlite.open(target, engineContext(shop.dir, bundleDir));
  const close = async (): Promise<void> => {
    await session.end();
    shop.remove();
  };
  return { session, target, close };
}

/** SQLite's two process entries and its driver in a temporary folder. */
export async function sqliteBundle(): Promise<{ readonly dir: string; readonly remove: () => void }> {
  const dir = mkdtempSync(join(tmpdir(), 'devdb-bundle-'));
  const source = join(__dirname, '../../src/engines/sqlite/child');
  await build({
    entryPoints: { 'sqlite-child': join(source, 'main.ts'), 'sqlite-watch': join(source, 'watch.ts') },
    outdir: dir,
    bundle: true,
    platform: 'node',
    target: 'node22',
    format: 'cjs',
    define: { 'import.meta.dirname': '__dirname' },
    logLevel: 'error',
  });
  driverDir(dir);
  return { dir, remove: () => rmSync(dir, { recursive: true, force: true }) };
}
