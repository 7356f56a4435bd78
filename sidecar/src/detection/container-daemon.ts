import { lstatSync, statSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { hasCode } from '../host/error-code.ts';
import type { LogEvent } from '../host/log.ts';
import type { RunningContainer } from './container-listing.ts';
import { CONTAINERS_ANSWER_MS, MAX_CONTAINERS_BYTES } from './limits.ts';
import type { ProcessEnv } from './project-view.ts';

/** Where Docker or Podman listens, and how long an answer may take. */
export interface ContainerDaemon {
  readonly sockets: readonly string[];
  readonly timeoutMs: number;
}

/** DDEV, Lando and wp-env start their containers by compose too. */
const FILTERS = { label: ['com.docker.compose.service'], status: ['running'] };
const PATH = `/containers/json?filters=${encodeURIComponent(JSON.stringify(FILTERS))}`;

/**
 * The daemon that this user's variables lead to; undefined where it is switched off or elsewhere. Only a socket of this
 * machine is asked: behind a TCP address there may be anybody. Inside a container the usual places lead to the machine
 * outside, so there the user has to name the socket.
 */
export function containerDaemon(env: ProcessEnv, insideContainer: boolean): ContainerDaemon | undefined {
  if (/^(off|0|false|no)$/i.test(env['DEVDB_CONTAINERS'] ?? '') || process.platform === 'win32') return undefined;
  const host = env['DOCKER_HOST'] ?? '';
  const named = /^unix:\/\/(\/.+)$/.exec(host)?.[1];
  if (named === undefined && (host !== '' || insideContainer)) return undefined;
  return { sockets: named === undefined ? usualSockets(env) : [named], timeoutMs: CONTAINERS_ANSWER_MS };
}

function usualSockets({ HOME: home = '', XDG_RUNTIME_DIR: runtime = '' }: ProcessEnv): string[] {
  const ofUser = runtime.startsWith('/')
    ? ['docker.sock', 'podman/podman.sock'].map((name) => join(runtime, name))
    : [];
  const ofHome = home.startsWith('/')
    ? ['.docker/run/docker.sock', '.orbstack/run/docker.sock', '.colima/default/docker.sock'].map((name) =>
        join(home, name),
      )
    : [];
  return ['/var/run/docker.sock', '/run/podman/podman.sock', ...ofUser, ...ofHome];
}

/** What runs now, by one read-only question to each daemon. One that fails or is late has no containers. */
export async function runningContainers(
  { sockets, timeoutMs }: ContainerDaemon,
  log: LogEvent,
): Promise<readonly RunningContainer[]> {
  const deadline = AbortSignal.timeout(timeoutMs);
  const asked = sockets.map(async (socket) => {
    try {
      return isOwnSocket(socket) ? await ask(socket, deadline) : [];
    } catch (error) {
      if (!IS_ABSENT.some((code) => hasCode(error, code))) log('containers unknown', { socket, error });
      return [];
    }
  });
  return (await Promise.all(asked)).flat();
}

/** Not installed, or not for this user. */
const IS_ABSENT = ['ENOENT', 'ENOTDIR', 'EACCES'];

/** A socket that this user or the system has made; what others put in its place is not asked. */
function isOwnSocket(path: string): boolean {
  const found = statSync(path);
  return found.isSocket() && [found, lstatSync(path)].every(({ uid }) => uid === 0 || uid === process.getuid?.());
}

async function ask(socketPath: string, signal: AbortSignal): Promise<readonly RunningContainer[]> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const question = request({ socketPath, path: PATH, agent: false, signal, headers: { host: 'localhost' } });
  question.once('error', reject);
  question.once('response', (answer) => {
    answer.once('error', reject);
    if (answer.statusCode !== 200) answer.destroy(new Error(`status ${answer.statusCode}`));
    const chunks: Buffer[] = [];
    let bytes = 0;
    answer.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > MAX_CONTAINERS_BYTES) answer.destroy(new Error('the answer is too long'));
      else chunks.push(chunk);
    });
    answer.once('end', () => resolve(Buffer.concat(chunks).toString('utf8')));
  });
  question.end();
  const { readListing } = await import('./container-listing.ts');
  return readListing(await promise);
}
