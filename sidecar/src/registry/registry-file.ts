import type { OnBroken } from '../host/files.ts';
import { atomicWrite, readOrSetAside } from '../host/files.ts';
import type { Home } from '../host/home.ts';
import { readIfThere } from '../host/read-file.ts';
import type { HomeLock } from './home-lock.ts';
import { goneRoots, parseRememberedPorts, type RememberedPorts, remember, stillRemembered } from './ports-file.ts';
import { parsePorts, type RegistryEntries } from './read-registry.ts';

export interface RegistryFileParts {
  readonly home: Home;
  readonly lock: HomeLock;
  readonly onBroken: OnBroken;
  readonly now?: () => Date;
}

/** The content of both files. */
export interface RegistryState {
  readonly entries: RegistryEntries;
  readonly remembered: RememberedPorts;
}

/** Writes mcp.json and ports.json. Every change reads, changes and writes both under the home's lock. */
export class RegistryFile {
  readonly #parts: RegistryFileParts;

  constructor(parts: RegistryFileParts) {
    this.#parts = parts;
  }

  /**
   * Enters `port` as this project's and remembers it. Other projects' entries with the same port are removed: their
   * listener is gone, or this one could not have been bound. With `when`, only if it agrees with the current entry
   * (undefined for none). Returns whether it was written.
   */
  claim(
    root: string,
    port: number,
    signal: AbortSignal,
    when: (current: number | undefined) => boolean = () => true,
  ): Promise<boolean> {
    return this.#parts.lock.run(signal, () => {
      const entries = this.#readEntries();
      if (!when(entries[root])) return false;
      const others = Object.entries(entries).filter(([other, taken]) => other !== root && taken !== port);
      this.#writeIfNew(this.#parts.home.registry, entries, { ...Object.fromEntries(others), [root]: port });
      this.#updateRemembered((ports) => remember(ports, root, port, this.#now()));
      return true;
    });
  }

  /** Removes this project's entry if it still names this port; the remembered port stays. Returns whether it did. */
  release(root: string, port: number, signal: AbortSignal): Promise<boolean> {
    return this.#parts.lock.run(signal, () => {
      const entries = this.#readEntries();
      if (entries[root] !== port) return false;
      const { [root]: _mine, ...others } = entries;
      this.#writeIfNew(this.#parts.home.registry, entries, others);
      return true;
    });
  }

  /**
   * Both files as they are now, without ports too old to remember. Reads without the lock, since each file is replaced
   * as a whole; the lock is needed only to move aside one that does not parse, which then counts as empty.
   */
  async read(signal: AbortSignal): Promise<RegistryState> {
    const readBoth = () => ({ entries: this.#readEntries(), remembered: this.#readRemembered() });
    const { entries, remembered } = this.#readIfWhole() ?? (await this.#parts.lock.run(signal, readBoth));
    return { entries, remembered: stillRemembered(remembered, this.#now()) };
  }

  #readIfWhole(): RegistryState | undefined {
    const { registry, ports } = this.#parts.home;
    const [entries, remembered] = [readIfThere(registry), readIfThere(ports)];
    try {
      return {
        entries: entries === undefined ? {} : parsePorts(entries),
        remembered: remembered === undefined ? {} : parseRememberedPorts(remembered),
      };
    } catch {
      // Read again under the lock, where a file that does not parse is moved aside and reported.
      return undefined;
    }
  }

  /** Forgets the ports of projects whose folder is gone. Checks the folders without holding the lock. */
  async forgetGone(except: string, signal: AbortSignal): Promise<void> {
    const { remembered } = await this.read(signal);
    const others = Object.keys(remembered).filter((root) => root !== except);
    const gone = await goneRoots(others, signal);
    if (gone.size === 0) return;
    await this.#parts.lock.run(signal, () =>
      // One that was opened again meanwhile has a newer last use and stays.
      this.#updateRemembered((ports) =>
        Object.fromEntries(
          Object.entries(ports).filter(
            ([root, { lastUsed }]) => !gone.has(root) || remembered[root]?.lastUsed !== lastUsed,
          ),
        ),
      ),
    );
  }

  #now(): Date {
    return this.#parts.now?.() ?? new Date();
  }

  #readEntries(): RegistryEntries {
    return readOrSetAside(this.#parts.home.registry, parsePorts, this.#parts.onBroken) ?? {};
  }

  #readRemembered(): RememberedPorts {
    return readOrSetAside(this.#parts.home.ports, parseRememberedPorts, this.#parts.onBroken) ?? {};
  }

  #updateRemembered(change: (ports: RememberedPorts) => RememberedPorts): void {
    const before = this.#readRemembered();
    this.#writeIfNew(this.#parts.home.ports, before, change(before));
  }

  #writeIfNew(file: string, before: object, after: object): void {
    const text = jsonText(after);
    // The lock makes one temporary name safe; what a killed writer left there is overwritten by the next.
    if (text !== jsonText(before)) atomicWrite(file, text, { temporary: `${file}.tmp` });
  }
}

/** Byte for byte the form other programs expect: no newline at the end. */
function jsonText(value: object): string {
  return JSON.stringify(value, undefined, 2);
}
