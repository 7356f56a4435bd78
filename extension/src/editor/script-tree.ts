import { type Dirent, readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';

const SCRIPT = /\.[cm]?[jt]sx?$/;
const SKIPPED = new Set(['node_modules', '.git', '.hg', '.svn']);
/** What lies beyond is left to the editor's own watchers. */
const MAX_SCRIPTS = 5_000;
const MAX_FOLDERS = 5_000;
/** The editor has other work to do between so many looks at the disk. */
const LOOKS_A_TURN = 250;
/** Clocks of disks are coarse: a folder that changed so shortly before it was read may have changed after. */
const COARSE_MS = 50;

/** A file or folder, and when it changed; one that was moved here changed then. */
export interface FileAge {
  readonly path: string;
  readonly changedAt: number;
}

interface Folder {
  readonly changedAt: number;
  readonly readAt: number;
  readonly scripts: readonly string[];
  readonly folders: readonly string[];
}

/** The scripts of a project, and the folders in which they came or went. */
export interface Scripts {
  readonly files: readonly FileAge[];
  readonly folders: readonly FileAge[];
}

/**
 * Knows the scripts below a folder. A second look reads only the folders that have changed: an agent's every question
 * about code begins with one. Links are not followed.
 */
export class ScriptTree {
  readonly #root: string;
  #folders: ReadonlyMap<string, Folder> = new Map();
  /** Folders in which scripts once were, also when none is left. */
  readonly #withScripts = new Set<string>();

  constructor(root: string) {
    this.#root = root;
  }

  async look(signal: AbortSignal): Promise<Scripts> {
    const files: FileAge[] = [];
    const seen = new Map<string, Folder>();
    const turns = new Turns(signal);
    const open = [this.#root];
    for (let path = open.shift(); path !== undefined && seen.size < MAX_FOLDERS; path = open.shift()) {
      await turns.next();
      const folder = this.#read(path);
      if (folder === undefined) continue;
      seen.set(path, folder);
      open.push(...folder.folders);
      for (const script of folder.scripts) {
        if (files.length >= MAX_SCRIPTS) break;
        await turns.next();
        const changedAt = ageOf(script);
        if (changedAt !== undefined) files.push({ path: script, changedAt });
      }
    }
    this.#folders = seen;
    for (const { path } of files) this.#withScripts.add(dirname(path));
    const folders = [...seen]
      .filter(([path]) => path === this.#root || this.#withScripts.has(path))
      .map(([path, { changedAt }]) => ({ path, changedAt }));
    return { files, folders };
  }

  #read(path: string): Folder | undefined {
    const changedAt = ageOf(path);
    if (changedAt === undefined) return undefined;
    const known = this.#folders.get(path);
    if (known?.changedAt === changedAt && changedAt < known.readAt - COARSE_MS) return known;
    const readAt = Date.now();
    const entries = entriesOf(path);
    return {
      changedAt,
      readAt,
      scripts: entries.filter((entry) => entry.isFile() && SCRIPT.test(entry.name)).map(({ name }) => join(path, name)),
      folders: entries
        .filter((entry) => entry.isDirectory() && !SKIPPED.has(entry.name))
        .map(({ name }) => join(path, name)),
    };
  }
}

/** Lets the event loop run between looks at the disk. */
class Turns {
  readonly #signal: AbortSignal;
  #looks = 0;

  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  async next(): Promise<void> {
    this.#looks += 1;
    if (this.#looks % LOOKS_A_TURN !== 0) return;
    await nextTurn();
    this.#signal.throwIfAborted();
  }
}

function ageOf(path: string): number | undefined {
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    return stats && Math.max(stats.mtimeMs, stats.ctimeMs);
  } catch {
    // Not to be seen by this user.
    return undefined;
  }
}

function entriesOf(path: string): Dirent[] {
  try {
    return readdirSync(path, { withFileTypes: true });
  } catch {
    // Gone since it was looked at, or not to be read by this user.
    return [];
  }
}
