import { fstatSync, readdirSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Where a process finds its own descriptors, on Linux and macOS. */
const DESCRIPTORS = '/dev/fd';

/**
 * The bytes of the temporary files of this process. SQLite deletes such a file right after it has opened it, where the
 * system allows that: then only the descriptor is left to be asked. Windows keeps the name, in the process's own folder.
 */
export function temporaryBytes(): number {
  return process.platform === 'win32' ? bytesOfFolder(tmpdir()) : bytesOfDeletedFiles();
}

function bytesOfDeletedFiles(): number {
  let bytes = 0;
  for (const name of readdirSync(DESCRIPTORS)) {
    try {
      const stats = fstatSync(Number(name));
      if (stats.isFile() && stats.nlink === 0) bytes += stats.size;
    } catch {
      // It was closed meanwhile, as the one with which the folder was read.
    }
  }
  return bytes;
}

function bytesOfFolder(folder: string): number {
  let bytes = 0;
  for (const name of readdirSync(folder)) bytes += statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0;
  return bytes;
}
