import { createHash } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { hasCode } from '../../host/error-code.ts';
import { FOLDER_MODE, type Home } from '../../host/home.ts';
import { type HeldFile, holdAlone, holdShared } from '../../registry/file-lock.ts';

export interface CoverageParts {
  readonly home: Pick<Home, 'dir'>;
  /** Where the native driver is. */
  readonly bundleDir: string;
}

/**
 * Shows that a live process serves this folder, for as long as the lock is held: the kernel releases it when the
 * process dies. The registry cannot tell, since it names one of several sidecars and is repaired only some time after
 * that one ended. Only under the home's lock.
 */
export function coverFolder({ home, bundleDir }: CoverageParts, root: string): HeldFile | undefined {
  mkdirSync(folderOf(home), { recursive: true, mode: FOLDER_MODE });
  return holdShared(markerOf(home, root), bundleDir);
}

/** Runs `change` if no process serves the folder. Returns whether it ran. Only under the home's lock. */
export function ifUncovered({ home, bundleDir }: CoverageParts, root: string, change: () => void): boolean {
  mkdirSync(folderOf(home), { recursive: true, mode: FOLDER_MODE });
  const held = holdAlone(markerOf(home, root), bundleDir);
  if (held === undefined) return false;
  try {
    change();
    removeMarker(markerOf(home, root));
    return true;
  } finally {
    held.close();
  }
}

function folderOf(home: Pick<Home, 'dir'>): string {
  return join(home.dir, 'open');
}

function markerOf(home: Pick<Home, 'dir'>, root: string): string {
  return join(folderOf(home), createHash('sha256').update(root).digest('hex').slice(0, 24));
}

/**
 * While the lock is held: afterwards another process may hold the same file. Where an open file cannot be removed, it
 * stays.
 */
function removeMarker(marker: string): void {
  try {
    rmSync(marker, { force: true });
  } catch (error) {
    if (!hasCode(error, 'EPERM', 'EACCES', 'EBUSY')) throw error;
  }
}
