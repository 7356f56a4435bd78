import { ENGINES, type ServerKind } from '@devdb/shared/engines';
import type { ServerParts } from './collector.ts';
import type { ComposeService, ServiceEnvironment } from './compose-service.ts';

const POSTGRES = new Set([
  'postgres',
  'postgresql',
  'postgis',
  'pgvector',
  'timescaledb',
  'timescaledb-ha',
  'citus',
  'paradedb',
]);
const MYSQL = new Set(['mysql', 'mysql-server', 'mariadb', 'percona', 'percona-server']);

/** Variables that only a server's image reads; tools beside it may be given them too, but publish another port. */
const SERVERS = {
  postgres: ['POSTGRES_PASSWORD', 'POSTGRES_HOST_AUTH_METHOD'],
  mysql2: [
    'MYSQL_ROOT_PASSWORD',
    'MYSQL_RANDOM_ROOT_PASSWORD',
    'MYSQL_ALLOW_EMPTY_PASSWORD',
    'MARIADB_ROOT_PASSWORD',
    'MARIADB_RANDOM_ROOT_PASSWORD',
    'MARIADB_ALLOW_EMPTY_ROOT_PASSWORD',
  ],
  mssql: ['MSSQL_SA_PASSWORD', 'SA_PASSWORD'],
} as const satisfies Record<ServerKind, readonly string[]>;
const KINDS = ['postgres', 'mysql2', 'mssql'] as const satisfies readonly ServerKind[];

type Described = Pick<ComposeService, 'image' | 'base' | 'environment' | 'listens' | 'ports' | 'floating'>;

/**
 * The engine of a service: by the name of its image or, where the image is the project's own, by what it is built from
 * or a server is told, if the engine's port is published.
 */
export function engineOf({ image = '', base = '', environment, listens, ports, floating }: Described) {
  const publishes = (port: number): boolean =>
    floating.includes(port) || ports.some(({ container }) => container === port);
  const isTold = (kind: ServerKind): boolean => SERVERS[kind].some((name) => environment.has(name));
  const built = engineOfImage(base);
  return (
    engineOfImage(image) ??
    (built !== undefined && publishes(listens ?? ENGINES[built].port) ? built : undefined) ??
    KINDS.find((kind) => publishes(ENGINES[kind].port) && isTold(kind))
  );
}

/** The engine of an image, by its name without registry and tag. */
export function engineOfImage(image: string): ServerKind | undefined {
  const path = (image.split('@', 1)[0] ?? '').replace(/:[^/:]*$/, '');
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  if (POSTGRES.has(name) || path === 'supabase/postgres') return 'postgres';
  if (MYSQL.has(name)) return 'mysql2';
  return name === 'azure-sql-edge' || path.toLowerCase().endsWith('mssql/server') ? 'mssql' : undefined;
}

export interface Account extends Pick<ServerParts, 'user' | 'password' | 'database'> {
  /** The database is the one that every such server has: nothing names another. */
  readonly unnamed?: true | undefined;
}

/** What a server has before anybody makes a database; MySQL's is not worth naming. */
export const SYSTEM_DATABASES = {
  postgres: 'postgres',
  mysql2: undefined,
  mssql: 'master',
} as const satisfies Record<ServerKind, string | undefined>;

/** The account and database that each image makes from its variables, or why they are not known. */
export const ACCOUNTS = {
  postgres: postgresAccount,
  mysql2: mysqlAccount,
  mssql: mssqlAccount,
} as const satisfies Record<ServerKind, (environment: ServiceEnvironment) => Account | string>;

function postgresAccount(environment: ServiceEnvironment): Account | string {
  const names = ['POSTGRES', 'POSTGRESQL'];
  const user = first(environment, [...suffixed(names, 'USER'), 'POSTGRESQL_USERNAME'], 'postgres');
  const made = [...suffixed(names, 'DB'), 'POSTGRESQL_DATABASE'];
  const database = first(environment, made, user);
  const trusting = environment.get('POSTGRES_HOST_AUTH_METHOD') === 'trust';
  const password = first(environment, suffixed(names, 'PASSWORD'), trusting ? '' : undefined);
  if (user === undefined || database === undefined) return unset(environment);
  if (password === undefined) return noPassword(environment, 'POSTGRES_PASSWORD');
  const isNamed = database !== SYSTEM_DATABASES.postgres || made.some((name) => environment.has(name));
  return { user, password, database, ...(isNamed ? {} : { unnamed: true }) };
}

function mysqlAccount(environment: ServiceEnvironment): Account | string {
  const names = ['MYSQL', 'MARIADB'];
  const user = first(environment, suffixed(names, 'USER'), 'root');
  const database = first(environment, suffixed(names, 'DATABASE'), '');
  if (user === undefined || database === undefined) return unset(environment);
  // Without its own database the image has only the system's.
  if (database === '') return 'sets no MYSQL_DATABASE or MARIADB_DATABASE';
  const empty = first(environment, suffixed(names, 'ALLOW_EMPTY_PASSWORD', 'ALLOW_EMPTY_ROOT_PASSWORD'), undefined);
  const password = first(
    environment,
    suffixed(names, user === 'root' ? 'ROOT_PASSWORD' : 'PASSWORD'),
    user === 'root' && empty ? '' : undefined,
  );
  const needed = user === 'root' ? 'MYSQL_ROOT_PASSWORD' : 'MYSQL_PASSWORD';
  return password === undefined ? noPassword(environment, needed) : { user, password, database };
}

function mssqlAccount(environment: ServiceEnvironment): Account | string {
  const password = first(environment, ['MSSQL_SA_PASSWORD', 'SA_PASSWORD'], undefined);
  if (password === undefined) return noPassword(environment, 'MSSQL_SA_PASSWORD');
  const database = first(environment, ['MSSQL_DATABASE'], undefined);
  return database === undefined
    ? { user: 'sa', password, database: SYSTEM_DATABASES.mssql, unnamed: true }
    : { user: 'sa', password, database };
}

function suffixed(prefixes: readonly string[], ...suffixes: readonly string[]): string[] {
  return suffixes.flatMap((suffix) => prefixes.map((prefix) => `${prefix}_${suffix}`));
}

/** The first variable that is set; undefined also when its value is unknown. */
function first(
  environment: ServiceEnvironment,
  names: readonly string[],
  otherwise: string | undefined,
): string | undefined {
  const name = names.find((one) => environment.has(one));
  return name === undefined ? otherwise : environment.get(name);
}

function unset(environment: ServiceEnvironment): string {
  const names = [...environment].filter(([, value]) => value === undefined).map(([name]) => name);
  return `${names.slice(0, 5).join(', ')} refers to a variable that the .env files do not set`;
}

function noPassword(environment: ServiceEnvironment, name: string): string {
  if (environment.has(name)) return `${name} refers to a variable that the .env files do not set`;
  if (environment.has(`${name}_FILE`)) return `${name}_FILE names a file inside the container`;
  return `sets no ${name}`;
}
