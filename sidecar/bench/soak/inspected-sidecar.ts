import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import * as z from 'zod';
import type { Env } from '../stage.ts';
import { Inspector } from './inspector.ts';

const readySchema = z.object({ port: z.int(), pid: z.int() });

/** A sidecar that serves a project, with access to its heap. */
export interface InspectedSidecar {
  readonly pid: number;
  readonly inspector: Inspector;
  /** Whether it is still running; a sidecar that ended by itself is a failure. */
  readonly isRunning: () => boolean;
  stop(): Promise<void>;
}

/** Starts `devdb serve` with an inspector on a free local port. */
export async function serveInspected(cli: string, projectRoot: string, env: Env): Promise<InspectedSidecar> {
  const args = ['--inspect=127.0.0.1:0', cli, 'serve', '--project', projectRoot, '--writes', 'allow', '--trust'];
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const early = Promise.withResolvers<never>();
  let said = '';
  const onEarlyEnd = (): void => early.reject(new Error(`devdb serve ended before it listened: ${said}`));
  child.once('close', onEarlyEnd);
  const url = new Promise<string>((resolve) => {
    createInterface({ input: child.stderr }).on('line', (line) => {
      const [, found] = /^Debugger listening on (ws:\S+)$/.exec(line) ?? [];
      if (found !== undefined) resolve(found);
      said = `${said}${line}\n`.slice(-2_000);
    });
  });
  const line = new Promise<string>((resolve) => createInterface({ input: child.stdout }).once('line', resolve));
  const inspector = await Inspector.open(await Promise.race([url, early.promise]));
  const { pid } = readySchema.parse(JSON.parse(await Promise.race([line, early.promise])));
  child.off('close', onEarlyEnd);
  const isRunning = (): boolean => child.exitCode === null && child.signalCode === null;
  return { pid, inspector, isRunning, stop: () => stop(child, inspector, ended) };
}

function stop(child: ChildProcess, inspector: Inspector, ended: Promise<void>): Promise<void> {
  inspector.close();
  child.kill('SIGTERM');
  return ended;
}
