import { ENGINE_KINDS, ENGINES, type EngineKind } from '@devdb/shared/engines';
import type { AppFolder } from '../app-folder.ts';
import { engineKindOf } from '../readers/engine-names.ts';

/** The engine of a group of variables, or why it is unknown. */
export type GroupEngine =
  | { readonly kind: EngineKind; readonly reason?: undefined }
  | { readonly kind: undefined; readonly reason: string };

/** What a project's lists of packages call the drivers of each engine. */
const PACKAGES: Readonly<Record<EngineKind, RegExp>> = {
  postgres:
    /["'\s](pg|postgres|pg-promise|asyncpg|psycopg|psycopg2|psycopg2-binary|psycopg\[|ext-pdo_pgsql|ext-pgsql)["'\s=~<>[]|lib\/pq|jackc\/pgx/,
  mysql2:
    /["'\s](mysql2?|mysqlclient|pymysql|aiomysql|mysql-connector-python|mariadb|ext-mysqli|ext-pdo_mysql)["'\s=~<>[]|go-sql-driver\/mysql/i,
  mssql: /["'\s](mssql|tedious|pymssql|mssql-django|ext-sqlsrv)["'\s=~<>[]|go-mssqldb/i,
  sqlite: /["'\s](sqlite3|better-sqlite3|aiosqlite)["'\s=~<>[]|go-sqlite3/i,
};
const LISTS = ['package.json', 'requirements.txt', 'pyproject.toml', 'Pipfile', 'Gemfile', 'composer.json', 'go.mod'];
const IN_PREFIX: readonly (readonly [RegExp, EngineKind])[] = [
  [/(^|_)(PG|POSTGRES|POSTGRESQL)\d?(_|$)/, 'postgres'],
  [/(^|_)(MYSQL|MARIADB)\d?(_|$)/, 'mysql2'],
  [/(^|_)(MSSQL|SQLSERVER)\d?(_|$)/, 'mssql'],
];

/** Decides by what the variables say, then by the prefix, the port, and the packages the application depends on. */
export async function engineOf(
  app: AppFolder,
  group: { readonly prefix: string; readonly said: string | undefined; readonly port: string | undefined },
): Promise<GroupEngine> {
  const { prefix, said, port } = group;
  if (said) {
    // Django writes its engines as modules.
    const kind = engineKindOf(said) ?? engineKindOf(said.slice(said.lastIndexOf('.') + 1));
    if (kind !== undefined) return { kind };
    if (/^(mongo\w*|oracle\w*|redis|h2|cassandra|dynamodb)$/i.test(said)) {
      return { kind: undefined, reason: 'the application uses an engine that DevDB does not support' };
    }
  }
  const named = IN_PREFIX.find(([words]) => words.test(prefix))?.[1];
  const byPort = ENGINE_KINDS.find((kind) => kind !== 'sqlite' && String(ENGINES[kind].port) === port);
  const kind = named ?? byPort ?? (await byPackages(app));
  if (kind !== undefined) return { kind };
  const reason =
    'describes a database, but neither a variable, the port nor the packages say its engine; name it in .devdbrc';
  return { kind: undefined, reason };
}

async function byPackages(app: AppFolder): Promise<EngineKind | undefined> {
  const reads = await Promise.all(LISTS.map((name) => app.read(name)));
  const text = reads.map((read) => (read.state === 'text' ? ` ${read.text} ` : '')).join('\n');
  const kinds = ENGINE_KINDS.filter((kind) => kind !== 'sqlite' && PACKAGES[kind].test(text));
  return kinds.length === 1 ? kinds[0] : undefined;
}
