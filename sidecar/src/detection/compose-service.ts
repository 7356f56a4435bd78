import { posix } from 'node:path';
import type { Built } from './compose-build.ts';
import { at, entriesOf, type Located, textOf } from './readers/located.ts';

/** A container port that this machine can reach. */
export interface PublishedPort {
  readonly container: number;
  readonly host: string;
  readonly port: number;
}

/** A container's variables; a value that the files do not determine is undefined. */
export type ServiceEnvironment = ReadonlyMap<string, string | undefined>;

/** One service of a compose file, with overrides applied. */
export interface ComposeService {
  readonly name: string;
  /** Relative to the project's root: the compose file's folder. */
  readonly folder: string;
  /** All its names inside the network, in lower case. */
  readonly names: readonly string[];
  readonly image: string | undefined;
  /** What its own image is built from. */
  readonly base: string | undefined;
  readonly environment: ServiceEnvironment;
  /** The port that its command or a variable sets instead of the engine's usual one. */
  readonly listens: number | undefined;
  readonly ports: readonly PublishedPort[];
  /** Container ports that get a host port only when the container starts. */
  readonly floating: readonly number[];
  readonly file: string;
  readonly line: number;
  /** Its image is made here, so it is one of the project's own programs. */
  readonly builds: boolean;
  /** Folders of the project that are in the container, relative to the project's root. */
  readonly mounts: readonly string[];
  /** The services that it needs, in lower case. */
  readonly dependsOn: readonly string[];
  /** From a file that is for test runs. */
  readonly forTests: boolean;
}

/** What one file defines for a service. */
export interface ServiceText extends Omit<ComposeService, 'name' | 'folder' | 'names' | 'forTests'> {
  readonly aliases: readonly string[];
}

/** How values are put into a compose file's texts. */
export interface ComposeReading {
  readonly file: string;
  readonly interpolate: (source: string) => string | undefined;
  readonly envFile: (path: string) => Promise<ReadonlyMap<string, string>>;
  /** Without it a service that is built has no image. */
  readonly built?: ((build: Located, put: Put) => Promise<Built | undefined>) | undefined;
}

type Ports = Pick<ComposeService, 'ports' | 'floating'>;

/** Reads one file's definition of a service. */
export async function textOfService(service: Located, reading: ComposeReading): Promise<ServiceText> {
  const put = (value: Located | undefined): string | undefined => {
    const text = textOf(value);
    return text === undefined ? undefined : reading.interpolate(text);
  };
  const ports = portsOf(at(service, 'ports'), put);
  const build = at(service, 'build');
  // Of a service that publishes nothing it does not matter what it is.
  const publishes = ports.ports.length + ports.floating.length > 0;
  const built = build && publishes ? await reading.built?.(build, put) : undefined;
  const environment = new Map<string, string | undefined>(built?.environment);
  for (const path of envFilesOf(at(service, 'env_file'), put)) {
    for (const [name, value] of await reading.envFile(path)) environment.set(name, value);
  }
  for (const [name, value] of environmentOf(at(service, 'environment'), reading)) environment.set(name, value);
  return {
    aliases: aliasesOf(service, put),
    image: put(at(service, 'image')),
    base: built?.image,
    builds: at(service, 'build') !== undefined,
    mounts: mountsOf(at(service, 'volumes'), posix.dirname(reading.file), put),
    dependsOn: dependsOn(at(service, 'depends_on'), put),
    environment,
    listens: listensOn(at(service, 'command'), environment, put),
    ...ports,
    file: reading.file,
    line: service.line,
  };
}

/** Combines a file with its overrides: lists are extended, single values replaced. */
export function mergeServices(name: string, folder: string, parts: readonly ServiceText[]): ComposeService {
  const [first] = parts;
  return {
    name,
    folder,
    names: [name, ...parts.flatMap(({ aliases }) => aliases)].map((one) => one.toLowerCase()),
    image: parts.findLast(({ image }) => image !== undefined)?.image,
    base: parts.findLast(({ base }) => base !== undefined)?.base,
    builds: parts.some(({ builds }) => builds),
    mounts: parts.flatMap(({ mounts }) => mounts),
    dependsOn: parts.flatMap((part) => part.dependsOn),
    environment: new Map(parts.flatMap(({ environment }) => [...environment])),
    listens: parts.findLast(({ listens }) => listens !== undefined)?.listens,
    ports: parts.flatMap(({ ports }) => ports),
    floating: parts.flatMap(({ floating }) => floating),
    file: first?.file ?? '',
    line: first?.line ?? 1,
    forTests: false,
  };
}

