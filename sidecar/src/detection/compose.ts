import { posix } from 'node:path';
import type { AppFolder } from './app-folder.ts';
import { builtFrom } from './compose-build.ts';
import { ComposeFiles, type ServiceIn } from './compose-files.ts';
import {
  type ComposeReading,
  type ComposeService,
  mergeServices,
  type ServiceText,
  textOfService,
} from './compose-service.ts';
import { composeContainer } from './containers.ts';
import type { Skipped } from './detector.ts';
import type { Environment } from './environment.ts';
import type { ProjectView } from './project-view.ts';
import { expand, readDotenv, readTemplate } from './readers/dotenv.ts';
import type { Located } from './readers/located.ts';

/** Compose takes the first of these, and the override file beside it. */
const NAMES = ['compose.yaml', 'compose.yml', 'docker-compose.yml', 'docker-compose.yaml'];
/** What a compose file may be called. */
export const COMPOSE_FILE = /^(docker-)?compose([.-].*)?\.ya?ml$/;
/** Compose files of programs made by JHipster, which starts them by name; each database has its own. */
const JHIPSTER_FOLDER = 'src/main/docker';
const JHIPSTER = ['postgresql.yml', 'mysql.yml', 'mariadb.yml', 'mssql.yml', 'services.yml'];
/** Compose never reads these files alone: DDEV combines them with its own. */
const DDEV = '.ddev';
const JAVA = ['pom.xml', 'build.gradle', 'build.gradle.kts'];
/** Words of a file's name, in order: test runs, then places that serve users, then a developer's machine. */
const TESTS = /^(tests?|testing|e2e|ci|cypress|playwright|integration|specs?)$/;
const SERVING =
  /^(prod|production|staging|stage|deploy|deployment|release|live|rootless|swarm|traefik|docs|migrate|selfhost)$/;
const DEVELOPMENT =
  /^(dev|devel|development|local|devcontainer|db|dbs|database|databases|postgres|postgresql|pg|mysql|mariadb|mssql|sqlserver|infra|infrastructure|deps|dependencies|services|env|middleware|debug|example|relational)$/;

/** The services that a project's compose files define. */
export class Compose {
  readonly services: readonly ComposeService[];
  readonly skipped: readonly Skipped[];

  constructor(services: readonly ComposeService[], skipped: readonly Skipped[]) {
    this.services = services;
    this.skipped = skipped;
  }

  /** The service behind a host name inside the compose network; `folder` is where the name was found. */
  named(host: string, folder: string): ComposeService | undefined {
    const fitting = this.services.filter(({ names, forTests }) => !forTests && names.includes(host.toLowerCase()));
    const near = fitting.filter((service) => isAround(service.folder, folder));
    return near.at(-1) ?? (fitting.length === 1 ? fitting[0] : undefined);
  }
}

/** Reads the compose files of every folder that may hold an application. */
export async function readCompose(project: ProjectView, signal: AbortSignal): Promise<Compose> {
  const services: ComposeService[] = [];
  const skipped: Skipped[] = [];
  for (const app of await project.apps(signal)) {
    signal.throwIfAborted();
    services.push(...(await readFolder(app, skipped, signal)));
  }
  return new Compose(await Promise.all(services.map((service) => withRunningPorts(project, service))), skipped);
}

/** The ports that a service got when its container started. */
async function withRunningPorts(project: ProjectView, service: ComposeService): Promise<ComposeService> {
  const { name, folder, floating } = service;
  const unknown = floating.filter((container) => !service.ports.some((port) => port.container === container));
  const isContainer = composeContainer(project.spellings(folder), name, (files) => isOf(project, service, files));
  const ports = await Promise.all(
    unknown.map(async (container) => {
      const reached = await project.containers.reach(isContainer, container);
      return reached === undefined ? [] : [{ container, ...reached }];
    }),
  );
  return { ...service, ports: [...service.ports, ...ports.flat()] };
}

/** Test runs start their containers under the same names, from other files. */
function isOf(project: ProjectView, { file, forTests }: ComposeService, files: readonly string[]): boolean {
  if (forTests) return files.some((one) => project.spellings(file).includes(one));
  return files.every((one) => useOf(posix.basename(one)) !== 'tests');
}

async function readFolder(app: AppFolder, skipped: Skipped[], signal: AbortSignal): Promise<ComposeService[]> {
  if (posix.basename(app.folder) === DDEV) return [];
  const main = NAMES.find((name) => app.has(name));
  const files = main === undefined ? [] : [main, ...app.files(COMPOSE_FILE).filter((name) => isOverride(name, main))];
  const others = app.files(COMPOSE_FILE).filter((name) => !files.includes(name));
  const environment = await app.project.environment(app, signal);
  const put = (source: string): string | undefined => interpolate(source, environment);
  const composed = new ComposeFiles({ project: app.project, interpolate: put, skip: (one) => skipped.push(one) });
  const texts = async (names: readonly string[]): Promise<Map<string, ServiceText[]>> => {
    const all = new Map<string, ServiceText[]>();
    for (const name of names) {
      for (const service of await composed.services(app.path(name))) {
        const parts = await textsOf(service, composed, app.project, put);
        all.set(service.name, [...(all.get(service.name) ?? []), ...parts]);
      }
    }
    return all;
  };
  const base = await texts(files);
  const services = [...base].map(([name, parts]) => mergeServices(name, app.folder, parts));
  // Each of the others stands alone or is an override of the usual file.
  const started = await startedFiles(app);
  for (const name of [...others, ...started]) {
    if (composed.has(posix.normalize(app.path(name)))) continue;
    const use = useOf(name, started.includes(name));
    if (use === undefined) skipped.push({ file: app.path(name), reason: NOT_READ });
    else addServices(services, await texts([name]), base, { folder: app.folder, forTests: use === 'tests' });
  }
  const isJava = app.has('src') && JAVA.some((name) => app.has(name));
  for (const name of isJava ? JHIPSTER : []) {
    const file = posix.join(JHIPSTER_FOLDER, name);
    addServices(services, await texts([file]), base, { folder: app.folder, forTests: false });
  }
  return services;
}

