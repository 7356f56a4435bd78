import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface TemporaryFolder {
  /** The environment of a process that should put its temporary files there. */
  readonly env: NodeJS.ProcessEnv;
  remove(): void;
}

/**
 * A folder for a child's temporary files, where these can only be measured by name; undefined elsewhere, since there
 * the child finds its files by their descriptors.
 */
export function ownTemporaryFolder(platform: NodeJS.Platform = process.platform): TemporaryFolder | undefined {
  if (platform !== 'win32') return undefined;
  const folder = mkdtempSync(join(tmpdir(), 'devdb-sqlite-'));
  return {
    env: { ...process.env, TEMP: folder, TMP: folder },
    remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }),
  };
}
