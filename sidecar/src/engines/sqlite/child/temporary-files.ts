import { fstatSync, readdirSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Where a process finds its own file descriptors, on Linux and macOS. */
const DESCRIPTORS = '/dev/fd';

/**
 * The size of this process's temporary files. Where the system allows it, SQLite deletes such a file right after
 * opening it: then only the descriptor shows its size. On Windows the file keeps its name, in the process's own folder.
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
      // It was closed meanwhile, like the descriptor used to read the folder.
    }
  }
  return bytes;
}

function bytesOfFolder(folder: string): number {
  let bytes = 0;
  for (const name of readdirSync(folder)) bytes += statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0;
  return bytes;
}
