import { setTimeout as after } from 'node:timers/promises';
import { slowQuery, smallQuery } from './bench-project.ts';
import { type Figure, milliseconds, percentile, timed } from './measure.ts';
import { call, type Stage } from './stage.ts';

const SLOW_CALLS = 10;
const IDLE_CALLS = 400;
const LOADED_MS = 8_000;
const SETTLING_MS = 1_000;
const PAUSE_MS = 5;

/** Small queries of one client while another has ten slow ones running. */
export async function measureSlowBesideFast(stage: Stage): Promise<Figure[]> {
  const projectRoot = stage.project.root;
  const fast = await stage.client();
  const slow = await stage.client();
  let n = 0;
  const small = () => timed(() => call(fast, 'run-query', { projectRoot, query: smallQuery(n++) }));
  const idle: number[] = [];
  for (let calls = 0; calls < IDLE_CALLS; calls += 1) idle.push(await small());
  const ended = Array.from({ length: SLOW_CALLS }, (_, index) =>
    call(slow, 'run-query', { projectRoot, query: slowQuery(index), timeoutMs: 60_000 }).catch(() => undefined),
  );
  const { settling, settled } = await sampleFor(small);
  // Closing the entry cancels its running calls.
  await slow.close();
  await Promise.all(ended);
  await fast.close();
  return figures(percentile(idle, 0.99), percentile(settled, 0.99), Math.max(...settling));
}

async function sampleFor(small: () => Promise<number>) {
  const settling: number[] = [];
  const settled: number[] = [];
  const started = performance.now();
  for (let now = started; now - started < LOADED_MS; now = performance.now()) {
    const samples = now - started < SETTLING_MS ? settling : settled;
    samples.push(await small());
    // Like an agent: no call directly after another.
    await after(PAUSE_MS);
  }
  return { settling, settled };
}

function figures(idle: number, loaded: number, worst: number): Figure[] {
  const numbers = { idleP99Ms: idle, loadedP99Ms: loaded, firstSecondMaxMs: worst };
  return [
    {
      what: 'small query while ten slow ones run, p99 from the second second on, beside its p99 when idle',
      budget: '≤ 3x',
      figure: `${(loaded / idle).toFixed(1)}x (${milliseconds(loaded)} to ${milliseconds(idle)})`,
      met: loaded <= 3 * idle,
      numbers,
    },
    {
      what: 'the same, the slowest in the first second',
      budget: '≤ 500 ms',
      figure: milliseconds(worst),
      met: worst <= 500,
      numbers,
    },
  ];
}
