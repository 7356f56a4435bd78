import { rmSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { MANY_ROWS } from './bench-project.ts';
import { type Figure, median, timed } from './measure.ts';
import { idleMemory, memoryFigure, peakMemory } from './memory.ts';
import { SELECT } from './million-rows.ts';
import { writeRawCsv } from './raw-csv.ts';
import { call, type Stage } from './stage.ts';

const ROUNDS = 3;

/** Exports every row to a CSV file, compared with the bare driver writing the same file. */
export async function measureExport(stage: Stage): Promise<Figure[]> {
  const client = await stage.client();
  const idle = await idleMemory(stage, client);
  const { root } = stage.project;
  const database = new Database(stage.project.database, { readonly: true });
  const ours: number[] = [];
  const raw: number[] = [];
  const path = 'export.csv';
  const exported = join(root, path);
  const args = { projectRoot: root, query: SELECT, path, format: 'csv' };
  const runOurs = () => call(client, 'export-query', args);
  // Memory first, starting from idle, and apart from the times, since watching processes takes a good part of a core.
  const peak = await peakMemory(stage.sidecar.pid, async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      await runOurs();
      rmSync(exported);
    }
  });
  for (let round = 0; round < ROUNDS; round += 1) {
    const rawPath = join(root, 'raw.csv');
    ours.push(await timed(runOurs));
    raw.push(await timed(async () => writeRawCsv(database, SELECT, rawPath)));
    for (const file of [exported, rawPath]) rmSync(file);
  }
  database.close();
  await client.close();
  return [rateFigure(median(ours), median(raw)), memoryFigure('the same, memory over idle', idle, peak)];
}

function rateFigure(ours: number, raw: number): Figure {
  const rate = (ms: number) => `${Math.round(MANY_ROWS / ms)}k rows/s`;
  return {
    what: '`export-query` of 1,000,000 rows to CSV, beside the raw driver writing the same file',
    budget: '≥ 0.7x',
    figure: `${(raw / ours).toFixed(2)}x (${rate(ours)} to ${rate(raw)})`,
    met: raw >= 0.7 * ours,
    numbers: { oursMs: ours, rawMs: raw },
  };
}
