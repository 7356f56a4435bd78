import { ENGINE_KINDS, ENGINES, type EngineKind } from '@devdb/shared/engines';
import type { AppFolder } from './app-folder.ts';
import type { Skipped } from './detector.ts';
import type { ProjectView } from './project-view.ts';

/** What a project's lists of packages call the drivers of each engine. */
const PACKAGES: Readonly<Record<EngineKind, RegExp>> = {
  postgres:
    /["'\s](pg|postgres|pg-promise|asyncpg|psycopg|psycopg2|psycopg2-binary|psycopg\[|ext-pdo_pgsql|ext-pgsql)["'\s=~<>[]|lib\/pq|jackc\/pgx|@db\/postgres|deno\.land\/x\/postgres|"Npgsql|:postgrex\b|org\.postgresql|tokio-postgres/,
  mysql2:
    /["'\s](mysql2?|mysqlclient|pymysql|aiomysql|mysql-connector-python|mariadb|ext-mysqli|ext-pdo_mysql)["'\s=~<>[]|go-sql-driver\/mysql|:myxql\b|mysql-connector-j|mariadb-java-client|mysql_async/i,
  mssql:
    /["'\s](mssql|tedious|pymssql|mssql-django|ext-sqlsrv)["'\s=~<>[]|go-mssqldb|EntityFrameworkCore\.SqlServer|:tds\b|mssql-jdbc|tiberius/i,
  sqlite:
    /["'\s](sqlite3|better-sqlite3|aiosqlite|ext-pdo_sqlite|ext-sqlite3)["'\s=~<>[]|go-sqlite3|modernc\.org\/sqlite|gorm\.io\/driver\/sqlite|glebarez\/(go-)?sqlite|zombiezen\.com\/go\/sqlite|EntityFrameworkCore\.Sqlite|sqlite-jdbc|rusqlite|(sqlx|diesel|sea-orm)\b[^\n]{0,200}sqlite/i,
};
const LISTS = [
  'package.json',
  'deno.json',
  'deno.jsonc',
  'requirements.txt',
  'pyproject.toml',
  'Pipfile',
  'Gemfile',
  'composer.json',
  'go.mod',
  'mix.exs',
  'Cargo.toml',
  'pom.xml',
  'build.gradle',
  'build.gradle.kts',
];
const PROJECT = /\.(cs|fs|vb)proj$/i;

/** The engines whose drivers an application depends on. */
export async function driversOf(
  app: AppFolder,
): Promise<readonly { readonly kind: EngineKind; readonly file: string }[]> {
  const lists = await packageLists(app);
  return lists.flatMap(({ file, text }) =>
    ENGINE_KINDS.filter((kind) => PACKAGES[kind].test(text)).map((kind) => ({ kind, file })),
  );
}

/** The files in which an application says what packages it depends on. */
export async function packageLists(
  app: AppFolder,
): Promise<readonly { readonly file: string; readonly text: string }[]> {
  const lists: { readonly file: string; readonly text: string }[] = [];
  for (const name of [...LISTS.filter((list) => app.has(list)), ...app.files(PROJECT)]) {
    const read = await app.read(name);
    lists.push({ file: app.path(name), text: read.state === 'text' ? ` ${read.text} ` : '' });
  }
  return lists;
}

/** Whether what was found or left out already says why there is no default. */
export function saysWhy(known: { readonly found: readonly unknown[]; readonly skipped: readonly Skipped[] }): boolean {
  return known.found.length > 0 || known.skipped.some((one) => one.unread ?? one.suggests ?? one.mistake);
}

/**
 * One sentence for each application that depends on a driver, for a project in which nothing else was found; without
 * a driver, one that says so.
 */
export async function driversWithoutDatabase(project: ProjectView, signal: AbortSignal): Promise<Skipped[]> {
  const skipped: Skipped[] = [];
  for (const app of await project.apps(signal)) {
    const [driver] = await driversOf(app);
    if (driver === undefined) continue;
    const reason = `depends on a driver for ${ENGINES[driver.kind].type}, but no settings that DevDB reads name its database; name it in .devdbrc`;
    skipped.push({ file: driver.file, reason, unread: 'settings' });
  }
  if (skipped.length > 0) return skipped;
  const reason =
    'no settings, lists of packages or program code that DevDB reads name a database; if there is one, name it in .devdbrc';
  return [{ file: '.', reason }];
}

/** The innermost application around a file that has a list of packages; programs start in its folder. */
export function programFolder(apps: readonly AppFolder[], file: string): AppFolder | undefined {
  const around = apps.filter(({ folder }) => folder === '' || file.startsWith(`${folder}/`));
  const root = around.find(({ folder }) => folder === '');
  // Cargo and Go start the programs of a workspace in its root.
  if (root?.has('Cargo.toml') || root?.has('go.mod')) return root;
  const listed = around.filter((app) => LISTS.some((name) => app.has(name)) || app.files(PROJECT).length > 0);
  return listed.toSorted((a, b) => b.folder.length - a.folder.length)[0] ?? root;
}
