import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The better-sqlite3 binary of this platform, where the bundler puts it beside the bundle. */
export function nativeBindingFile(bundleDir: string): string {
  return join(bundleDir, 'native', `${platformKey()}.node`);
}

/** better-sqlite3's name for a prebuilt binary of this platform. */
export function platformKey(): string {
  const musl = process.platform === 'linux' && runsOnMusl();
  return `${process.platform}${musl ? 'musl' : ''}-${process.arch}`;
}

/** Read from the libraries that this process has loaded: Node's own report tells it too, but takes ten times as long. */
function runsOnMusl(): boolean {
  try {
    return readFileSync('/proc/self/maps', 'latin1').includes('/ld-musl-');
  } catch {
    // Without /proc there is no telling, and nearly every Linux has glibc.
    return false;
  }
}
