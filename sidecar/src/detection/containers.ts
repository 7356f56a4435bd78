import { createHash } from 'node:crypto';
import { basename, dirname, join } from 'node:path';
import type { LogEvent } from '../host/log.ts';
import { type ContainerDaemon, runningContainers } from './container-daemon.ts';
import type { RunningContainer, RunningPort } from './container-listing.ts';

/** Whether a container's labels say that it is the one that is looked for. */
export type IsContainer = (labels: ReadonlyMap<string, string>) => boolean;

/** Where this machine reaches a container's port. */
export interface Reached {
  readonly host: string;
  readonly port: number;
}

/**
 * The containers of a project that run now. The daemon is asked at most once, and only for a port that no file fixes.
 * Labels are compared as texts: what an image wrote into them is never looked up.
 */
export class Containers {
  readonly #daemon: ContainerDaemon | undefined;
  readonly #log: LogEvent;
  #running: Promise<readonly RunningContainer[]> | undefined;

  constructor(daemon: ContainerDaemon | undefined, log: LogEvent) {
    this.#daemon = daemon;
    this.#log = log;
  }

  /** Whether the answer depends on what runs now. */
  get asked(): boolean {
    return this.#running !== undefined;
  }

  /** Where a container's port is published on this machine. Undefined unless exactly one place is. */
  async reach(isContainer: IsContainer, port: number): Promise<Reached | undefined> {
    if (this.#daemon === undefined) return undefined;
    this.#running ??= runningContainers(this.#daemon, this.#log);
    const fitting = (await this.#running).filter(({ labels }) => isContainer(labels));
    const places = fitting.map(({ ports }) => placeOf(ports, port)).filter((place) => place !== undefined);
    const [place, ...others] = places;
    // A second container with the same labels may be anybody's.
    return others.length === 0 ? place : undefined;
  }
}

function placeOf(ports: readonly RunningPort[], wanted: number): Reached | undefined {
  const published = ports.flatMap(({ IP, PrivatePort, PublicPort, Type }): Reached[] => {
    const host = loopback(IP ?? '');
    const fits = PrivatePort === wanted && Type === 'tcp' && PublicPort !== undefined && host !== undefined;
    return fits ? [{ host, port: PublicPort }] : [];
  });
  return published.find(({ host }) => host !== '::1') ?? published[0];
}

/** How this machine reaches a published address; undefined for the address of a network. */
function loopback(ip: string): string | undefined {
  if (ip === '' || ip === '0.0.0.0' || ip === '::') return '127.0.0.1';
  return /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$|^::1$/.test(ip) ? ip : undefined;
}

/** A service of the compose project in one of these folders, which are spellings of one. */
export function composeContainer(
  folders: readonly string[],
  service: string,
  fromFiles: (files: readonly string[]) => boolean,
): IsContainer {
  return (labels) =>
    labels.get('com.docker.compose.service') === service &&
    folders.includes(labels.get('com.docker.compose.project.working_dir') ?? '') &&
    fromFiles((labels.get('com.docker.compose.project.config_files') ?? '').split(',').filter((file) => file !== ''));
}

/** The database container of the DDEV project in this folder. */
export function ddevContainer(folders: readonly string[]): IsContainer {
  return (labels) =>
    labels.get('com.docker.compose.service') === 'db' &&
    labels.has('com.ddev.site-name') &&
    folders.includes(labels.get('com.ddev.approot') ?? '');
}

/** A service of the Lando project in this folder. */
export function landoContainer(folders: readonly string[], service: string): IsContainer {
  return (labels) => {
    const [file = ''] = (labels.get('io.lando.src') ?? '').split(',');
    const root = labels.get('io.lando.root') ?? dirname(file);
    return (
      labels.get('io.lando.container') === 'TRUE' &&
      labels.get('com.docker.compose.service') === service &&
      folders.includes(root)
    );
  };
}

/** A service of wp-env, which names the folder of its compose file by a digest of the settings file's path. */
export function wpEnvContainer(folders: readonly string[], service: string): IsContainer {
  const digests = folders.map((folder) => createHash('md5').update(join(folder, '.wp-env.json')).digest('hex'));
  return (labels) => {
    const folder = basename(labels.get('com.docker.compose.project.working_dir') ?? '');
    const isOwn = digests.some((digest) => folder === digest || folder.endsWith(`-${digest}`));
    return labels.get('com.docker.compose.service') === service && isOwn;
  };
}
