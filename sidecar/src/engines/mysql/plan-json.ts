import * as z from 'zod';
import { operationOf, type PlanStep, type ServerPlan } from './plan-nodes.ts';

const row = z.looseObject({
  table_name: z.string(),
  access_type: z.string().optional(),
  key: z.string().optional(),
  rows: z.coerce.number().optional(),
  rows_examined_per_scan: z.coerce.number().optional(),
  r_rows: z.coerce.number().nullish(),
  r_loops: z.coerce.number().optional(),
  attached_condition: z.unknown().optional(),
});
const block = z.looseObject({ r_total_time_ms: z.number().optional() });

/** Parts of the JSON that are steps of their own; what is in no list is looked through. */
const WRAPPERS: Readonly<Record<string, string | undefined>> = {
  filesort: 'sort',
  ordering_operation: 'sort',
  grouping_operation: 'group',
  temporary_table: 'temporary table',
  duplicates_removal: 'distinct',
  union_result: 'compound',
  'block-nl-join': 'join',
  'bnl-hash-join': 'join',
  materialized: 'materialize',
  materialized_from_subquery: 'materialize',
  query_block: 'query block',
  windows: 'window',
  window_functions_computation: 'window',
  expression_cache: 'cache',
};

/** Reads the JSON of MariaDB and of MySQL before 8.0.18. */
export function readJsonPlan(text: string): ServerPlan {
  const parsed: unknown = JSON.parse(text);
  const steps = [...stepsIn(parsed, false)];
  // The outermost query block is the statement itself.
  const outer = steps.length === 1 && steps[0]?.operation === 'query block' ? steps[0].children : steps;
  return { steps: outer, measuredMs: totalMs(parsed) };
}

function totalMs(parsed: unknown): number | undefined {
  const whole = z.looseObject({ query_block: block }).safeParse(parsed).data;
  if (whole === undefined) return undefined;
  if (whole.query_block.r_total_time_ms !== undefined) return whole.query_block.r_total_time_ms;
  // A UNION has a time for each of its parts.
  const times = [...timesIn(whole.query_block)];
  return times.length === 0 ? undefined : times.reduce((sum, time) => sum + time, 0);
}

function* timesIn(value: unknown): Generator<number> {
  if (Array.isArray(value)) for (const item of value) yield* timesIn(item);
  else if (typeof value === 'object' && value !== null) {
    const own = block.safeParse(value).data?.r_total_time_ms;
    if (own !== undefined) yield own;
    else for (const item of Object.values(value)) yield* timesIn(item);
  }
}

function* stepsIn(value: unknown, joined: boolean): Generator<PlanStep> {
  if (Array.isArray(value)) {
    for (const item of value) yield* stepsIn(item, joined);
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  for (const [key, part] of Object.entries(value)) {
    const table = key === 'table' ? row.safeParse(part).data : undefined;
    const wrapper = Object.hasOwn(WRAPPERS, key) ? WRAPPERS[key] : undefined;
    const buffered = joined || key.startsWith('block-nl') || key.startsWith('bnl');
    if (table !== undefined) yield tableStep(table, buffered);
    else if (wrapper !== undefined && typeof part === 'object') {
      yield { operation: wrapper, children: [...stepsIn(part, buffered)] };
    } else yield* stepsIn(part, joined);
  }
}

function tableStep(table: z.infer<typeof row>, joined: boolean): PlanStep {
  const { table_name: alias, access_type: access, key, r_rows: perLoop, r_loops: loops = 1 } = table;
  const operation = access === undefined ? 'change' : operationOf(access);
  const condition = table.attached_condition;
  return {
    operation,
    alias,
    index: key === 'PRIMARY' ? 'primary key' : key,
    detail: typeof condition === 'string' ? `${access ?? 'change'} on ${alias}: ${condition}` : undefined,
    estimatedRows: table.rows ?? table.rows_examined_per_scan,
    actualRows: perLoop === null || perLoop === undefined ? undefined : Math.round(perLoop * loops),
    joinsWithoutIndex: (joined || table['using_join_buffer'] !== undefined) && operation === 'scan',
    children: [...stepsIn(table, false)],
  };
}
