import { setTimeout as after } from 'node:timers/promises';
import { slowQuery, smallQuery } from './bench-project.ts';
import { type Figure, milliseconds, percentile } from './measure.ts';
import { call, type Stage } from './stage.ts';

const SLOW_CALLS = 10;
const EVERY_MS = 20;
const WARM_UP_MS = 1_000;
const IDLE_MS = 6_000;
const LOADED_MS = 8_000;
const SETTLING_MS = 1_000;
/** Staggered: one more slow statement this often; each is cancelled and started again. */
const STAGGER_MS = 150;
const GIVE_UP_MS = 2_500;

type SlowCall = (index: number, timeoutMs: number) => Promise<unknown>;

/** Starts the slow statements; they end with `stop`. */
type Load = (slow: SlowCall, stop: AbortSignal) => Promise<unknown>;

const LOADS: Readonly<Record<string, Load>> = {
  'ten slow ones that came at once': (slow) => Promise.all(tenOf((index) => slow(index, 60_000))),
  'ten slow ones that came one by one and are repeated': (slow, stop) =>
    Promise.all(
      tenOf(async (index) => {
        await after(index * STAGGER_MS);
        while (!stop.aborted) await slow(index, GIVE_UP_MS);
      }),
    ),
};

/**
 * Small queries at a fixed rate, whatever happened to earlier ones: a closed loop sends none while it waits, and so
 * misses most of a pause. Each is timed from the moment it was due.
 */
export async function measureOpenLoop(stage: Stage): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const [name, load] of Object.entries(LOADS)) figures.push(...(await measureLoad(stage, name, load)));
  return figures;
}

async function measureLoad(stage: Stage, name: string, load: Load): Promise<Figure[]> {
  const projectRoot = stage.project.root;
  const [fast, slow] = [await stage.client(), await stage.client()];
  let n = 0;
  const small = () => call(fast, 'run-query', { projectRoot, query: smallQuery(n++) });
  // Starts everything that starts only once.
  await arrivals(WARM_UP_MS, small);
  const idle = await arrivals(IDLE_MS, small);
  const stop = new AbortController();
  const slowCall: SlowCall = (index, timeoutMs) =>
    call(slow, 'run-query', { projectRoot, query: slowQuery(index), timeoutMs }).catch(() => undefined);
  const ended = load(slowCall, stop.signal);
  const loaded = await arrivals(LOADED_MS, small);
  stop.abort();
  // Closing the entry cancels its running calls.
  await slow.close();
  await ended;
  await fast.close();
  return figuresOf(name, idle, loaded);
}

interface Arrival {
  readonly dueMs: number;
  readonly tookMs: number;
}

async function arrivals(durationMs: number, send: () => Promise<unknown>): Promise<Arrival[]> {
  const begin = performance.now();
  const answers: Promise<Arrival>[] = [];
  for (let dueMs = 0; dueMs < durationMs; dueMs += EVERY_MS) {
    const early = begin + dueMs - performance.now();
    if (early > 0) await after(early);
    answers.push(send().then(() => ({ dueMs, tookMs: performance.now() - begin - dueMs })));
  }
  return Promise.all(answers);
}

function figuresOf(name: string, idle: readonly Arrival[], loaded: readonly Arrival[]): Figure[] {
  const times = (arrived: readonly Arrival[]) => arrived.map(({ tookMs }) => tookMs);
  const settled = times(loaded.filter(({ dueMs }) => dueMs >= SETTLING_MS));
  const worst = Math.max(...times(loaded.filter(({ dueMs }) => dueMs < SETTLING_MS)));
  const [idleP99, loadedP99, loadedP50] = [
    percentile(times(idle), 0.99),
    percentile(settled, 0.99),
    percentile(settled, 0.5),
  ];
  const numbers = { idleP99Ms: idleP99, loadedP99Ms: loadedP99, loadedP50Ms: loadedP50, firstSecondMaxMs: worst };
  return [
    {
      what: `small queries at a fixed rate beside ${name}, p99 from the second second on, beside their p99 when idle`,
      budget: '≤ 3x',
      figure: `${(loadedP99 / idleP99).toFixed(1)}x (${milliseconds(loadedP99)} to ${milliseconds(idleP99)}; p50 ${milliseconds(loadedP50)})`,
      met: loadedP99 <= 3 * idleP99,
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

function tenOf<T>(make: (index: number) => Promise<T>): Promise<T>[] {
  return Array.from({ length: SLOW_CALLS }, (_, index) => make(index));
}
