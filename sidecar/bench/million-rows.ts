import Database from 'better-sqlite3';
import * as z from 'zod';
import { type Figure, median, milliseconds, timed } from './measure.ts';
import { idleMemory, memoryFigure, peakMemory } from './memory.ts';
import { call, type Stage } from './stage.ts';

/** Every row of the large table. */
export const SELECT = 'SELECT id, kind, amount, note FROM events';
const ROUNDS = 15;

const capped = z.object({ rows: z.array(z.unknown()), truncated: z.literal(true) });

/** A SELECT of a million rows: its cost in memory, and in time compared with the bare driver. */
export async function measureMillionRows(stage: Stage): Promise<Figure[]> {
  const client = await stage.client();
  const idle = await idleMemory(stage, client);
  const args = { projectRoot: stage.project.root, query: SELECT, limit: 10_000 };
  const rows = capped.parse(JSON.parse(await call(client, 'run-query', args))).rows.length;
  const database = new Database(stage.project.database, { readonly: true });
  const ours: number[] = [];
  const raw: number[] = [];
  // Our time includes our client's reading and parsing of the whole answer; the raw driver has no client.
  for (let round = 0; round < ROUNDS; round += 1) {
    ours.push(await timed(() => call(client, 'run-query', args)));
    raw.push(await timed(async () => readRaw(database, rows)));
  }
  // Apart from the times, since watching processes takes a good part of a core.
  const peak = await peakMemory(stage.sidecar.pid, async () => {
    for (let round = 0; round < ROUNDS; round += 1) await call(client, 'run-query', args);
  });
  database.close();
  await client.close();
  const memory = memoryFigure('1,000,000-row SELECT, memory over idle', idle, peak);
  return [memory, timeFigure(median(ours), median(raw), rows)];
}

function timeFigure(ours: number, raw: number, rows: number): Figure {
  return {
    what: `its capped answer (${rows} rows), beside the raw driver reading and encoding the same rows`,
    budget: '≤ 5x',
    figure: `${(ours / raw).toFixed(1)}x (${milliseconds(ours)} to ${milliseconds(raw)})`,
    met: ours <= 5 * raw,
    numbers: { oursMs: ours, rawMs: raw, rows },
  };
}

/** The driver's own time, with its file already open. */
function readRaw(database: Database.Database, rows: number): number {
  const read: unknown[] = [];
  for (const row of database.prepare(SELECT).raw().iterate()) {
    if (read.push(row) === rows) break;
  }
  return JSON.stringify(read).length;
}
