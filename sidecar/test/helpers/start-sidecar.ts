import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

export const DIST = join(__dirname, '..', '..', 'dist');
export const CLI = join(DIST, 'cli.js');

export interface RunningSidecar {
  readonly port: number;
  readonly projectRoot: string;
  readonly pid: number;
  readonly process: ChildProcess;
  readonly token: string;
  stderr(): string;
  /** Ends it as its user would, and resolves to its exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

export interface StartOptions {
  readonly home: string;
  readonly root: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly cli?: string;
  readonly cwd?: string;
}

/** Starts `devdb serve` and resolves when it reports that it listens. */
export async function startSidecar({
  home,
  root,
  args = [],
  env = {},
  cli = CLI,
  cwd,
}: StartOptions): Promise<RunningSidecar> {
  const child = spawn(process.execPath, [cli, 'serve', '--project', root, ...args], {
    env: { ...process.env, DEVDB_HOME: home, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    cwd,
  });
  let stderr = '';
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const line = await Promise.race([
    new Promise<string>((resolve) => createInterface({ input: child.stdout }).once('line', resolve)),
    exited.then((code) => {
      throw new Error(`serve ended with ${code} before it listened: ${stderr}`);
    }),
  ]);
  const said: unknown = JSON.parse(line);
  if (!isReady(said)) throw new Error(`serve said ${line}`);
  return {
    ...said,
    process: child,
    token: readFileSync(join(home, 'token'), 'utf8').trim(),
    stderr: () => stderr,
    stop: (signal = 'SIGTERM') => {
      child.kill(signal);
      return exited;
    },
  };
}

function isReady(said: unknown): said is { port: number; projectRoot: string; pid: number; version: string } {
  if (typeof said !== 'object' || said === null) return false;
  return ['port', 'projectRoot', 'pid', 'version'].every((key) => key in said);
}
