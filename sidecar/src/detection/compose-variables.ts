import type { Compose } from './compose.ts';
import { readDatabaseUrl } from './readers/url.ts';

/**
 * The URL that a compose service gets in one of these variables, where the program's fallback names a server of the
 * same engine: who starts the project with compose has its server at the port that the service publishes.
 */
export function urlInCompose(
  compose: Compose,
  folder: string,
  variables: readonly string[],
  fallback: string,
): string | undefined {
  if (variables.length === 0) return undefined;
  const { kind } = readDatabaseUrl(fallback);
  const texts = compose.services
    .filter(({ forTests }) => !forTests)
    .flatMap(({ environment }) => variables.flatMap((variable) => environment.get(variable) ?? []));
  return texts.find((text) => {
    const url = readDatabaseUrl(text);
    if (url.kind !== kind || url.kind === 'problem' || url.kind === 'sqlite') return false;
    const { host, port } = url.target;
    return compose.named(host, folder)?.ports.some(({ container }) => container === port) === true;
  });
}
