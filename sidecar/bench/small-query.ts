import type { McpClient } from '../../fixtures/labs/mcp-client.ts';
import { smallQuery } from './bench-project.ts';
import { dbhubOverHttp, dbhubOverStdio, sqliteDsn } from './dbhub.ts';
import { type Figure, median, milliseconds, timed } from './measure.ts';
import { call, type Stage } from './stage.ts';

const WARM_UP = 200;
const ROUNDS = 10;
const CALLS_A_ROUND = 100;

/**
 * The p50 of a small query with a text that is always new; all three servers in turn, so that fluctuations of the
 * machine affect all alike. Both stdio servers get the same minimal client; a real one's time comes on top of both.
 */
export async function measureSmallQuery(stage: Stage): Promise<Figure[]> {
  const { root, database } = stage.project;
  const ours = await stage.client();
  const overStdio = dbhubOverStdio(sqliteDsn(database));
  await overStdio.initialize('bench');
  const overHttp = await dbhubOverHttp(sqliteDsn(database));
  let n = 0;
  const runs = {
    ours: () => call(ours, 'run-query', { projectRoot: root, query: smallQuery(n++) }),
    stdio: () => dbhubQuery(overStdio, smallQuery(n++)),
    http: () => overHttp.query(smallQuery(n++)),
  };
  const samples = await inTurns(runs);
  await Promise.all([ours.close(), overStdio.close(), overHttp.close()]);
  return figures(median(samples.ours), median(samples.stdio), median(samples.http));
}

async function inTurns(runs: { ours(): Promise<unknown>; stdio(): Promise<unknown>; http(): Promise<unknown> }) {
  for (let warm = 0; warm < WARM_UP; warm += 1) await Promise.all([runs.ours(), runs.stdio(), runs.http()]);
  const samples: Record<'ours' | 'stdio' | 'http', number[]> = { ours: [], stdio: [], http: [] };
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const name of ['ours', 'stdio', 'http'] as const) {
      for (let query = 0; query < CALLS_A_ROUND; query += 1) samples[name].push(await timed(runs[name]));
    }
  }
  return samples;
}

function figures(ours: number, stdio: number, http: number): Figure[] {
  const numbers = { p50Ms: ours, dbhubStdioP50Ms: stdio, dbhubHttpP50Ms: http };
  return [
    {
      what: 'small SQLite query, stdio to HTTP to sidecar to child and back, p50, beside dbhub in its own process',
      budget: '≤ 2.3x',
      figure: `${(ours / stdio).toFixed(2)}x (${milliseconds(ours)} to ${milliseconds(stdio)})`,
      met: ours <= 2.3 * stdio,
      numbers,
    },
    {
      what: 'the same, beside dbhub over its own HTTP',
      budget: '≤ 1.0x',
      figure: `${(ours / http).toFixed(2)}x (${milliseconds(http)})`,
      met: ours <= http,
      numbers,
    },
  ];
}

async function dbhubQuery(client: McpClient, sql: string): Promise<void> {
  await call(client, 'execute_sql', { sql });
}
