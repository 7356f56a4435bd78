import { createHash } from 'node:crypto';
import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { hasCode } from '../host/error-code.ts';
import { namesIn } from '../host/names-in.ts';

const DAY_MS = 24 * 60 * 60_000;

/** A project's file in a folder of the home that has one for each. */
export function projectFile(folder: string, root: string): string {
  return join(folder, `${createHash('sha256').update(root).digest('hex').slice(0, 32)}.json`);
}

/** Removes the files that were not written for so many days. */
export function removeOldFiles(folder: string, days: number): void {
  for (const name of namesIn(folder)) {
    const file = join(folder, name);
    try {
      if (Date.now() - statSync(file).mtimeMs > days * DAY_MS) rmSync(file, { force: true });
    } catch (error) {
      // Another window was faster.
      if (!hasCode(error, 'ENOENT')) throw error;
    }
  }
}
