import { copyFileSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { nativeBindingFile, platformKey } from '../../src/host/native.ts';

/** Puts the SQLite driver into `dir` where a bundle has it, for code that needs nothing else of a bundle. */
export function driverDir(dir: string): string {
  const driver = dirname(require.resolve('better-sqlite3/package.json'));
  mkdirSync(dirname(nativeBindingFile(dir)), { recursive: true });
  copyFileSync(join(driver, 'prebuilds', `${platformKey()}.node`), nativeBindingFile(dir));
  return dir;
}
