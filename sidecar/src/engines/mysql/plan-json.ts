import type { PlanOperation } from '@devdb/shared/plans';
import * as z from 'zod';
import { bareCondition } from './plan-conditions.ts';
import { type AliasStep, joinedBy, operationOf, repeatedFor, type ServerPlan } from './plan-nodes.ts';

const row = z.looseObject({
  table_name: z.string(),
  insert: z.literal(true).optional(),
  replace: z.literal(true).optional(),
  message: z.string().optional(),
  access_type: z.string().optional(),
  key: z.string().optional(),
  rows: z.coerce.number().optional(),
  rows_examined_per_scan: z.coerce.number().optional(),
  r_rows: z.coerce.number().nullish(),
  r_loops: z.coerce.number().optional(),
  filtered: z.coerce.number().optional(),
  r_filtered: z.coerce.number().nullish(),
  attached_condition: z.unknown().optional(),
});
const sorted = z.looseObject({
  sort_key: z.string().optional(),
  using_filesort: z.boolean().optional(),
  attached_condition: z.string().optional().catch(undefined),
});
const block = z.looseObject({ r_total_time_ms: z.number().optional() });
/** What a server says in place of a table that it does not read: `Impossible WHERE`, `Deleting all rows`. */
const remark = z.looseObject({
  message: z.string(),
  table_name: z.undefined().optional(),
  table: z.undefined().optional(),
});
/** MySQL says so of a subquery that runs for each row. */
const dependent = z.looseObject({ dependent: z.literal(true), query_block: z.unknown() });

const numbered = z.looseObject({ query_block: z.looseObject({ select_id: z.number() }) });

/** Parts of the JSON that are steps of their own; parts not listed are searched for steps. */
const WRAPPERS: Readonly<Record<string, PlanOperation | undefined>> = {
  filesort: 'sort',
  ordering_operation: 'sort',
  grouping_operation: 'group',
  temporary_table: 'temporary table',
  duplicates_removal: 'distinct',
  union_result: 'compound',
  'block-nl-join': 'nested loop',
  'bnl-hash-join': 'hash join',
  materialized: 'materialize',
  materialized_from_subquery: 'materialize',
  query_block: 'subquery',
  windows: 'window',
  window_functions_computation: 'window',
  expression_cache: 'materialize',
};

/** Here the rows of a table are compared with each row of another, or may be. */
const EACH_WITH_EACH = /^(?:block-nl|bnl|range-checked-for-each-record)/;

/**
 * Reads the JSON plan of MariaDB, and of MySQL where it has no tree: before 8.0.18, and for a change of one table.
 * `dependents` are the numbers of the subqueries that run for each row, where the JSON does not say so itself.
 */
export function readJsonPlan(text: string, dependents: ReadonlySet<number> = new Set()): ServerPlan {
  const parsed = marked(parsePlan(text), dependents);
  const steps = [...stepsIn(parsed, false)];
  // The outermost query block is the statement itself.
  const [outer, ...others] = steps;
  const isBlock = outer?.operation === 'subquery' && others.length === 0;
  return { steps: isBlock ? outer.children : steps, source: text, measuredMs: totalMs(parsed) };
}

/** MariaDB prints a text of the statement as it is, a quote or a tab in it too: each line is a name and its value. */
function parsePlan(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    const lines = text.split('\n').map((line) => {
      const [whole, name, value, comma] = /^ *"(\w+)": "(.*)"(,?)$/.exec(line) ?? [];
      return whole === undefined ? line : `"${name}": ${JSON.stringify(value)}${comma}`;
    });
    return JSON.parse(lines.join('\n'));
  }
}

/** The plan with the mark that MySQL itself writes. */
function marked(parsed: unknown, dependents: ReadonlySet<number>): unknown {
  if (dependents.size === 0) return parsed;
  return JSON.parse(JSON.stringify(parsed), (_key, value: unknown) => {
    const id = numbered.safeParse(value).data?.query_block.select_id;
    return id !== undefined && dependents.has(id) ? Object.assign({ dependent: true }, value) : value;
  });
}

