import * as z from 'zod';
import type { ServerConnection } from './connection.ts';
import type { RawPlan } from './plan-nodes.ts';
import { literal } from './quote.ts';
import { askCatalogs } from './reach.ts';

const sizes = z.record(z.string(), z.number());

/** The rows of tables that a plan reads all of: by the statistics; a table never analysed is taken by its size on disk. */
export async function scannedSizes(root: RawPlan, connection: ServerConnection): Promise<ReadonlyMap<string, number>> {
  const names = [...scannedTables(root)];
  if (names.length === 0) return new Map();
  const list = names.map(literal).join(', ');
  const [text = '{}'] = await askCatalogs(
    connection,
    `SELECT json_object_agg(t.name, t.size)::text FROM (
       SELECT relname AS name, max(CASE WHEN reltuples > 0 THEN reltuples ELSE pg_relation_size(oid) / 100 END)::int8 AS size
         FROM pg_class WHERE relname IN (${list}) AND relkind IN ('r', 'm', 'p') GROUP BY relname) AS t`,
  );
  return new Map(Object.entries(sizes.parse(JSON.parse(text || '{}'))));
}

function* scannedTables(plan: RawPlan): Generator<string> {
  const table = plan['Relation Name'];
  if (table !== undefined && /Scan$/.test(plan['Node Type'])) yield table;
  for (const child of plan.Plans ?? []) yield* scannedTables(child);
}
