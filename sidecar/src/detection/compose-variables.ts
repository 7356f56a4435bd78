import { posix } from 'node:path';
import type { EngineKind } from '@devdb/shared/engines';
import { COMPOSE_FILE, type Compose, isAround } from './compose.ts';
import { engineOf } from './compose-server.ts';
import type { ServiceEnvironment } from './compose-service.ts';
import type { ProjectView } from './project-view.ts';
import { engineKindOf } from './readers/engine-names.ts';
import { readDatabaseUrl } from './readers/url.ts';

/**
 * The URL that a compose service gets in one of these variables, where the program's fallback is not what it uses: the
 * URL names a server of the same engine whose port is published, or the program's own container gets another engine.
 */
export function urlInCompose(
  compose: Compose,
  folder: string,
  variables: readonly string[],
  fallback: string,
): string | undefined {
  if (variables.length === 0) return undefined;
  const { kind } = readDatabaseUrl(fallback);
  if (kind === 'sqlite' || kind === 'problem') return undefined;
  for (const { environment, forTests, builds } of compose.services) {
    for (const text of forTests ? [] : variables.flatMap((variable) => environment.get(variable) ?? [])) {
      const url = readDatabaseUrl(text);
      if (url.kind === 'problem' || url.kind === 'sqlite') continue;
      const { host, port } = url.target;
      const server = compose.named(host, folder);
      const isPublished = server?.ports.some(({ container }) => container === port) === true;
      if (url.kind === kind ? isPublished : builds && server && engineOf(server) === url.kind) return text;
    }
  }
  return undefined;
}

/**
 * Whether the application's own container, which has the application's folder in it, is given another file of SQLite in
 * one of these variables than their fallback names: where the container keeps it, the program does not use the fallback.
 */
export function opensOtherFile(
  { services }: Compose,
  folder: string,
  variables: readonly string[],
  fallback: string,
): boolean {
  const named = sqliteFileIn(fallback);
  if (named === undefined) return false;
  return services.some(({ environment, forTests, builds, mounts }) => {
    if (forTests || !builds || !mounts.some((mount) => isAround(mount, folder))) return false;
    const given = variables.map((variable) => sqliteFileIn(environment.get(variable) ?? ''));
    return given.some((file) => file !== undefined && file !== named);
  });
}

/** The file's own name: its folders differ inside the container. */
function sqliteFileIn(text: string): string | undefined {
  const url = readDatabaseUrl(text);
  return url.kind === 'sqlite' ? posix.basename(url.paths[0] ?? '') : undefined;
}

/**
 * Whether compose gives the program an engine that no file names: it sets a variable whose fallback chose `kind` from
 * one that is unset, or starts a server of another engine whose own variables are unset.
 */
export function leavesEngineOpen(
  compose: Compose,
  folder: string,
  variables: readonly string[],
  kind: EngineKind,
): boolean {
  if (variables.length === 0) return false;
  const isUnset = (value: string | undefined): boolean => value === undefined;
  return compose.services.some((service) => {
    const { environment, forTests } = service;
    if (forTests || !isAround(service.folder, folder)) return false;
    if (variables.some((name) => environment.has(name) && isUnset(environment.get(name)))) return true;
    const engine = engineOf(service);
    return engine !== undefined && engine !== kind && [...environment.values()].some(isUnset);
  });
}

/**
 * The variables of the application's own container where it is how the application runs in development: the container
 * has the application's folder in it, and a variable whose fallback chose `kind` names the engine of another server,
 * which this machine reaches.
 */
export function ofOtherEngine(
  { services }: Compose,
  folder: string,
  variables: readonly string[],
  kind: EngineKind,
): ServiceEnvironment | undefined {
  const near = services.filter((service) => !service.forTests && isAround(service.folder, folder));
  const isReached = (engine: EngineKind): boolean =>
    near.some((service) => engineOf(service) === engine && service.ports.length > 0);
  const own = near.find(({ builds, mounts, environment }) => {
    if (!builds || !mounts.some((mount) => isAround(mount, folder))) return false;
    return variables.some((variable) => {
      const text = environment.get(variable);
      const said = text === undefined ? undefined : engineKindOf(text.slice(text.lastIndexOf('.') + 1));
      return said !== undefined && said !== 'sqlite' && said !== kind && isReached(said);
    });
  });
  return own?.environment;
}

/** `- ${SHOP_DB_PORT:-5433}:${POSTGRES_PORT}`, with or without an address and quotes. */
const PUBLISHED = /\$\{(\w{1,100})(?::?[-?][^{}]{0,100})?\}:\$\{(\w{1,100})(?::?[-?][^{}]{0,100})?\}/g;

/**
 * The variable under whose port compose files publish the port inside a container that the variable `inner` has. Files
 * that compose does not read by default count too: the variables are for whoever starts them.
 */
export async function publishedBy(
  project: ProjectView,
  inner: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  const outer = new Set<string>();
  for (const app of await project.apps(signal)) {
    for (const name of app.files(COMPOSE_FILE)) {
      const read = await app.read(name);
      for (const [, published = '', container] of read.state === 'text' ? read.text.matchAll(PUBLISHED) : [])
        if (container === inner) outer.add(published);
    }
  }
  const [only, ...more] = outer;
  return more.length > 0 ? undefined : only;
}