/** `--port=4001`, `-p 5433`, or the variable that a server of this image takes its port from. */
function listensOn(command: Located | undefined, environment: ServiceEnvironment, put: Put): number | undefined {
  const words = command?.kind === 'array' ? command.items.map(put) : [put(command)];
  const [, said] = /(?:^|\s)(?:--port|-p|-c\s+port)[=\s]\s*(\d{1,5})(?=\s|$)/.exec(words.join(' ')) ?? [];
  return portOf(said ?? environment.get('MYSQL_TCP_PORT') ?? environment.get('PGPORT'));
}

type Put = (value: Located | undefined) => string | undefined;

function aliasesOf(service: Located, put: Put): string[] {
  const networks = entriesOf(at(service, 'networks')).flatMap(([, network]) => itemsOf(at(network, 'aliases')));
  const named = [at(service, 'container_name'), at(service, 'hostname'), ...networks];
  return named.map(put).filter((name) => name !== undefined);
}

/** A list of names, or conditions by name. */
function dependsOn(value: Located | undefined, put: Put): string[] {
  const names = value?.kind === 'array' ? value.items.map(put) : entriesOf(value).map(([name]) => name);
  return names.flatMap((name) => (name === undefined ? [] : [name.toLowerCase()]));
}

/** `./app:/usr/src/app`, or the source of a bind; volumes with a name are none of the project's folders. */
function mountsOf(value: Located | undefined, folder: string, put: Put): string[] {
  return itemsOf(value).flatMap((item) => {
    const source = item.kind === 'object' ? put(at(item, 'source')) : /^([^:]+):/.exec(put(item) ?? '')?.[1];
    if (source === undefined || !/^\.{1,2}(\/|$)/.test(source)) return [];
    const path = posix.join(folder, source).replace(/\/$/, '');
    return path.startsWith('..') ? [] : [path === '.' ? '' : path];
  });
}

function envFilesOf(value: Located | undefined, put: Put): string[] {
  const items = value?.kind === 'array' ? value.items : value ? [value] : [];
  return items.map((item) => put(at(item, 'path') ?? item)).filter((path) => path !== undefined);
}

function environmentOf(
  value: Located | undefined,
  { interpolate }: ComposeReading,
): (readonly [string, string | undefined])[] {
  const put = (text: string | undefined) => (text === undefined ? undefined : interpolate(text));
  if (value?.kind !== 'array') return entriesOf(value).map(([name, item]) => [name, put(textOf(item))]);
  return itemsOf(value).flatMap((item) => {
    const text = textOf(item) ?? '';
    const [, name = '', rest] = /^([^=]+)(?:=([\s\S]*))?$/.exec(text) ?? [];
    if (name === '') return [];
    // A bare name passes on the variable of the environment.
    return [[name, put(rest ?? `\${${name}}`)] as const];
  });
}

function portsOf(value: Located | undefined, put: Put): Ports {
  const ports: PublishedPort[] = [];
  const floating: number[] = [];
  for (const item of itemsOf(value)) {
    const port = item.kind === 'object' ? longPort(item, put) : shortPort(put(item) ?? '');
    if (port === undefined) continue;
    if (port.port === undefined) floating.push(port.container);
    else ports.push({ container: port.container, host: port.host, port: port.port });
  }
  return { ports, floating };
}

interface PortText {
  readonly container: number;
  readonly host: string;
  readonly port: number | undefined;
}

function longPort(item: Located, put: Put): PortText | undefined {
  const container = portOf(put(at(item, 'target')));
  if (container === undefined || (put(at(item, 'protocol')) ?? 'tcp') !== 'tcp') return undefined;
  return { container, host: reachable(put(at(item, 'host_ip'))), port: portOf(put(at(item, 'published'))) };
}

/** `[[host:]published:]container[/protocol]`; a range gives no single port. */
export function shortPort(text: string): PortText | undefined {
  const match = /^(?:(?:(\[[^\]]+\]|[^:]+):)?(\d*):)?(\d+)(?:\/tcp)?$/.exec(text.trim());
  const container = portOf(match?.[3]);
  return container === undefined ? undefined : { container, host: reachable(match?.[1]), port: portOf(match?.[2]) };
}

function portOf(text: string | undefined): number | undefined {
  const port = /^\d{1,5}$/.test(text ?? '') ? Number(text) : 0;
  return port > 0 && port < 65_536 ? port : undefined;
}

/** A port published on every address can be reached on loopback. */
function reachable(host: string | undefined): string {
  const plain = (host ?? '').replace(/^\[(.*)\]$/, '$1');
  return plain === '' || plain === '0.0.0.0' || plain === '::' ? '127.0.0.1' : plain;
}

function itemsOf(value: Located | undefined): readonly Located[] {
  return value?.kind === 'array' ? value.items : [];
}