function totalMs(parsed: unknown): number | undefined {
  const whole = z.looseObject({ query_block: block }).safeParse(parsed).data;
  if (whole === undefined) return undefined;
  if (whole.query_block.r_total_time_ms !== undefined) return whole.query_block.r_total_time_ms;
  // Each part of a UNION has its own time.
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

function* stepsIn(value: unknown, joined: boolean, around?: AliasStep): Generator<AliasStep> {
  if (Array.isArray(value)) {
    for (const item of value) yield* stepsIn(item, joined, around);
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  const said = remark.safeParse(value).data;
  if (said !== undefined) yield remarkStep(said.message);
  const isRepeated = dependent.safeParse(value).success;
  let outer = around;
  for (const [key, part] of Object.entries(value)) {
    const steps = [...stepsOf(key, part, joined, outer)];
    yield* isRepeated ? steps.map((step) => repeatedFor(step, outer ?? UNKNOWN)) : steps;
    outer ??= rowsFor(steps);
  }
}

function remarkStep(message: string): AliasStep {
  return { operation: /^Deleting/.test(message) ? 'modify' : 'constant rows', detail: message, children: [] };
}

function* stepsOf(key: string, part: unknown, joined: boolean, outer: AliasStep | undefined): Generator<AliasStep> {
  const table = key === 'table' ? row.safeParse(part).data : undefined;
  const wrapper = Object.hasOwn(WRAPPERS, key) ? WRAPPERS[key] : undefined;
  const buffered = joined || EACH_WITH_EACH.test(key);
  if (table !== undefined) {
    yield tableStep(table, buffered);
    return;
  }
  if (wrapper === undefined || typeof part !== 'object') {
    yield* stepsIn(part, buffered, outer);
    return;
  }
  const facts = sorted.safeParse(part).data;
  const { sort_key: by, using_filesort: sorts = true } = facts ?? {};
  const around = key === 'expression_cache' ? outer : undefined;
  const children = [...stepsIn(part, buffered, around)].map((child) => joinedBy(child, facts?.attached_condition));
  if (wrapper === 'sort' && !sorts) yield* children;
  else yield { operation: wrapper, ...(wrapper === 'sort' ? { signs: { sort: { by } } } : {}), children };
}

const UNKNOWN: AliasStep = { operation: 'other', children: [] };

/** The step for whose rows a dependent subquery beside it runs: how many pass a condition is not estimated for a change. */
function rowsFor([first, ...others]: readonly AliasStep[]): AliasStep | undefined {
  if (first === undefined) return undefined;
  const isOne = others.length === 0 && first.alias !== undefined;
  if (!isOne) return UNKNOWN;
  return first.signs?.filter === undefined ? first : { ...first, estimatedRows: undefined };
}

function tableStep(table: z.infer<typeof row>, joined: boolean): AliasStep {
  const { table_name: alias, key, r_rows: perLoop, r_loops: loops = 1, message } = table;
  const operation = operationIn(table);
  const attached = table.attached_condition;
  const condition = typeof attached === 'string' ? bareCondition(attached) : undefined;
  const estimated = table.rows ?? table.rows_examined_per_scan;
  const isCompared = (joined || table['using_join_buffer'] !== undefined) && operation === 'scan';
  const step: AliasStep = {
    operation,
    alias,
    index: key === 'PRIMARY' ? 'primary key' : key,
    detail: condition === undefined ? message : `${table.access_type ?? 'change'} on ${alias}: ${condition}`,
    estimatedRows: estimated,
    actualRows: perLoop === null || perLoop === undefined ? undefined : Math.round(perLoop * loops),
    runs: table.r_loops,
    signs: {
      lacksIndex: isCompared ? { why: 'joined' } : undefined,
      // A join buffer is filled so often; anything else was read for each row before it.
      oncePer: loops > 1 && !isCompared ? { rows: loops } : undefined,
      expectedRows: estimated === undefined ? undefined : estimated * loops,
      filter: condition === undefined ? undefined : { condition, keeps: rowsKept(table, estimated) },
    },
    children: [],
  };
  return { ...step, children: [...stepsIn(table, false, step)] };
}

/** MySQL says `ALL` of a table that rows are only put into, or that is emptied without reading it. */
function operationIn({ access_type: access, insert, replace, message }: z.infer<typeof row>): PlanOperation {
  const readsNothing = access === undefined || insert !== undefined || replace !== undefined || message !== undefined;
  return readsNothing ? 'modify' : operationOf(access);
}

/** As measured, else as the server guesses. */
function rowsKept(table: z.infer<typeof row>, estimated: number | undefined): number | undefined {
  const { r_rows: found, r_filtered: kept, filtered = 100 } = table;
  if (typeof found === 'number' && typeof kept === 'number') return (found * kept) / 100;
  return estimated === undefined ? undefined : (estimated * filtered) / 100;
}
