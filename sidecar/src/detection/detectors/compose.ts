import { ENGINES, type ServerKind } from '@devdb/shared/engines';
import type { ServerTarget } from '../../engines/engine.ts';
import type { AppFolder } from '../app-folder.ts';
import { Collector, type Place } from '../collector.ts';
import { type AccountOf, unchosenOf } from '../compose-choice.ts';
import { ACCOUNTS, type Account, engineOf } from '../compose-server.ts';
import type { ComposeService, ServiceEnvironment } from '../compose-service.ts';
import { toolOf } from '../compose-tools.ts';
import { type Detector, PRIORITY } from '../detector.ts';
import { environmentInName } from '../environment-names.ts';
import { withoutPort } from '../reach.ts';
import { readConnectionString } from '../readers/ado-net.ts';
import { readDatabaseUrl } from '../readers/url.ts';
import { partOf } from './environment-groups.ts';

const NAME = 'compose';
const NO_ENGINE =
  'is one of several servers of different engines, and no service says which one the application uses; choose it in .devdbrc';

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
    const accountOf: AccountOf = (service, kind) => ACCOUNTS[kind](completed(services, service, kind));
    const toolAt = (account: Account | string, service: ComposeService): string | undefined =>
      typeof account === 'string' ? undefined : toolOf(account.database ?? '', service, services);
    const unchosen = unchosenOf(services, accountOf);
    for (const { service } of unchosen.open) collector.skip(service.file, service.line, NO_ENGINE);
    for (const service of services) {
      const kind = engineOf(service);
      const app = apps.find(({ folder }) => folder === service.folder);
      if (app === undefined) continue;
      if (kind === undefined) {
        await addUsed(collector, app, services, service);
        continue;
      }
      const several = severalNamed(services, service, kind);
      for (const database of several) {
        const account = ACCOUNTS[kind](withDatabase(service, kind, database));
        const tool = toolAt(account, service);
        const beside = tool === undefined ? undefined : true;
        add(collector, app, service, { kind, account, one: database, undecided: true, beside });
      }
      if (several.length > 0) continue;
      const account = accountOf(service, kind);
      const tool = toolAt(account, service);
      if (tool !== undefined) collector.skip(service.file, service.line, `${service.name}: is the database of ${tool}`);
      const marks: Pick<Place, 'undecided' | 'beside'> = {
        undecided: unchosen.services.has(service) || undefined,
        beside: tool === undefined ? undefined : true,
      };
      add(collector, app, service, { kind, account, ...marks });
    }
    return collector.detection;
  },
};

