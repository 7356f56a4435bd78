import { ENGINES, type ServerKind } from '@devdb/shared/engines';
import type { ServerTarget } from '../../engines/engine.ts';
import type { AppFolder } from '../app-folder.ts';
import { Collector, type ServerParts } from '../collector.ts';
import type { ComposeService, ServiceEnvironment } from '../compose-service.ts';
import { type Detector, PRIORITY } from '../detector.ts';
import { withoutPort } from '../reach.ts';
import { readConnectionString } from '../readers/ado-net.ts';
import { readDatabaseUrl } from '../readers/url.ts';

const NAME = 'compose';

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

/** Databases that run as compose services with a published port. */
export const compose: Detector = {
  name: NAME,
  looksFor: [
    'compose.yaml, compose.yml, docker-compose.yml, their .override files, and what they include or extend',
    'the same with a name for development or tests, e.g. docker-compose.dev.yml',
    'src/main/docker/postgresql.yml and its like (JHipster)',
  ],
  async detect(project, signal) {
    const collector = new Collector(NAME, PRIORITY.compose);
    const { services, skipped } = await project.compose(signal);
    for (const { file, line, reason, mistake } of skipped) collector.skip(file, line, reason, mistake);
    const apps = await project.apps(signal);
    const unchosen = unchosenOf(services);
    for (const service of services) {
      const kind = engineOf(service);
      const app = apps.find(({ folder }) => folder === service.folder);
      const undecided = unchosen.has(service) ? true : undefined;
      const environment = kind && completed(services, service, kind);
      if (kind && app && environment) add(collector, app, { ...service, environment }, kind, undecided);
    }
    return collector.detection;
  },
};

/** The engine that a service runs: its image, or what that is built from where it publishes the engine's port. */
function engineOf({ image, base, listens, ports, floating }: ComposeService): ServerKind | undefined {
  const named = kindOf(image ?? '');
  const built = named ?? kindOf(base ?? '');
  if (named !== undefined || built === undefined) return named;
  const port = listens ?? ENGINES[built].port;
  return ports.some(({ container }) => container === port) || floating.includes(port) ? built : undefined;
}

/** The engine of an image, by its name without registry and tag. */
function kindOf(image: string): ServerKind | undefined {
  const path = (image.split('@', 1)[0] ?? '').replace(/:[^/:]*$/, '');
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  if (POSTGRES.has(name) || path === 'supabase/postgres') return 'postgres';
  if (MYSQL.has(name)) return 'mysql2';
  return name === 'azure-sql-edge' || path.toLowerCase().endsWith('mssql/server') ? 'mssql' : undefined;
}

/** Services of several engines for one database, of which the application uses one: the one that another service names. */
function unchosenOf(services: readonly ComposeService[]): ReadonlySet<ComposeService> {
  const groups = new Map<string, { readonly service: ComposeService; readonly kind: ServerKind }[]>();
  for (const service of services) {
    const kind = engineOf(service);
    const account = kind && ACCOUNTS[kind](service.environment);
    if (kind === undefined || typeof account !== 'object' || service.forTests) continue;
    const key = JSON.stringify([service.folder, account.database]);
    groups.set(key, [...(groups.get(key) ?? []), { service, kind }]);
  }
  const alternatives = [...groups.values()].filter((group) => new Set(group.map(({ kind }) => kind)).size > 1).flat();
  return new Set(alternatives.map(({ service }) => service).filter((service) => !isNamed(service, services)));
}

function isNamed(service: ComposeService, services: readonly ComposeService[]): boolean {
  const others = services.filter((one) => one.folder === service.folder && engineOf(one) === undefined);
  const words = others
    .flatMap(({ environment }) => [...environment.values()])
    .flatMap((text) => text?.toLowerCase().split(/[^a-z0-9._-]+/) ?? []);
  return service.names.some((name) => words.includes(name));
}

