import { setTimeout as after } from 'node:timers/promises';
import { slowQuery } from './bench-project.ts';
import { CAN_WATCH_PROCESSES, type Figure, milliseconds, processTree } from './measure.ts';
import { call, type Stage } from './stage.ts';

const ROUNDS = 5;
const LIMIT_MS = 100;
const GIVE_UP_MS = 5_000;
/** This many checks in a row must find nothing running before it counts as stopped. */
const QUIET_LOOKS = 5;

/** How long the database keeps working after a cancel, and after a deadline. */
export async function measureCancel(stage: Stage): Promise<Figure[]> {
  const figure = (what: string, samples: readonly number[]): Figure => ({
    what,
    budget: `≤ ${LIMIT_MS} ms`,
    figure:
      samples.length === 0
        ? 'not measured on this system'
        : `${milliseconds(Math.max(...samples))} (worst of ${samples.length})`,
    met: samples.length === 0 ? undefined : Math.max(...samples) <= LIMIT_MS,
    numbers: { worstMs: Math.max(...samples) },
  });
  return [
    figure('cancelled by the client: until the engine has stopped', CAN_WATCH_PROCESSES ? await cancels(stage) : []),
    figure('past its `timeoutMs`: until the answer is there', await deadlines(stage)),
  ];
}

async function cancels(stage: Stage): Promise<number[]> {
  const client = await stage.client();
  const samples: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const controller = new AbortController();
    const args = { projectRoot: stage.project.root, query: slowQuery(round), timeoutMs: 60_000 };
    const over = client.callTool('run-query', args, controller.signal).catch(() => undefined);
    await until(() => busyChildren(stage.sidecar.pid) > 0);
    await after(200);
    const cancelled = performance.now();
    controller.abort();
    await over;
    samples.push((await quietSince(stage.sidecar.pid)) - cancelled);
  }
  await client.close();
  return samples;
}

async function deadlines(stage: Stage): Promise<number[]> {
  const client = await stage.client();
  const samples: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const started = performance.now();
    const args = { projectRoot: stage.project.root, query: slowQuery(round), timeoutMs: 500 };
    const outcome = await call(client, 'run-query', args).then(
      (text) => text,
      (error: unknown) => String(error),
    );
    if (!outcome.includes('E_TIMEOUT')) throw new Error(`Expected E_TIMEOUT: ${outcome}`);
    samples.push(performance.now() - started - 500);
  }
  await client.close();
  return samples;
}

function busyChildren(sidecar: number): number {
  return processTree(sidecar).filter(({ pid, state }) => pid !== sidecar && state === 'R').length;
}

/** The first moment from which on no child was running. */
async function quietSince(sidecar: number): Promise<number> {
  let since = performance.now();
  let looks = 0;
  await until(() => {
    if (busyChildren(sidecar) > 0) looks = 0;
    else if (looks++ === 0) since = performance.now();
    return looks > QUIET_LOOKS;
  });
  return since;
}

async function until(condition: () => boolean): Promise<void> {
  const started = performance.now();
  while (!condition()) {
    if (performance.now() - started > GIVE_UP_MS) throw new Error('The processes did not reach the expected state.');
    await after(2);
  }
}
