import type { ToolOutput } from '@devdb/shared/tools';
import * as z from 'zod';
import { LARGE_TABLE_ROWS } from '../limits.ts';
import type { ServerConnection } from './connection.ts';
import type { RawPlan } from './plan-nodes.ts';
import { literal } from './quote.ts';
import { askCatalogs } from './reach.ts';

const tableSizesSchema = z.record(z.string(), z.number());

type Flag = ToolOutput<'explain-query'>['flags'][number];

/** From this factor on, a wrong estimate misleads the planner. */
const MISJUDGED = 10;
const MISJUDGED_FROM_ROWS = 100;
/** A filter that discards this many rows for each one it keeps suggests an index. */
const WASTEFUL = 20;

/** The warnings about a plan. */
export async function flagsOf(root: RawPlan, connection: ServerConnection): Promise<Flag[]> {
  const steps = [...stepsBelow(root)];
  const sizes = await tableSizes(steps.flatMap(scannedTable), connection);
  const flags = steps.flatMap((step) => [
    ...fullScan(step, sizes),
    ...misjudged(step),
    ...diskSort(step),
    ...loops(step, sizes),
  ]);
  return [...new Map(flags.map((flag) => [`${flag.flag} ${flag.message}`, flag])).values()];
}

function* stepsBelow(plan: RawPlan): Generator<RawPlan> {
  yield plan;
  for (const child of plan.Plans ?? []) yield* stepsBelow(child);
}

function scannedTable(plan: RawPlan): string[] {
  const name = plan['Relation Name'];
  return plan['Node Type'] === 'Seq Scan' && name !== undefined ? [name] : [];
}

/** From the statistics; for a never analysed table, from its size on disk. */
async function tableSizes(names: readonly string[], connection: ServerConnection): Promise<Map<string, number>> {
  if (names.length === 0) return new Map();
  const list = names.map(literal).join(', ');
  const [text = '{}'] = await askCatalogs(
    connection,
    `SELECT json_object_agg(t.name, t.size)::text FROM (
       SELECT relname AS name, max(CASE WHEN reltuples > 0 THEN reltuples ELSE pg_relation_size(oid) / 100 END)::int8 AS size
         FROM pg_class WHERE relname IN (${list}) AND relkind IN ('r', 'm', 'p') GROUP BY relname) AS t`,
  );
  return new Map(Object.entries(tableSizesSchema.parse(JSON.parse(text || '{}'))));
}

function fullScan(plan: RawPlan, sizes: ReadonlyMap<string, number>): Flag[] {
  const [table] = scannedTable(plan);
  const rows = table === undefined ? 0 : (sizes.get(table) ?? 0);
  if (table === undefined || rows < LARGE_TABLE_ROWS) return [];
  const filtered = plan.Filter === undefined ? '' : ` and keeps those with ${plan.Filter}`;
  const scan: Flag = {
    flag: 'full-scan',
    message: `Reads all rows of ${table} (about ${rows})${filtered}. A condition on an indexed column would read fewer.`,
    table,
  };
  return plan.Filter !== undefined && plan['Plan Rows'] * WASTEFUL < rows
    ? [scan, missingIndex(table, plan.Filter)]
    : [scan];
}

function missingIndex(table: string, filter: string): Flag {
  return {
    flag: 'missing-index',
    message: `No index of ${table} serves ${filter}; one that did would find the few rows directly.`,
    table,
  };
}

/** Too high an estimate means little: a step is often stopped before its end. Too low a one misleads the planner. */
function misjudged(plan: RawPlan): Flag[] {
  const actual = plan['Actual Rows'] ?? 0;
  const expected = plan['Plan Rows'];
  if (actual < MISJUDGED_FROM_ROWS || actual < expected * MISJUDGED) return [];
  const table = plan['Relation Name'];
  return [
    {
      flag: 'rows-misjudged',
      message: `Expected ${expected} rows of ${table ?? plan['Node Type']} and found ${Math.round(actual)}. Run ANALYZE on the table so that the planner can choose better.`,
      ...(table === undefined ? {} : { table }),
    },
  ];
}

function diskSort(plan: RawPlan): Flag[] {
  if (plan['Sort Space Type'] !== 'Disk') return [];
  return [
    {
      flag: 'temp-sort',
      message: `Sorts on disk by ${plan['Sort Key']?.join(', ') ?? 'its key'}. An index in that order, or fewer rows, would save that.`,
    },
  ];
}

/** Without an index, the inner side of a nested loop is read once per outer row. */
function loops(plan: RawPlan, sizes: ReadonlyMap<string, number>): Flag[] {
  if (plan['Node Type'] !== 'Nested Loop') return [];
  const [, inner] = plan.Plans ?? [];
  const [table] = inner === undefined ? [] : scannedTable(inner);
  if (table === undefined || (sizes.get(table) ?? 0) < LARGE_TABLE_ROWS) return [];
  return [
    {
      flag: 'missing-index',
      message: `Reads all of ${table} again for each row of the other side. An index on the joined column would save that.`,
      table,
    },
  ];
}
