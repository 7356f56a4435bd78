import { copyFileSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { nativeBindingFile, platformKey } from '../../src/host/native.ts';

const PACKAGE = dirname(require.resolve('better-sqlite3/package.json'));
/** Asked once: what it reads is long in a process that has run many suites. */
const PREBUILT = join(PACKAGE, 'prebuilds', `${platformKey()}.node`);

/** Puts the SQLite driver into `dir` where a bundle has it, for code that needs nothing else of a bundle. */
export function driverDir(dir: string): string {
  const driver = nativeBindingFile(dir);
  mkdirSync(dirname(driver), { recursive: true });
  copyFileSync(PREBUILT, driver);
  return dir;
}
