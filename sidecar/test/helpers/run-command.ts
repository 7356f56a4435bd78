import { spawn } from 'node:child_process';
import { once } from 'node:events';

export interface CommandResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CommandOptions {
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly signal?: AbortSignal;
}

/** Runs a program to its end, with exactly this environment. */
export async function runCommand(
  command: string,
  args: readonly string[],
  { env, cwd, signal = AbortSignal.timeout(60_000) }: CommandOptions,
): Promise<CommandResult> {
  const child = spawn(command, args, { env: { ...env }, cwd, signal, stdio: ['ignore', 'pipe', 'pipe'] });
  const said = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].on('data', (chunk) => {
      said[name] += String(chunk);
    });
  }
  const [code] = await once(child, 'close');
  return { code, ...said };
}
