import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type RunningSidecar, startSidecar } from './helpers/start-sidecar.ts';
import { type TempProject, tempProject } from './helpers/temp-project.ts';
import { openWindow, type TestWindow } from './helpers/window.ts';

/** More windows than people have open; an editor that quits, or a reboot, ends them in one moment. */
const MANY = 40;
/** How long they may wait for each other, on top of what the processes themselves cost. */
const WAIT_MS = 15_000;

let project: TempProject;
let roots: readonly string[];
/** Ends what a failed test left running. */
let started: (() => Promise<unknown>)[];

beforeEach(() => {
  started = [];
  project = tempProject();
  roots = Array.from({ length: MANY }, (_, at) => project.another(`project-${at}`).root);
});

afterEach(async () => {
  await Promise.all(started.map((kill) => kill()));
  project.remove();
});

function registry(): Record<string, unknown> {
  const file = join(project.home, 'mcp.json');
  return existsSync(file) ? Object(JSON.parse(readFileSync(file, 'utf8'))) : {};
}

function failures(): string[] {
  const folder = join(project.home, 'logs');
  if (!existsSync(folder)) return [];
  const lines = readdirSync(folder).flatMap((file) => readFileSync(join(folder, file), 'utf8').split('\n'));
  return lines.filter((line) => line.includes('"level":"error"'));
}

/** The time of one that has the home to itself, times their number: the total work. */
async function costOf(start: () => Promise<{ end: () => Promise<unknown> }>): Promise<number> {
  const began = performance.now();
  const { end } = await start();
  const took = performance.now() - began;
  await end();
  return took * MANY;
}

async function expectAllUpAndGone(start: (root: string) => Promise<{ end: () => Promise<unknown> }>): Promise<void> {
  const cost = await costOf(() => start(project.root));
  const began = performance.now();
  const tried = await Promise.allSettled(roots.map(start));
  const all = tried.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  expect(tried.filter(({ status }) => status === 'rejected')).toEqual([]);
  expect(performance.now() - began).toBeLessThan(cost + WAIT_MS);
  expect(Object.keys(registry()).sort()).toEqual([...roots].sort());
  expect(new Set(Object.values(registry())).size).toBe(MANY);
  await Promise.all(all.map(({ end }) => end()));
  // Including the sidecars' own messages, if an entry is left.
  expect({ left: registry(), failures: failures() }).toEqual({ left: {}, failures: [] });
}

test(`${MANY} sidecars that start at once all come up, and when they end at once no entry is left`, async () => {
  await expectAllUpAndGone(async (root) => {
    const sidecar: RunningSidecar = await startSidecar({ home: project.home, root });
    started.push(() => sidecar.stop('SIGKILL'));
    return { end: async () => expect(await sidecar.stop()).toBe(0) };
  });
}, 240_000);

test(`${MANY} windows of a killed editor leave no entry either`, async () => {
  await expectAllUpAndGone(async (root) => {
    const window: TestWindow = await openWindow({ home: project.home, projects: [{ root }], timeoutMs: 180_000 });
    started.push(() => window.kill());
    return { end: async () => expect(await window.close()).toBe(0) };
  });
}, 240_000);