function add(
  collector: Collector,
  app: AppFolder,
  service: ComposeService,
  kind: ServerKind,
  undecided: true | undefined,
): void {
  const { name, file, line, environment } = service;
  const port = service.listens ?? ENGINES[kind].port;
  const published = service.ports.find(({ container }) => container === port);
  if (published === undefined) {
    const known = ACCOUNTS[kind](environment);
    const half = typeof known === 'string' ? {} : { user: known.user, database: known.database };
    const suggests = { kind, host: '127.0.0.1', port, ...half };
    collector.skip(file, line, withoutPort(service, port), false, service.forTests ? undefined : suggests);
    return;
  }
  const account = ACCOUNTS[kind](environment);
  if (typeof account === 'string') collector.skip(file, line, `${name}: ${account}`);
  else {
    const place = { what: name, file, line, environment: service.forTests ? 'test' : '', undecided };
    collector.server(app, place, { kind, host: published.host, port: published.port, ...account });
  }
}

/** Where each image takes the name of its database from. */
const DATABASE_VARIABLES = {
  postgres: ['POSTGRES_DB', 'POSTGRESQL_DB', 'POSTGRESQL_DATABASE'],
  mysql2: ['MYSQL_DATABASE', 'MARIADB_DATABASE'],
  mssql: ['MSSQL_DATABASE'],
} as const satisfies Record<ServerKind, readonly string[]>;

/** A container that names no database gets the one that the other services' URLs name, if they agree on one. */
function completed(services: readonly ComposeService[], service: ComposeService, kind: ServerKind): ServiceEnvironment {
  const [variable, ...synonyms] = DATABASE_VARIABLES[kind];
  if ([variable, ...synonyms].some((name) => service.environment.has(name))) return service.environment;
  const others = services.filter(({ folder, forTests }) => folder === service.folder && forTests === service.forTests);
  const named = others
    .flatMap(({ environment }) => [...environment])
    .flatMap(([name, text]) => {
      const target = text === undefined ? undefined : serverIn(text, kind);
      const isHere = target !== undefined && service.names.includes(target.host.toLowerCase());
      return isHere && target.database !== '' ? [{ name, database: target.database }] : [];
    });
  // The usual name is the application's own; others belong to what it works with.
  const usual = named.filter(({ name }) => name === 'DATABASE_URL');
  const [database, ...more] = new Set((usual.length > 0 ? usual : named).map((one) => one.database));
  if (database === undefined || more.length > 0) return service.environment;
  return new Map([...service.environment, [variable, database]]);
}

/** The server and database that a variable's value names, as a URL or as .NET writes it. */
function serverIn(text: string, kind: ServerKind): Pick<ServerTarget, 'host' | 'database'> | undefined {
  if (/^[a-z][a-z0-9+_-]*:\/\//i.test(text)) {
    const url = readDatabaseUrl(text.replace(/^ecto:/i, `${kind}:`));
    return url.kind === kind ? url.target : undefined;
  }
  const pairs = readConnectionString(text);
  const host = pairs?.get('server') ?? pairs?.get('datasource') ?? pairs?.get('host');
  const database = pairs?.get('database') ?? pairs?.get('initialcatalog') ?? '';
  return host === undefined ? undefined : { host: host.replace(/^tcp:/i, '').replace(/,\d+$/, ''), database };
}

type Account = Pick<ServerParts, 'user' | 'password' | 'database'>;

const ACCOUNTS = { postgres: postgresAccount, mysql2: mysqlAccount, mssql: mssqlAccount } as const satisfies Record<
  ServerKind,
  (environment: ServiceEnvironment) => Account | string
>;

function postgresAccount(environment: ServiceEnvironment): Account | string {
  const names = ['POSTGRES', 'POSTGRESQL'];
  const user = first(environment, [...suffixed(names, 'USER'), 'POSTGRESQL_USERNAME'], 'postgres');
  const database = first(environment, [...suffixed(names, 'DB'), 'POSTGRESQL_DATABASE'], user);
  const trusting = environment.get('POSTGRES_HOST_AUTH_METHOD') === 'trust';
  const password = first(environment, suffixed(names, 'PASSWORD'), trusting ? '' : undefined);
  if (user === undefined || database === undefined) return unset(environment);
  return password === undefined ? noPassword(environment, 'POSTGRES_PASSWORD') : { user, password, database };
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
  return { user: 'sa', password, database: first(environment, ['MSSQL_DATABASE'], 'master') ?? 'master' };
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
