import { existsSync } from 'node:fs';
import { connect } from 'node:net';
import { ENGINES } from '@devdb/shared/engines';
import type { ServerTarget } from '../engines/engine.ts';
import type { Finding } from './detector.ts';
import type { ProcessEnv } from './project-view.ts';

/** What Docker and Podman leave in a container. */
const LEFT = ['/.dockerenv', '/run/.containerenv'];
/** What Codespaces and development containers set in one. */
const SET = ['CODESPACES', 'REMOTE_CONTAINERS', 'DEVCONTAINER'];

/** Whether this process runs inside a container. */
export function isInsideContainer(env: ProcessEnv, exists: (path: string) => boolean = existsSync): boolean {
  return SET.some((name) => (env[name] ?? '') !== '') || LEFT.some(exists);
}

/** An open port on loopback answers at once. */
const ANSWER_MS = 200;

/**
 * A compose service as a container sees it: by its name in the common network, unless its published port answers on
 * loopback. Only loopback is asked; a name that a repository gives is never looked up here.
 */
export async function insideContainer(finding: Finding, answers = loopbackAnswers): Promise<Finding> {
  const { target, source, kind, id } = finding;
  if ('file' in target || source.by !== 'compose' || kind === 'sqlite') return finding;
  if (await answers(target)) return finding;
  const name = /(?:^compose:|\/)([^/]+)$/.exec(id)?.[1];
  return name === undefined ? finding : { ...finding, target: { ...target, host: name, port: ENGINES[kind].port } };
}

function loopbackAnswers({ host, port }: Pick<ServerTarget, 'host' | 'port'>): Promise<boolean> {
  if (!/^(localhost|127\.\d+\.\d+\.\d+|::1)$/.test(host)) return Promise.resolve(false);
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connect({ host: host === 'localhost' ? '127.0.0.1' : host, port, timeout: ANSWER_MS });
  socket.once('connect', () => resolve(true));
  socket.once('error', () => resolve(false));
  socket.once('timeout', () => resolve(false));
  return promise.finally(() => socket.destroy());
}
