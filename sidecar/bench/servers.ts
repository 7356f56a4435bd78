import { rmSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import type { McpClient } from '../../fixtures/labs/mcp-client.ts';
import { MANY_ROWS, smallQuery } from './bench-project.ts';
import { dbhubOverStdio } from './dbhub.ts';
import { type Figure, median, milliseconds, timed } from './measure.ts';
import { idleMemory, memoryFigure, peakMemory } from './memory.ts';
import { SELECT } from './million-rows.ts';
import { type ExportFormat, exportRaw } from './raw-server.ts';
import type { ServerKind } from './server-database.ts';
import { measureServerLoad } from './server-load.ts';
import { openServerStage, type ServerStage } from './server-stage.ts';
import { call } from './stage.ts';

const WARM_UP = 100;
const SMALL_ROUNDS = 10;
const CALLS_A_ROUND = 50;
const CAPPED_ROUNDS = 15;
const EXPORT_ROUNDS = 3;
const LIMIT = 10_000;

const capped = z.object({ rows: z.array(z.unknown()), truncated: z.literal(true) });

/** The measurements of one server engine, with its own server and sidecar. */
export async function measureServer(kind: ServerKind, folder: string): Promise<Figure[]> {
  let why = '';
  const server = await openServerStage(kind, folder, (reason) => {
    why = reason;
  });
  if (server === undefined)
    return [{ what: kind, budget: '–', figure: `not run: ${why}`, met: undefined, numbers: {} }];
  const client = await server.stage.client();
  try {
    return [
      ...(await smallQueries(server, client)),
      await cappedAnswer(server, client),
      await exportRate(server, client, 'csv'),
      await exportRate(server, client, 'jsonl'),
      await exportMemory(server, client),
      ...(await measureServerLoad(server, client)),
    ];
  } finally {
    await client.close();
    await server.close();
  }
}

/** The same small query, alternately through DevDB, through the other server, and with the bare driver. */
async function smallQueries({ stage, raw, name, dsn }: ServerStage, client: McpClient): Promise<Figure[]> {
  const dbhub = dbhubOverStdio(dsn);
  await dbhub.initialize('bench');
  let n = 0;
  const runs = {
    ours: () => call(client, 'run-query', { projectRoot: stage.project.root, query: smallQuery(n++) }),
    dbhub: () => call(dbhub, 'execute_sql', { sql: smallQuery(n++) }),
    raw: () => raw.query(smallQuery(n++)),
  };
  const samples: Record<keyof typeof runs, number[]> = { ours: [], dbhub: [], raw: [] };
  const turns = ['ours', 'dbhub', 'raw'] as const;
  for (let warm = 0; warm < WARM_UP; warm += 1) for (const turn of turns) await runs[turn]();
  for (let round = 0; round < SMALL_ROUNDS; round += 1) {
    for (const turn of turns) {
      for (let query = 0; query < CALLS_A_ROUND; query += 1) samples[turn].push(await timed(runs[turn]));
    }
  }
  await dbhub.close();
  const [ours, theirs, bare] = [median(samples.ours), median(samples.dbhub), median(samples.raw)];
  const row = (what: string, other: number): Figure => ({
    what,
    budget: '–',
    figure: `${(ours / other).toFixed(2)}x (${milliseconds(ours)} to ${milliseconds(other)})`,
    met: undefined,
    numbers: { oursMs: ours, otherMs: other },
  });
  return [
    row(`${name}: small query over stdio, p50, beside dbhub in its own process`, theirs),
    row('the same, beside the raw driver on an open connection', bare),
  ];
}

/** The capped answer of a million rows, compared with the driver reading as many. */
async function cappedAnswer({ stage, raw, name }: ServerStage, client: McpClient): Promise<Figure> {
  const args = { projectRoot: stage.project.root, query: SELECT, limit: LIMIT };
  const rows = capped.parse(JSON.parse(await call(client, 'run-query', args))).rows.length;
  const ours: number[] = [];
  const bare: number[] = [];
  for (let round = 0; round < CAPPED_ROUNDS; round += 1) {
    ours.push(await timed(() => call(client, 'run-query', args)));
    bare.push(await timed(async () => JSON.stringify(await raw.query(`${SELECT} LIMIT ${rows}`)).length));
  }
  const [our, other] = [median(ours), median(bare)];
  return {
    what: `${name}: capped answer of a 1,000,000-row SELECT (${rows} rows), beside the raw driver reading and encoding as many`,
    budget: '≤ 5x',
    figure: `${(our / other).toFixed(1)}x (${milliseconds(our)} to ${milliseconds(other)})`,
    met: our <= 5 * other,
    numbers: { oursMs: our, rawMs: other, rows },
  };
}

/** Apart from the times, since watching processes takes a good part of a core. */
async function exportMemory({ stage }: ServerStage, client: McpClient): Promise<Figure> {
  const { root } = stage.project;
  const path = 'memory.csv';
  const idle = await idleMemory(stage, client);
  const peak = await peakMemory(stage.sidecar.pid, async () => {
    for (let round = 0; round < EXPORT_ROUNDS; round += 1) {
      await call(client, 'export-query', { projectRoot: root, query: SELECT, path, format: 'csv' });
      rmSync(join(root, path));
    }
  });
  return memoryFigure('the same, memory over idle', idle, peak);
}

async function exportRate({ stage, raw, name }: ServerStage, client: McpClient, format: ExportFormat): Promise<Figure> {
  const { root } = stage.project;
  const path = `export.${format}`;
  const [exported, rawFile] = [join(root, path), join(root, `raw.${format}`)];
  const ours: number[] = [];
  const bare: number[] = [];
  for (let round = 0; round < EXPORT_ROUNDS; round += 1) {
    ours.push(await timed(() => call(client, 'export-query', { projectRoot: root, query: SELECT, path, format })));
    bare.push(await timed(() => exportRaw(raw, SELECT, format, rawFile)));
    for (const file of [exported, rawFile]) rmSync(file);
  }
  const [our, other] = [median(ours), median(bare)];
  const rate = (ms: number) => `${Math.round(MANY_ROWS / ms)}k rows/s`;
  return {
    what: `${name}: \`export-query\` of 1,000,000 rows to ${format === 'csv' ? 'CSV' : 'JSON lines'}, beside the raw driver writing the same file`,
    budget: '≥ 0.7x',
    figure: `${(other / our).toFixed(2)}x (${rate(our)} to ${rate(other)})`,
    met: other >= 0.7 * our,
    numbers: { oursMs: our, rawMs: other },
  };
}
