import type { DatabaseState, SidecarStatus } from '@devdb/shared/protocol/sidecar-methods';
import type { SidecarClient } from '../sidecar/sidecar-client.ts';
import type { SidecarState } from '../sidecar/supervisor.ts';

/** Everything the status bar and the menu show. */
export interface WindowState {
  readonly hasFolder: boolean;
  readonly sidecar: SidecarState;
  /** The default database of each project whose sidecar has reported it, by root. */
  readonly databases: ReadonlyMap<string, DatabaseState>;
}

export interface WindowStateParts {
  readonly hasFolder: () => boolean;
  readonly client: () => SidecarClient | undefined;
  readonly onState: (state: WindowState) => void;
  readonly onFault: (error: unknown) => void;
}

/** Collects what is known about the window, and asks the sidecar for what it has to look up itself. */
export class WindowStateKeeper {
  readonly #parts: WindowStateParts;
  readonly #ended = new AbortController();
  #sidecar: SidecarState = { kind: 'off' };
  #databases: ReadonlyMap<string, DatabaseState> = new Map();
  #asking: Promise<void> | undefined;
  #isStale = false;

  constructor(parts: WindowStateParts) {
    this.#parts = parts;
  }

  get state(): WindowState {
    return { hasFolder: this.#parts.hasFolder(), sidecar: this.#sidecar, databases: this.#databases };
  }

  /** The sidecar's state has changed. */
  sidecarIs(state: SidecarState): void {
    this.#sidecar = state;
    if (state.kind !== 'running') this.#databases = new Map();
    this.#parts.onState(this.state);
    if (state.kind === 'running') void this.refresh();
  }

  /** Folders may have been added or removed. */
  look(): void {
    this.#parts.onState(this.state);
  }

  /** Asks for the databases again. One request at a time; an event during one causes another. */
  async refresh(): Promise<void> {
    this.#isStale = true;
    this.#asking ??= this.#askUntilFresh().finally(() => {
      this.#asking = undefined;
    });
    await this.#asking;
  }

  dispose(): void {
    this.#ended.abort();
  }

  async #askUntilFresh(): Promise<void> {
    while (this.#isStale && !this.#ended.signal.aborted) {
      this.#isStale = false;
      const client = this.#parts.client();
      if (client === undefined || client.closed) return;
      try {
        const { projects } = await client.status(this.#ended.signal);
        if (this.#parts.client() === client) this.#learn(projects);
      } catch (error) {
        // A sidecar that went away meanwhile is asked again once it is back.
        if (!client.closed && !this.#ended.signal.aborted) this.#parts.onFault(error);
      }
    }
  }

  #learn(projects: SidecarStatus['projects']): void {
    this.#databases = new Map(projects.map(({ root, database }) => [root, database]));
    this.#parts.onState(this.state);
  }
}
