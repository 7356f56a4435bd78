import type { EngineKind, Guard } from './engine.ts';

interface EngineFacts {
  /** What frameworks call its drivers, dialects and adapters: in lower case, without dashes. */
  readonly driverNames: readonly string[];
  /** What is known of reads before anything is connected: whether a server's user could reach past the guard is not. */
  readonly guard: Guard;
}

/** What the sidecar knows of an engine without loading its driver. */
export const ENGINE_FACTS = {
  sqlite: {
    driverNames: ['sqlite', 'sqlite3', 'bettersqlite3', 'spatialite'],
    guard: {
      strength: 'enforced',
      reason:
        'Reads run on a connection that SQLite itself opened read-only, with query_only set and one statement at a time.',
    },
  },
  mysql2: {
    driverNames: ['mysql', 'mysql2', 'mysqli', 'mariadb', 'trilogy', 'mysqlgis', 'mysqlconnector', 'auroramysql'],
    guard: notConnected('a read-only transaction', 'user'),
  },
  postgres: {
    driverNames: [
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
    guard: notConnected('a read-only transaction', 'role'),
  },
  mssql: {
    driverNames: ['mssql', 'sqlserver', 'sqlsrv', 'tedious', 'mssqlms'],
    guard: notConnected('a transaction', 'login'),
  },
} satisfies Record<EngineKind, EngineFacts>;

function notConnected(guarded: string, who: string): Guard {
  const reason = `Not connected yet. Reads run in ${guarded} that is rolled back; the first call shows whether the ${who} can reach past it.`;
  return { strength: 'guarded', reason };
}
