import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { McpClient } from '../../fixtures/labs/mcp-client.ts';
import { dbhubArgs, sqliteDsn } from './dbhub.ts';
import { type Figure, median, milliseconds, timed } from './measure.ts';
import { openStage, type Stage } from './stage.ts';

const ROUNDS = 15;
const COLD_ROUNDS = 3;

/** From spawn to the answer of `initialize`, compared with an empty Node and the other server. */
export async function measureStartUp(stage: Stage, coldHome: string): Promise<Figure[]> {
  const samples: Record<'empty' | 'warm' | 'dbhub', number[]> = { empty: [], warm: [], dbhub: [] };
  const ours = () => startTime([stage.launcher], stage.env);
  // The first start writes the code cache that the others use.
  await ours();
  for (let round = 0; round < ROUNDS; round += 1) {
    samples.empty.push(await timed(emptyNode));
    samples.warm.push(await ours());
    if (round % 3 === 0)
      samples.dbhub.push(await startTime(dbhubArgs(sqliteDsn(stage.project.database)), process.env, true));
  }
  const cold = await coldStarts(stage, coldHome);
  return figures(median(samples.empty), median(samples.warm), median(samples.dbhub), median(cold));
}

function figures(empty: number, warm: number, dbhub: number, cold: number): Figure[] {
  const numbers = { emptyNodeMs: empty, warmMs: warm, coldMs: cold, dbhubMs: dbhub };
  return [
    {
      what: 'stdio entry through the launcher, spawn to `initialize` answered, beside `node -e 0`',
      budget: '≤ 2.5x',
      figure: `${(warm / empty).toFixed(2)}x (${milliseconds(warm)} to ${milliseconds(empty)}; cold ${milliseconds(cold)})`,
      met: warm <= 2.5 * empty,
      numbers,
    },
    {
      what: 'the same, beside dbhub',
      budget: '≥ 6x faster',
      figure: `${(dbhub / warm).toFixed(1)}x (${milliseconds(dbhub)})`,
      met: dbhub >= 6 * warm,
      numbers,
    },
  ];
}

/** The first start of a fresh installation, without a code cache. */
async function coldStarts(stage: Stage, home: string): Promise<number[]> {
  const samples: number[] = [];
  for (let round = 0; round < COLD_ROUNDS; round += 1) {
    rmSync(home, { recursive: true, force: true });
    const fresh = await openStage(stage.project, home);
    samples.push(await startTime([fresh.launcher], fresh.env));
    await fresh.sidecar.stop();
  }
  return samples;
}

/** Until the answer arrives; the time the program takes to exit does not count. */
async function startTime(args: readonly string[], env: Stage['env'], quiet = false): Promise<number> {
  const started = performance.now();
  const client = new McpClient({ command: process.execPath, args, env, quiet });
  await client.initialize('bench');
  const took = performance.now() - started;
  await client.close();
  return took;
}

function emptyNode(): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['-e', '0'], { stdio: 'ignore' });
    child.once('error', reject);
    child.once('exit', () => resolve());
  });
}
