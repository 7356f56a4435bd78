import type { EngineKind } from '../../engines/engine.ts';

const NAMES: Readonly<Record<EngineKind, readonly string[]>> = {
  sqlite: ['sqlite', 'sqlite3', 'bettersqlite3', 'spatialite'],
  mysql2: ['mysql', 'mysql2', 'mysqli', 'mariadb', 'trilogy', 'mysqlgis', 'mysqlconnector', 'auroramysql'],
  postgres: [
    'postgres',
    'postgresql',
    'pgsql',
    'pg',
    'psql',
    'pgnative',
    'postgis',
    'psycopg',
    'psycopg2',
    'postgresqlpsycopg2',
    'cockroachdb',
    'cockroach',
    'timescale',
    'aurorapostgres',
  ],
  mssql: ['mssql', 'sqlserver', 'sqlsrv', 'tedious', 'mssqlms'],
};

const KINDS: ReadonlyMap<string, EngineKind> = new Map([
  ...NAMES.sqlite.map((name) => [name, 'sqlite'] as const),
  ...NAMES.mysql2.map((name) => [name, 'mysql2'] as const),
  ...NAMES.postgres.map((name) => [name, 'postgres'] as const),
  ...NAMES.mssql.map((name) => [name, 'mssql'] as const),
]);

/** The engine that frameworks mean by a name of a driver, a dialect or an adapter. */
export function engineKindOf(name: string): EngineKind | undefined {
  const plain = name
    .toLowerCase()
    .replace(/^pdo[-_]/, '')
    .replaceAll(/[-_]/g, '');
  return KINDS.get(plain);
}
