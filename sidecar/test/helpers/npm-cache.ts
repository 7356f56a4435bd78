import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const CACHE = join(__dirname, '..', '..', '..', '.cache', 'npm');

/** An installation: the folder that contains `node_modules`. */
export interface NpmInstall {
  readonly dir: string;
  /** The file behind a command of the package. */
  bin(name: string): string;
}

/**
 * Installs a package from npm into the project's cache, once. When several processes ask at the same time, each
 * installs into its own folder, and the first to finish gives its folder the final name.
 */
export async function npmInstall(name: string, version: string): Promise<NpmInstall> {
  const dir = join(CACHE, `${name}@${version}`);
  if (!existsSync(dir)) await install(dir, `${name}@${version}`);
  return { dir, bin: (command) => join(dir, 'node_modules', '.bin', command) };
}

async function install(dir: string, spec: string): Promise<void> {
  mkdirSync(dirname(dir), { recursive: true });
  const temporary = mkdtempSync(`${dir}.installing-`);
  try {
    writeFileSync(join(temporary, 'package.json'), '{ "private": true }\n');
    await runNpm(['install', '--no-audit', '--no-fund', '--no-save', '--loglevel=error', spec], temporary);
    moveInto(temporary, dir);
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

function moveInto(temporary: string, dir: string): void {
  try {
    renameSync(temporary, dir);
  } catch (error) {
    // Another process was first, and installed the same.
    if (!existsSync(dir)) throw error;
  }
}

async function runNpm(args: readonly string[], cwd: string): Promise<void> {
  const isWindows = process.platform === 'win32';
  const npm = spawn(isWindows ? 'npm.cmd' : 'npm', args, { cwd, shell: isWindows, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  npm.stdout.on('data', (chunk) => {
    said += String(chunk);
  });
  npm.stderr.on('data', (chunk) => {
    said += String(chunk);
  });
  const [code] = await once(npm, 'close');
  if (code !== 0) throw new Error(`npm ${args.join(' ')} ended with ${code}: ${said.slice(-2_000)}`);
}
