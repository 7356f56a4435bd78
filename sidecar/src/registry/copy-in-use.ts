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

/** A copy of the bundle that is not pruned until it is closed or the process ends. */
export interface CopyInUse extends HeldFile {
  readonly dir: string;
}

const RETRY_MS = 20;

/** Installs the bundle in the home and holds the copy, from which a long-lived process runs. */
export async function useCopy(parts: InstallParts, signal: AbortSignal): Promise<CopyInUse> {
  for (;;) {
    signal.throwIfAborted();
    const dir = await installBundle(parts);
    const held = holdIfThere(dir);
    if (held !== undefined) return { dir, close: () => held.close() };
    // Another process is pruning it right now; it is installed again afterwards.
    await after(RETRY_MS, undefined, { signal });
  }
}

/** With the copy's own driver, so that all code of this process shares one SQLite. */
function holdIfThere(dir: string): HeldFile | undefined {
  let held: HeldFile | undefined;
  try {
    held = holdShared(markerOf(dir), dir);
  } catch (error) {
    // A missing folder explains the missing driver.
    if (existsSync(dir)) throw error;
  }
  if (existsSync(dir)) return held;
  held?.close();
  return undefined;
}

/**
 * Removes copies that no process holds, except the newest, which the launcher starts, and `ownDir`. Returns the names
 * of those removed.
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

/** Beside the copy, not inside: only the lock's own code may open the file. */
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
    // Windows refuses to move what a process has open, and another process may have been faster.
    if (hasCode(error, 'EPERM', 'EACCES', 'EBUSY', 'ENOENT')) return false;
    throw error;
  } finally {
    held.close();
  }
}

/**
 * While the lock is held: afterwards another process may hold the same file. Where an open file cannot be removed, it
 * stays.
 */
function removeMarker(dir: string): void {
  try {
    rmSync(markerOf(dir), { force: true });
  } catch (error) {
    if (!hasCode(error, 'EPERM', 'EACCES', 'EBUSY')) throw error;
  }
}

/** Copies moved aside for removal, and what installers that died left behind. */
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
