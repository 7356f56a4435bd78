import { posix } from 'node:path';
import type { AppFolder } from './app-folder.ts';
import { type ComposeService, mergeServices, type ServiceText, textOfService } from './compose-service.ts';
import type { Skipped } from './detector.ts';
import type { Environment } from './environment.ts';
import type { ProjectView } from './project-view.ts';
import { expand, readDotenv, readTemplate } from './readers/dotenv.ts';
import { at, entriesOf, type Located } from './readers/located.ts';
import { readYaml } from './readers/yaml.ts';

/** Compose takes the first of these and the override beside it. */
const NAMES = ['compose.yaml', 'compose.yml', 'docker-compose.yml', 'docker-compose.yaml'];
const ANY = /^(docker-)?compose([.-].*)?\.ya?ml$/;

/** The services that a project's compose files describe. */
export class Compose {
  readonly services: readonly ComposeService[];
  readonly skipped: readonly Skipped[];

  constructor(services: readonly ComposeService[], skipped: readonly Skipped[]) {
    this.services = services;
    this.skipped = skipped;
  }

  /** The service that a host name stands for inside the compose network; `folder` is where the name was read. */
  named(host: string, folder: string): ComposeService | undefined {
    const fitting = this.services.filter(({ names }) => names.includes(host.toLowerCase()));
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
  return new Compose(services, skipped);
}

async function readFolder(app: AppFolder, skipped: Skipped[], signal: AbortSignal): Promise<ComposeService[]> {
  const main = NAMES.find((name) => app.has(name));
  const files = main === undefined ? [] : [main, ...app.files(ANY).filter((name) => isOverride(name, main))];
  for (const name of app.files(ANY)) {
    if (files.includes(name)) continue;
    skipped.push({
      file: app.path(name),
      reason: 'is not what compose reads by itself; name its database in .devdbrc',
    });
  }
  const environment = await app.project.environment(app, signal);
  const texts = new Map<string, ServiceText[]>();
  for (const name of files) {
    for (const [service, value] of await readServices(app, name, skipped)) {
      const text = await textOfService(value, {
        file: app.path(name),
        interpolate: (source) => interpolate(source, environment),
        envFile: (path) => readEnvFile(app, path),
      });
      texts.set(service, [...(texts.get(service) ?? []), text]);
    }
  }
  return [...texts].map(([name, parts]) => mergeServices(name, app.folder, parts));
}

function isOverride(name: string, main: string): boolean {
  const stem = main.replace(/\.ya?ml$/, '');
  return name === `${stem}.override.yml` || name === `${stem}.override.yaml`;
}

async function readServices(
  app: AppFolder,
  name: string,
  skipped: Skipped[],
): Promise<readonly (readonly [string, Located])[]> {
  const file = app.path(name);
  const read = await app.read(name);
  if (read.state === 'refused') skipped.push({ file, reason: read.reason });
  if (read.state !== 'text') return [];
  const { value, problems } = readYaml(read.text);
  skipped.push(...problems.map(({ line, reason }): Skipped => ({ file, line, reason, mistake: true })));
  const include = at(value, 'include');
  if (include) skipped.push({ file, line: include.line, reason: 'includes other compose files, which are not read' });
  return problems.length > 0 ? [] : entriesOf(at(value, 'services'));
}

/** Puts variables in as compose does; undefined when one has no value. */
function interpolate(source: string, environment: Environment): string | undefined {
  const { value, missing } = expand(readTemplate(source), (name) => {
    const resolved = environment.resolve(name);
    return resolved.state === 'set' ? { name, line: 0, segments: [{ kind: 'text', text: resolved.text }] } : undefined;
  });
  return missing.length > 0 ? undefined : value;
}

async function readEnvFile(app: AppFolder, path: string): Promise<ReadonlyMap<string, string>> {
  const file = posix.normalize(app.path(path));
  if (posix.isAbsolute(path) || file.startsWith('..')) return new Map();
  const read = await app.project.read(file);
  if (read.state !== 'text') return new Map();
  const { entries } = readDotenv(read.text);
  const lookup = (name: string) => entries.findLast((entry) => entry.name === name);
  return new Map(entries.map(({ name, segments }) => [name, expand(segments, lookup, [name]).value]));
}

function isAround(outer: string, inner: string): boolean {
  return outer === '' || inner === outer || inner.startsWith(`${outer}/`);
}
