import { type FSWatcher, watch } from 'node:fs';
import type { Home } from '../host/home.ts';
import type { Log } from '../host/log.ts';
import { REGISTRY_HEAL_INTERVAL_MS, UNCLEAR_PROBES } from './limits.ts';
import type { Probe, SidecarKind } from './probe.ts';
import { readRegistry, UnreadableRegistry } from './read-registry.ts';
import type { RegistryFile } from './registry-file.ts';

export interface RegistrationParts {
  readonly home: Home;
  readonly registry: RegistryFile;
  readonly projectRoot: string;
  readonly port: number;
  readonly kind: SidecarKind;
  readonly probe: Probe;
  /** Closes the listener. The entry is removed after that, so that no client is sent to a closing port. */
  readonly closeListener: () => Promise<unknown>;
  readonly log: Log;
  readonly healIntervalMs?: number;
}

/** Adds the project to the registry and keeps it there until the registration ends. */
export async function register(parts: RegistrationParts): Promise<Registration> {
  const registration = new Registration(parts);
  await registration.start();
  return registration;
}

/** This process's entry in the registry. */
export class Registration {
  readonly #parts: RegistrationParts;
  readonly #stop = new AbortController();
  #watcher: FSWatcher | undefined;
  #timer: NodeJS.Timeout | undefined;
  #checking: Promise<void> | undefined;
  #tidying: Promise<void> | undefined;
  #again = false;
  #unclear = { port: 0, times: 0 };
  #lastFailure = '';
  #ended: Promise<void> | undefined;

  constructor(parts: RegistrationParts) {
    this.#parts = parts;
  }

  /** The first claim: among equals, the newcomer wins. */
  async start(): Promise<void> {
    await this.#takeIfMine(true);
    this.#watch();
    this.#timer = setInterval(() => this.#check(), this.#parts.healIntervalMs ?? REGISTRY_HEAL_INTERVAL_MS);
    this.#timer.unref();
    this.#tidying = this.#tidy();
  }

  /** Closes the listener, then removes the entry if it is still ours. Safe to call twice. */
  end(): Promise<void> {
    this.#ended ??= this.#end();
    return this.#ended;
  }

  async #end(): Promise<void> {
    this.#stop.abort();
    clearInterval(this.#timer);
    this.#watcher?.close();
    await Promise.all([this.#checking, this.#tidying]);
    const { registry, projectRoot, port, closeListener } = this.#parts;
    try {
      await closeListener();
    } finally {
      await registry.release(projectRoot, port, new AbortController().signal);
    }
  }

  /** Not awaited: it checks the folders of all remembered projects. */
  async #tidy(): Promise<void> {
    try {
      await this.#parts.registry.forgetGone(this.#parts.projectRoot, this.#stop.signal);
    } catch (error) {
      this.#report(error);
    }
  }

  /** One check at a time; an event during one causes another. */
  #check(): void {
    this.#again = true;
    this.#checking ??= this.#checkUntilQuiet();
  }

  async #checkUntilQuiet(): Promise<void> {
    while (this.#again && !this.#stop.signal.aborted) {
      this.#again = false;
      try {
        await this.#takeIfMine(false);
        this.#lastFailure = '';
      } catch (error) {
        this.#report(error);
      }
    }
    this.#checking = undefined;
  }

  /** The next check tries again, so a repeated failure is reported once. */
  #report(error: unknown): void {
    if (this.#stop.signal.aborted || String(error) === this.#lastFailure) return;
    this.#lastFailure = String(error);
    this.#parts.log('error', 'registry-check-failed', { error });
  }

  async #takeIfMine(newcomer: boolean): Promise<void> {
    const { home, registry, projectRoot, port, log } = this.#parts;
    const { signal } = this.#stop;
    const current = readPort(home, projectRoot);
    if (current === port && !newcomer) return;
    if (!(await this.#mayTake(current, newcomer)) || signal.aborted) return;
    // A newcomer of the stronger kind takes the entry, even if it changed meanwhile.
    const unconditional = newcomer && this.#parts.kind === 'window';
    const written = await registry.claim(projectRoot, port, signal, (now) => {
      return !signal.aborted && (unconditional || current === 'unreadable' || now === current);
    });
    if (written) log('info', 'registry-claimed', { projectRoot, port, newcomer });
    else this.#again = true;
  }

  async #mayTake(current: number | 'unreadable' | undefined, newcomer: boolean): Promise<boolean> {
    const { port, kind, probe } = this.#parts;
    if (current === undefined || current === port || current === 'unreadable') return true;
    if (newcomer && kind === 'window') return true;
    const holder = await probe(current, this.#stop.signal);
    if (holder.state === 'unclear') {
      // A starting sidecar must be in the registry when it reports that it listens, so it probes again at once; later
      // checks have time.
      return this.#isUnclearTooOften(current) || (newcomer && (await this.#mayTake(current, newcomer)));
    }
    this.#unclear = { port: 0, times: 0 };
    return holder.state === 'gone' || outranks(kind, holder.kind, newcomer);
  }

  #isUnclearTooOften(port: number): boolean {
    this.#unclear = { port, times: this.#unclear.port === port ? this.#unclear.times + 1 : 1 };
    return this.#unclear.times >= UNCLEAR_PROBES;
  }

  /** Speeds up healing where the file system reports changes; the timer works everywhere. */
  #watch(): void {
    try {
      this.#watcher = watch(this.#parts.home.dir, { persistent: false }, (_event, name) => {
        if (name === null || name === 'mcp.json') this.#check();
      });
      this.#watcher.on('error', (error) => this.#parts.log('debug', 'registry-watch-failed', { error }));
    } catch (error) {
      this.#parts.log('debug', 'registry-watch-failed', { error });
    }
  }
}

/** A window always takes the entry from a headless sidecar, never the reverse; among equals the newcomer wins. */
function outranks(mine: SidecarKind, theirs: SidecarKind, newcomer: boolean): boolean {
  if (mine === theirs) return newcomer;
  return mine === 'window';
}

function readPort(home: Home, root: string): number | 'unreadable' | undefined {
  try {
    return readRegistry(home)[root];
  } catch (error) {
    // The claim moves the file aside and reports it.
    if (error instanceof UnreadableRegistry) return 'unreadable';
    throw error;
  }
}
