import { spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { join } from 'node:path';
import { stoppedBy } from '@devdb/shared/abort';
import { NulRecords } from './nul-records.ts';

/** What the editor ships: in its newer versions one package for all platforms. */
const PACKAGES = [
  ['@vscode', 'ripgrep', 'bin'],
  ['@vscode', 'ripgrep-universal', 'bin', `${process.platform}-${process.arch}`],
] as const;
const MODULES = ['node_modules', 'node_modules.asar.unpacked'];
const PROGRAM = process.platform === 'win32' ? 'rg.exe' : 'rg';
/** Where Git's own list of ignored files is found; nothing else of the environment concerns the search. */
const ENVIRONMENT = ['HOME', 'XDG_CONFIG_HOME', 'USERPROFILE', 'SystemRoot'];
const MAX_ERROR_CHARS = 2_000;

/** The editor's own ripgrep. It is looked for in the editor's folder alone. */
export function findRipgrep(appRoot: string): string | undefined {
  const places = MODULES.flatMap((modules) => PACKAGES.map((parts) => join(appRoot, modules, ...parts, PROGRAM)));
  return places.find(isProgram);
}

export interface RipgrepRun {
  readonly program: string;
  /** The folder that is searched. */
  readonly folder: string;
  /** Before the paths; what others wrote stands behind an option's own name or behind `--`. */
  readonly args: readonly string[];
  readonly signal: AbortSignal;
  /** Takes a path; false ends the search. */
  readonly onPath: (path: string) => boolean;
}

/** Runs ripgrep to its end, or until enough is found. Its paths, from the folder, are taken as they come. */
export async function runRipgrep({ program, folder, args, signal, onPath }: RipgrepRun): Promise<void> {
  signal.throwIfAborted();
  const child = spawn(program, [...args], {
    cwd: folder,
    env: environment(),
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: false,
    windowsHide: true,
  });
  const stop = () => child.kill('SIGKILL');
  let isEnough = false;
  let said = '';
  const records = new NulRecords((path) => {
    if (isEnough || onPath(path)) return;
    isEnough = true;
    stop();
  });
  child.stdout.on('data', (chunk: Buffer) => records.take(chunk));
  child.stderr.on('data', (chunk: Buffer) => {
    if (said.length < MAX_ERROR_CHARS) said += chunk.toString();
  });
  const code = await stoppedBy(signal, stop, () => ended(child));
  signal.throwIfAborted();
  // 1: nothing found. 2 without a word: a file that may not be read.
  if (!isEnough && code !== 0 && code !== 1 && said !== '') throw new Error(`ripgrep ended with ${code}: ${said}`);
}

function ended(child: ReturnType<typeof spawn>): Promise<number | null> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
}

function environment(): Record<string, string> {
  const pairs = ENVIRONMENT.flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(pairs);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    // Another version has it elsewhere.
    return false;
  }
}
