import { clientKey } from '@devdb/shared/client-name';
import type { WindowProject } from '@devdb/shared/protocol/handshake';

const KEY = 'devdb.alwaysAsk';

/** Where the editor keeps it: with the workspace, and out of the repository. */
interface Memory {
  get(key: string): unknown;
  update(key: string, value: unknown): Thenable<void>;
}

/** The clients about whose every call the user wants to be asked, by the names they give themselves. */
export class AlwaysAsk {
  readonly #memory: Memory;

  constructor(memory: Memory) {
    this.#memory = memory;
  }

  get names(): readonly string[] {
    const kept = this.#memory.get(KEY);
    const all: readonly unknown[] = Array.isArray(kept) ? kept : [];
    return all.filter((name) => typeof name === 'string');
  }

  async set(name: string, on: boolean): Promise<void> {
    const others = this.names.filter((other) => clientKey(other) !== clientKey(name));
    await this.#memory.update(KEY, on ? [...others, name] : others);
  }

  /** The window's projects as the sidecar gets them. */
  withNames(projects: readonly WindowProject[]): WindowProject[] {
    const alwaysAsk = [...this.names];
    return projects.map(({ root, settings }) => ({ root, settings: { ...settings, alwaysAsk } }));
  }
}