const NOT_READ = 'is not a file that compose reads by default; name its database in .devdbrc';

/** `docker compose -f postgres.yml -f shop.yml up` */
const STARTS = /\bdocker[- ]compose((?: (?:-f|--file)[ =][\w.-]{1,80}){1,9})/g;

/** The compose files under other names that a Makefile or a script of package.json starts. */
async function startedFiles(app: AppFolder): Promise<readonly string[]> {
  const names = new Set<string>();
  for (const list of ['Makefile', 'package.json'].filter((name) => app.has(name))) {
    const read = await app.read(list);
    for (const [, files = ''] of read.state === 'text' ? read.text.matchAll(STARTS) : []) {
      for (const name of files.split(/[ =]/)) if (/\.ya?ml$/.test(name) && !COMPOSE_FILE.test(name)) names.add(name);
    }
  }
  return [...names];
}

/** What is started by name is for development unless its name says otherwise. */
function useOf(name: string, isStarted = false): 'tests' | 'development' | undefined {
  const words = name.toLowerCase().split(/[.-]/);
  if (words.some((word) => TESTS.test(word))) return 'tests';
  return !words.some((word) => SERVING.test(word)) && (isStarted || words.some((word) => DEVELOPMENT.test(word)))
    ? 'development'
    : undefined;
}

/** A service that this machine can reach already stays as it is. */
function addServices(
  services: ComposeService[],
  texts: ReadonlyMap<string, readonly ServiceText[]>,
  base: ReadonlyMap<string, readonly ServiceText[]>,
  { folder, forTests }: { readonly folder: string; readonly forTests: boolean },
): void {
  for (const [name, parts] of texts) {
    const at = services.findIndex((service) => service.name === name && !service.forTests);
    if ((services[at]?.ports.length ?? 0) > 0) continue;
    const merged = { ...mergeServices(name, folder, [...(base.get(name) ?? []), ...parts]), forTests };
    // What publishes a port says where the service is.
    const own = parts.find(({ ports, floating }) => ports.length + floating.length > 0);
    const service = own === undefined ? merged : { ...merged, file: own.file, line: own.line };
    if (at === -1 || forTests) services.push(service);
    else services[at] = service;
  }
}

/** A service's definitions, after those of the services it extends. */
async function textsOf(
  service: ServiceIn,
  composed: ComposeFiles,
  project: ProjectView,
  put: (source: string) => string | undefined,
): Promise<ServiceText[]> {
  const texts: ServiceText[] = [];
  const seen = new Set<Located>();
  for (let one: ServiceIn | undefined = service; one !== undefined && !seen.has(one.value); ) {
    seen.add(one.value);
    const { folder } = one.file;
    const envFile = (path: string) => readEnvFile(project, folder, path);
    const reading = { file: service.file.file, interpolate: put, envFile, built: builtIn(project, folder) };
    const text = await textOfService(one.value, reading);
    texts.unshift({ ...text, line: service.value.line });
    one = await composed.extended(one);
  }
  return texts;
}

function builtIn(project: ProjectView, folder: string): ComposeReading['built'] {
  return (build, put) => builtFrom(project, folder, build, put);
}

function isOverride(name: string, main: string): boolean {
  const stem = main.replace(/\.ya?ml$/, '');
  return name === `${stem}.override.yml` || name === `${stem}.override.yaml`;
}

/** Fills in variables as compose does; undefined when one has no value. */
function interpolate(source: string, environment: Environment): string | undefined {
  const { value, missing } = expand(readTemplate(source), (name) => {
    const resolved = environment.resolve(name);
    return resolved.state === 'set' ? { name, line: 0, segments: [{ kind: 'text', text: resolved.text }] } : undefined;
  });
  return missing.length > 0 ? undefined : value;
}

async function readEnvFile(project: ProjectView, folder: string, path: string): Promise<ReadonlyMap<string, string>> {
  const file = posix.normalize(posix.join(folder, path));
  if (posix.isAbsolute(path) || file.startsWith('..')) return new Map();
  const read = await project.read(file);
  if (read.state !== 'text') return new Map();
  const { entries } = readDotenv(read.text);
  const lookup = (name: string) => entries.findLast((entry) => entry.name === name);
  return new Map(entries.map(({ name, segments }) => [name, expand(segments, lookup, [name]).value]));
}

/** Whether a folder is another one or has it below itself. */
export function isAround(outer: string, inner: string): boolean {
  return outer === '' || inner === outer || inner.startsWith(`${outer}/`);
}
