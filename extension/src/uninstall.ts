import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';

/** The editor ends its hook after five seconds. */
const LIMIT_MS = 4_500;
const DIST = import.meta.dirname;

/** Run by the editor's own Node after the extension is uninstalled: the sidecar's command removes what DevDB wrote. */
function main(): void {
  const args = [join(DIST, 'sidecar', 'cli.js'), 'uninstall', '--extension', dirname(DIST)];
  const { status, error } = spawnSync(process.execPath, args, {
    stdio: 'inherit',
    env: { ...process.env, ELECTRON_RUN_AS_NODE: '1', NODE_OPTIONS: undefined },
    cwd: dirname(process.execPath),
    timeout: LIMIT_MS,
    windowsHide: true,
  });
  if (error !== undefined) process.stderr.write(`DevDB could not be removed entirely: ${error.message}\n`);
  process.exitCode = status ?? 1;
}

main();
