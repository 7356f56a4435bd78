import { readdirSync, rmdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { recordsFile } from '../../clients/advertise/records.ts';
import { hasCode } from '../../host/error-code.ts';
import type { Home } from '../../host/home.ts';

/**
 * Removes DevDB's files from its home, and the home itself if nothing else is in it. Returns what was left. Only under
 * the home's lock.
 */
export function removeHome(home: Home): readonly string[] {
  const files = [home.registry, home.ports, home.token, home.trust, recordsFile(home)].map((file) => basename(file));
  const others = [home.versions, home.logs, home.activity, home.history, home.results, join(home.dir, 'open')];
  const folders = [dirname(home.launcher), ...others].map((dir) => basename(dir));
  const lock = basename(home.lock);
  // Including files moved aside because they did not parse, and leftovers of killed writers.
  const isOurs = (name: string) => files.some((file) => name === file || name.startsWith(`${file}.`));
  for (const name of readdirSync(home.dir))
    if (isOurs(name) || folders.includes(name)) removeIfPossible(join(home.dir, name));
  const left = readdirSync(home.dir).filter((name) => name !== lock && !name.startsWith(`${lock}-`));
  if (left.length === 0) removeEmpty(home, lock);
  return left;
}

/** The lock's file is removed while it is held, so that waiting processes see that it is gone. */
function removeEmpty(home: Home, lock: string): void {
  for (const name of readdirSync(home.dir).filter((one) => one.startsWith(lock)))
    removeIfPossible(join(home.dir, name));
  try {
    rmdirSync(home.dir);
  } catch (error) {
    // Windows does not delete an open file: an empty lock file stays.
    if (!hasCode(error, 'ENOTEMPTY', 'EEXIST', 'EPERM', 'EBUSY', 'EACCES')) throw error;
  }
}

function removeIfPossible(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true, maxRetries: 3 });
  } catch (error) {
    if (!hasCode(error, 'EPERM', 'EACCES', 'EBUSY')) throw error;
  }
}