/** A service of an image that says nothing is the database that the URLs of the other services name, if they agree. */
async function addUsed(
  collector: Collector,
  app: AppFolder,
  services: readonly ComposeService[],
  service: ComposeService,
): Promise<void> {
  const { name, file, line, folder, forTests } = service;
  const variables = services
    .filter((one) => one !== service && one.folder === folder && one.forTests === forTests)
    .flatMap(({ environment }) => [...environment]);
  const urls = variables.flatMap(([variable, text = '']) => {
    if (!/^[a-z][a-z0-9+_-]*:\/\//i.test(text) || environmentInName(variable) !== '') return [];
    const url = readDatabaseUrl(text);
    if (url.kind === 'problem' || url.kind === 'sqlite') return [];
    const { host, port } = url.target;
    const isHere = service.names.includes(host.toLowerCase());
    return isHere && service.ports.some(({ container }) => container === port) ? [text] : [];
  });
  const [url, ...more] = new Set(urls);
  if (url === undefined || more.length > 0) return;
  // The host is the service's name, which becomes the published port where this machine is not in its network.
  await collector.url(app, { what: name, file, line, environment: forTests ? 'test' : '' }, url);
}

interface Server extends Pick<Place, 'undecided' | 'beside'> {
  /** The database's name where the server has several. */
  readonly one?: string | undefined;
  readonly kind: ServerKind;
  readonly account: Account | string;
}

function add(collector: Collector, app: AppFolder, service: ComposeService, server: Server): void {
  const { kind, account, one, ...marks } = server;
  const { name, file, line } = service;
  const port = service.listens ?? ENGINES[kind].port;
  const published = service.ports.find(({ container }) => container === port);
  if (published === undefined) {
    const half = typeof account === 'string' ? {} : { user: account.user, database: account.database };
    const isOwn = !service.forTests && !marks.beside;
    const reason = withoutPort(service, port);
    if (isOwn) collector.skipServer(file, line, reason, { kind, host: '127.0.0.1', port, ...half });
    else collector.skip(file, line, reason);
  } else if (typeof account === 'string') collector.skip(file, line, `${name}: ${account}`);
  else {
    const { unnamed, ...parts } = account;
    const what = one === undefined ? name : `${name}#${one}`;
    const place = { what, file, line, environment: service.forTests ? 'test' : '', ...marks, unnamed };
    collector.server(app, place, { kind, host: published.host, port: published.port, ...parts });
  }
}

/** Where each image takes the name of its database from. */
const DATABASE_VARIABLES = {
  postgres: ['POSTGRES_DB', 'POSTGRESQL_DB', 'POSTGRESQL_DATABASE'],
  mysql2: ['MYSQL_DATABASE', 'MARIADB_DATABASE'],
  mssql: ['MSSQL_DATABASE'],
} as const satisfies Record<ServerKind, readonly string[]>;

const MAX_NAMED = 10;

/** A container that names no database gets the one that the other services' variables name, if they agree on one. */
function completed(services: readonly ComposeService[], service: ComposeService, kind: ServerKind): ServiceEnvironment {
  const [database, ...more] = namedBeside(services, service, kind);
  return database === undefined || more.length > 0 ? service.environment : withDatabase(service, kind, database);
}

/** The databases of a container that names none, where several services each name their own. */
function severalNamed(services: readonly ComposeService[], service: ComposeService, kind: ServerKind): string[] {
  const named = namedBeside(services, service, kind);
  return named.length > 1 ? named.slice(0, MAX_NAMED) : [];
}

function withDatabase({ environment }: ComposeService, kind: ServerKind, database: string): ServiceEnvironment {
  return new Map([...environment, [DATABASE_VARIABLES[kind][0], database]]);
}

/** The databases that the other services' variables name on this server, where it names none itself. */
function namedBeside(services: readonly ComposeService[], service: ComposeService, kind: ServerKind): string[] {
  if (DATABASE_VARIABLES[kind].some((name) => service.environment.has(name))) return [];
  const others = services.filter(({ folder, forTests }) => folder === service.folder && forTests === service.forTests);
  const urls = others
    .flatMap(({ environment }) => [...environment])
    .filter(([name]) => environmentInName(name) === '' && !/SHADOW/i.test(name))
    .flatMap(([name, text]) => {
      const target = text === undefined ? undefined : serverIn(text, kind);
      const isHere = target !== undefined && service.names.includes(target.host.toLowerCase());
      return isHere && target.database !== '' ? [{ name, database: target.database }] : [];
    });
  // The usual name is the application's own; others belong to what it works with.
  const usual = urls.filter(({ name }) => name === 'DATABASE_URL').map((one) => one.database);
  const named = usual.length > 0 ? usual : urls.map((one) => one.database);
  const groups = others.flatMap(({ environment }) => besideHost(environment, service));
  return [...new Set(named.length > 0 ? named : groups)];
}

/** `DB_NAME=shop` beside `DB_HOST=db`: the databases that are named together with this service. */
function besideHost(environment: ServiceEnvironment, { names }: ComposeService): string[] {
  const parts = [...environment].flatMap(([name, text]) => {
    const part = environmentInName(name) === '' ? partOf(name) : undefined;
    return part === undefined || text === undefined || text === '' ? [] : [{ ...part, text }];
  });
  const hosts = parts.filter(
    ({ field, text }) => field === 'host' && names.includes(text.toLowerCase().replace(/:\d+$/, '')),
  );
  return hosts.flatMap(({ prefix }) => {
    const named = parts.find((part) => part.field === 'database' && part.prefix === prefix);
    return named === undefined ? [] : [named.text];
  });
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
