import type { EngineKind } from '@devdb/shared/engines';
import { type Compose, isAround } from './compose.ts';
import { engineOf } from './compose-server.ts';
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
