import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface TemporaryFolder {
  /** The environment of a process whose temporary files are to lie in it. */
  readonly env: NodeJS.ProcessEnv;
  remove(): void;
}

/**
 * Where a child's temporary files can only be counted by name, a folder of its own for them; undefined elsewhere, where
 * the child knows its files by their descriptors.
 */
export function ownTemporaryFolder(platform: NodeJS.Platform = process.platform): TemporaryFolder | undefined {
  if (platform !== 'win32') return undefined;
  const folder = mkdtempSync(join(tmpdir(), 'devdb-sqlite-'));
  return {
    env: { ...process.env, TEMP: folder, TMP: folder },
    remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }),
  };
}
