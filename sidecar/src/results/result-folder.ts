import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { hasCode } from '../host/error-code.ts';
import { FOLDER_MODE } from '../host/home.ts';
import { namesIn } from '../host/names-in.ts';
import { type HeldFile, holdAlone, holdShared } from '../registry/file-lock.ts';

const MARKER = '.in-use';

/**
 * The folder of this process for the files of results. It goes with the process; should the process be killed, another
 * one removes it, which sees from a lock that it is no longer in use.
 */
export class ResultFolder {
  readonly #parent: string;
  readonly #driverDir: string;
  #dir = '';
  #held: HeldFile | undefined;

  constructor(parent: string, driverDir: string) {
    this.#parent = parent;
    this.#driverDir = driverDir;
  }

  /** Makes the folder, which most windows never need, and returns its path. */
  make(): string {
    if (this.#held !== undefined) return this.#dir;
    mkdirSync(this.#parent, { recursive: true, mode: FOLDER_MODE });
    // The lock first: a folder without one is a leftover. A process that removes leftovers may take the lock's file for one
    // before it is locked; then another name is as good.
    while (this.#held === undefined) {
      this.#dir = join(this.#parent, `${process.pid}-${Math.random().toString(36).slice(2)}`);
      this.#held = holdShared(this.#dir + MARKER, this.#driverDir);
    }
    mkdirSync(this.#dir, { mode: FOLDER_MODE });
    return this.#dir;
  }

  /** Removes it with all files. */
  remove(): void {
    if (this.#held === undefined) return;
    rmSync(this.#dir, { recursive: true, force: true, maxRetries: 3 });
    this.#held.close();
    this.#held = undefined;
    rmSync(this.#dir + MARKER, { force: true });
  }
}

/** Removes the folders of processes that have ended without doing so. Returns how many there were. */
export function removeLeftResults(parent: string, driverDir: string): number {
  const names = namesIn(parent);
  const folders = new Set(names.map((name) => (name.endsWith(MARKER) ? name.slice(0, -MARKER.length) : name)));
  return [...folders].filter((name) => removeIfLeft(join(parent, name), names.includes(name + MARKER), driverDir))
    .length;
}

function removeIfLeft(dir: string, hasMarker: boolean, driverDir: string): boolean {
  const held = hasMarker ? holdAlone(dir + MARKER, driverDir) : undefined;
  if (hasMarker && held === undefined) return false;
  try {
    rmSync(dir, { recursive: true, force: true, maxRetries: 3 });
    rmSync(dir + MARKER, { force: true });
    return true;
  } catch (error) {
    // Windows does not remove a file that is open; the next process tries again.
    if (hasCode(error, 'EPERM', 'EACCES', 'EBUSY')) return false;
    throw error;
  } finally {
    held?.close();
  }
}
