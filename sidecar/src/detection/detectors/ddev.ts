import { ENGINES, type ServerKind } from '@devdb/shared/engines';
import type { AppFolder } from '../app-folder.ts';
import { Collector } from '../collector.ts';
import { ACCOUNTS, engineOf } from '../compose-server.ts';
import { type ServiceText, textOfService } from '../compose-service.ts';
import { ddevContainer } from '../containers.ts';
import type { Detector } from '../detector.ts';
import { at, entriesOf, type Located, textOf } from '../readers/located.ts';
import { readYaml } from '../readers/yaml.ts';

const NAME = 'ddev';
const FOLDER = '.ddev';
/** DDEV uses the same user, password and database in every project. */
const ACCOUNT = 'db';

/** The database of a DDEV project. Its port is in the files only when it is fixed there. */
export const ddev: Detector = {
  name: NAME,
  looksFor: ['.ddev/config.yaml', '.ddev/config.*.yaml', '.ddev/docker-compose.*.yaml'],
  async detect(project, signal) {
    const collector = new Collector(NAME);
    for (const app of await project.apps(signal)) {
      if (app.has(FOLDER)) await readProject(app, collector, signal);
    }
    return collector.detection;
  },
};

interface Setting {
  readonly value: Located;
  readonly file: string;
}

async function readProject(app: AppFolder, collector: Collector, signal: AbortSignal): Promise<void> {
  const settings = new Map<string, Setting>();
  const main = app.path(`${FOLDER}/config.yaml`);
  for (const file of [main, ...(await overrides(app, signal))]) {
    const text = await collector.textOf(app, file);
    if (text === undefined) continue;
    const { value, problems } = readYaml(text);
    for (const { line, reason } of problems) collector.skip(file, line, reason, true);
    for (const [name, setting] of value?.kind === 'object' ? value.entries : []) {
      settings.set(name, { value: setting, file });
    }
  }
  if (settings.size > 0)
    await addDatabase(app, collector, settings, main, await composeServices(app, collector, signal));
}

async function overrides(app: AppFolder, signal: AbortSignal): Promise<string[]> {
  const listing = await app.project.list(app.path(FOLDER), { files: /^config\..+\.ya?ml$/ }, signal);
  return listing.state === 'listed' ? listing.items.map(({ name }) => app.path(`${FOLDER}/${name}`)) : [];
}

interface Service extends ServiceText {
  readonly name: string;
}

/** The services of the project's own compose files. */
async function composeServices(app: AppFolder, collector: Collector, signal: AbortSignal): Promise<readonly Service[]> {
  const listing = await app.project.list(app.path(FOLDER), { files: /^docker-compose\..+\.ya?ml$/ }, signal);
  if (listing.state !== 'listed') return [];
  const found: Service[] = [];
  for (const { name } of listing.items) {
    const file = app.path(`${FOLDER}/${name}`);
    const text = await collector.textOf(app, file);
    // DDEV sets the variables when it starts.
    const interpolate = (source: string): string | undefined => (source.includes('$') ? undefined : source);
    for (const [service, value] of text === undefined ? [] : entriesOf(at(readYaml(text).value, 'services'))) {
      const read = await textOfService(value, { file, interpolate, envFile: async () => new Map() });
      found.push({ ...read, name: service });
    }
  }
  return found;
}

async function addDatabase(
  app: AppFolder,
  collector: Collector,
  settings: ReadonlyMap<string, Setting>,
  main: string,
  services: readonly Service[],
): Promise<void> {
  const database = settings.get('database');
  const { file, line } = { file: database?.file ?? main, line: database?.value.line ?? 1 };
  const omitted = settings.get('omit_containers')?.value;
  if (omitted?.kind === 'array' && omitted.items.some((item) => textOf(item) === 'db')) {
    const own = addServices(app, collector, services);
    if (!own) collector.skip(file, omitted.line, 'the DDEV project has no database container (omit_containers)');
    return;
  }
  // DDEV defaults to MariaDB.
  const type = (textOf(at(database?.value, 'type')) ?? 'mariadb').toLowerCase();
  const version = textOf(at(database?.value, 'version'));
  const kind = type === 'postgres' ? 'postgres' : type === 'mysql' || type === 'mariadb' ? 'mysql2' : undefined;
  if (kind === undefined) {
    collector.skip(file, line, 'the DDEV database is of a type that DevDB does not support');
    return;
  }
  const reached = await reachOf(app, kind, settings, services);
  if (reached === undefined) {
    const what = version === undefined ? type : `${type} ${version}`;
    const reason = `the DDEV database (${what}) gets its port only while DDEV runs: set host_db_port in ${main} to fix it, or take the port that \`ddev describe -j\` shows into .devdbrc`;
    collector.skip(file, line, reason);
    return;
  }
  const place = { what: ACCOUNT, file: reached.file ?? file, line: reached.line ?? line };
  const account = { user: ACCOUNT, password: ACCOUNT, database: ACCOUNT };
  collector.server(app, place, { kind, host: reached.host, port: reached.port, ...account });
}

/** The databases of a project that has its own instead of DDEV's. */
function addServices(app: AppFolder, collector: Collector, services: readonly Service[]): boolean {
  let found = false;
  for (const service of services) {
    const { name, file, line, ports, environment } = service;
    const kind = engineOf(service);
    const published = kind && ports.find(({ container }) => container === (service.listens ?? ENGINES[kind].port));
    if (kind === undefined || published === undefined) continue;
    found = true;
    const account = ACCOUNTS[kind](environment);
    const place = { what: name, file, line };
    if (typeof account === 'string') collector.skip(file, line, `${name}: ${account}`);
    else collector.server(app, place, { kind, host: published.host, port: published.port, ...account });
  }
  return found;
}

interface DatabasePort {
  readonly host: string;
  readonly port: number | string | undefined;
  /** What fixes it. */
  readonly file?: string;
  readonly line?: number;
}

/** The port that is fixed, or that the project's compose files publish, or that the container has now. */
async function reachOf(
  app: AppFolder,
  kind: ServerKind,
  settings: ReadonlyMap<string, Setting>,
  services: readonly Service[],
): Promise<DatabasePort | undefined> {
  const fixed = settings.get('host_db_port');
  if (fixed !== undefined) {
    return { host: '127.0.0.1', port: textOf(fixed.value), file: fixed.file, line: fixed.value.line };
  }
  const own = services
    .filter(({ name }) => name === 'db')
    .flatMap(({ ports, file, line }) => ports.map((port) => ({ ...port, file, line })))
    .findLast(({ container }) => container === ENGINES[kind].port);
  if (own !== undefined) return own;
  const isContainer = ddevContainer(app.project.spellings(app.folder));
  return await app.project.containers.reach(isContainer, ENGINES[kind].port);
}
