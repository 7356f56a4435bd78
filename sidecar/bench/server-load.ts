import { setTimeout as after } from 'node:timers/promises';
import type { McpClient } from '../../fixtures/labs/mcp-client.ts';
import { smallQuery } from './bench-project.ts';
import { type Figure, milliseconds, percentile, timed } from './measure.ts';
import type { ServerStage } from './server-stage.ts';
import { call } from './stage.ts';

/** Fewer than the connections of one database, since the small queries need some too. */
const SLOW_CALLS = 8;
const IDLE_CALLS = 400;
const LOADED_MS = 6_000;
const PAUSE_MS = 5;

/** Reads a table thousands of times; the number makes each text different. */
function slowQuery(n: number): string {
  return `SELECT count(*) FROM items a, items b, items c, items d WHERE a.price + b.price + c.price + d.price < ${-n}`;
}

/** Small queries while slow ones load the server, alternately through DevDB and the bare driver. */
export async function measureServerLoad({ stage, raw, name }: ServerStage, client: McpClient): Promise<Figure[]> {
  const projectRoot = stage.project.root;
  const slow = await stage.client();
  let n = 0;
  const runs = {
    ours: () => timed(() => call(client, 'run-query', { projectRoot, query: smallQuery(n++) })),
    raw: () => timed(() => raw.query(smallQuery(n++))),
  };
  const idle: Record<keyof typeof runs, number[]> = { ours: [], raw: [] };
  for (let calls = 0; calls < IDLE_CALLS; calls += 1) {
    idle.ours.push(await runs.ours());
    idle.raw.push(await runs.raw());
  }
  const ended = Array.from({ length: SLOW_CALLS }, (_, index) =>
    call(slow, 'run-query', { projectRoot, query: slowQuery(index), timeoutMs: 60_000 }).catch(() => undefined),
  );
  const loaded: Record<keyof typeof runs, number[]> = { ours: [], raw: [] };
  for (const started = performance.now(); performance.now() - started < LOADED_MS; ) {
    loaded.ours.push(await runs.ours());
    loaded.raw.push(await runs.raw());
    await after(PAUSE_MS);
  }
  // Closing the entry cancels its running calls.
  await slow.close();
  await Promise.all(ended);
  const p99 = (samples: readonly number[]) => percentile(samples, 0.99);
  const row = (what: string, run: keyof typeof runs): Figure => ({
    what,
    budget: '–',
    figure: `${(p99(loaded[run]) / p99(idle[run])).toFixed(1)}x (${milliseconds(p99(loaded[run]))} to ${milliseconds(p99(idle[run]))})`,
    met: undefined,
    numbers: { loadedP99Ms: p99(loaded[run]), idleP99Ms: p99(idle[run]) },
  });
  return [
    row(`${name}: small query while ${SLOW_CALLS} slow ones use the server, p99 beside its p99 when idle`, 'ours'),
    row('the same of the raw driver at the same time', 'raw'),
  ];
}
