import { existsSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { hasCode } from '../host/error-code.ts';
import type { Home } from '../host/home.ts';
import { listCopies } from '../host/version-order.ts';
import { type InstallParts, installBundle } from '../host/versions.ts';
import { type HeldFile, holdAlone, holdShared } from './file-lock.ts';
import { ABANDONED_COPY_MS } from './limits.ts';

/** A copy of the bundle that nobody prunes until it is closed or the process ends. */
export interface CopyInUse extends HeldFile {
  readonly dir: string;
}

const RETRY_MS = 20;

/** Installs the bundle in the home and holds the copy, which a process that stays runs from. */
export async function useCopy(parts: InstallParts, signal: AbortSignal): Promise<CopyInUse> {
  for (;;) {
    signal.throwIfAborted();
    const dir = await installBundle(parts);
    const held = holdIfThere(dir);
    if (held !== undefined) return { dir, close: () => held.close() };
    // Somebody is pruning it in this moment; it is installed again when that is over.
    await after(RETRY_MS, undefined, { signal });
  }
}

/** With the copy's own driver, so that everything that runs from it in this process shares one SQLite. */
function holdIfThere(dir: string): HeldFile | undefined {
  let held: HeldFile | undefined;
  try {
    held = holdShared(markerOf(dir), dir);
  } catch (error) {
    // Without the folder there is no driver in it.
    if (existsSync(dir)) throw error;
  }
  if (existsSync(dir)) return held;
  held?.close();
  return undefined;
}

/**
 * Removes the copies that no process holds, but for the newest, which the launcher starts, and `ownDir`. Returns the
 * names of those that went.
 */
export async function pruneCopies(home: Home, ownDir: string): Promise<readonly string[]> {
  const [_newest, ...older] = listCopies(home.versions);
  const pruned = older
    .filter(({ dir, name }) => dir !== ownDir && putAside(home, name, ownDir))
    .map(({ name }) => name);
  for (const leftover of leftovers(home)) await rm(leftover, { recursive: true, force: true, maxRetries: 3 });
  return pruned;
}

/** Whether a process runs from one of the copies. */
export function isAnyCopyInUse(home: Home, driverDir: string): boolean {
  return listCopies(home.versions).some(({ dir }) => {
    if (!existsSync(markerOf(dir))) return false;
    const held = holdAlone(markerOf(dir), driverDir);
    held?.close();
    return held === undefined;
  });
}

/** Beside the copy, not in it: no code but the lock's may open the file. */
function markerOf(dir: string): string {
  return `${dir}.in-use`;
}

function putAside(home: Home, name: string, driverDir: string): boolean {
  const dir = join(home.versions, name);
  const held = holdAlone(markerOf(dir), driverDir);
  if (held === undefined) return false;
  try {
    renameSync(dir, join(home.versions, `.gone-${process.pid}-${name}`));
    removeMarker(dir);
    return true;
  } catch (error) {
    // Windows does not let go of what a process has open; another process may have been quicker.
    if (hasCode(error, 'EPERM', 'EACCES', 'EBUSY', 'ENOENT')) return false;
    throw error;
  } finally {
    held.close();
  }
}

/** While it is held: after that somebody else may hold the same file. Where an open file cannot be removed, it stays. */
function removeMarker(dir: string): void {
  try {
    rmSync(markerOf(dir), { force: true });
  } catch (error) {
    if (!hasCode(error, 'EPERM', 'EACCES', 'EBUSY')) throw error;
  }
}

/** What was put aside, and what installers that died on the way left behind. */
function leftovers(home: Home): string[] {
  const abandoned = (path: string) => {
    const stats = statSync(path, { throwIfNoEntry: false });
    return stats !== undefined && Date.now() - stats.mtimeMs > ABANDONED_COPY_MS;
  };
  return readdirSync(home.versions)
    .map((name) => ({ name, path: join(home.versions, name) }))
    .filter(({ name, path }) => name.startsWith('.gone-') || (name.startsWith('.new-') && abandoned(path)))
    .map(({ path }) => path);
}
