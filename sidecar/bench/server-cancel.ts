import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import * as z from 'zod';
import type { McpClient } from '../../fixtures/labs/mcp-client.ts';
import { type Figure, milliseconds } from './measure.ts';
import { SERVER_KINDS, type ServerKind } from './server-database.ts';
import { openServerStage, type ServerStage } from './server-stage.ts';

const ROUNDS = 5;
const LIMIT_MS = 100;
const GIVE_UP_MS = 10_000;
/** Found in the server's list of what it runs. */
const MARK = 'bench to cancel';

interface Cancelled {
  readonly sleeps: string;
  readonly computes: string;
  /** How many of them the server runs, as `running`. */
  readonly running: string;
}

const MYSQL: Cancelled = {
  sleeps: `SELECT SLEEP(60) /* ${MARK} */`,
  computes: `SELECT BENCHMARK(2000000000, SHA2('x', 512)) /* ${MARK} */`,
  running: `SELECT count(*) AS running FROM information_schema.PROCESSLIST WHERE INFO LIKE '%${MARK}%' AND ID <> connection_id()`,
};

const STATEMENTS = {
  postgres: {
    sleeps: `SELECT pg_sleep(60) /* ${MARK} */`,
    computes: `SELECT count(*) FROM generate_series(1, 100000) a, generate_series(1, 100000) b /* ${MARK} */`,
    running: `SELECT count(*) AS running FROM pg_stat_activity WHERE state = 'active' AND query LIKE '%${MARK}%' AND pid <> pg_backend_pid()`,
  },
  mysql: MYSQL,
  mariadb: MYSQL,
} as const satisfies Record<ServerKind, Cancelled>;

const counted = z.tuple([z.object({ running: z.coerce.number() })]);

/** How long each server keeps working after its client has cancelled. */
export async function measureServerCancel(folder: string): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const kind of SERVER_KINDS) figures.push(await cancelled(kind, join(folder, kind)));
  return figures;
}

async function cancelled(kind: ServerKind, folder: string): Promise<Figure> {
  let why = '';
  const server = await openServerStage(kind, folder, (reason) => {
    why = reason;
  });
  if (server === undefined) {
    return { what: `${kind}: cancel`, budget: '–', figure: `not run: ${why}`, met: undefined, numbers: {} };
  }
  const client = await server.stage.client();
  try {
    const samples: number[] = [];
    const { sleeps, computes, running } = STATEMENTS[kind];
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const query of [sleeps, computes]) samples.push(await stoppedAfter(server, client, query, running));
    }
    const worstMs = Math.max(...samples);
    return {
      what: `${server.name}: cancelled by the client: until the server has stopped`,
      budget: `≤ ${LIMIT_MS} ms`,
      figure: `${milliseconds(worstMs)} (worst of ${samples.length})`,
      met: worstMs <= LIMIT_MS,
      numbers: { worstMs },
    };
  } finally {
    await client.close();
    await server.close();
  }
}

async function stoppedAfter(
  { stage, raw }: ServerStage,
  client: McpClient,
  query: string,
  running: string,
): Promise<number> {
  const controller = new AbortController();
  const args = { projectRoot: stage.project.root, query, timeoutMs: 60_000 };
  const over = client.callTool('run-query', args, controller.signal).catch(() => undefined);
  const runs = async (): Promise<boolean> => counted.parse(await raw.query(running))[0].running > 0;
  await until(runs);
  const cancelledAt = performance.now();
  controller.abort();
  await over;
  await until(async () => !(await runs()));
  return performance.now() - cancelledAt;
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  const started = performance.now();
  while (!(await condition())) {
    if (performance.now() - started > GIVE_UP_MS) throw new Error('The server did not reach the expected state.');
    await after(1);
  }
}
