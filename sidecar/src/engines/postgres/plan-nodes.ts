import type { PlanOperation } from '@devdb/shared/plans';
import * as z from 'zod';
import type { PlanSigns, PlanStep } from '../plan-steps.ts';
import { type Around, aroundChild } from './repeated-plans.ts';

const planFields = z.looseObject({
  'Node Type': z.string(),
  'Parent Relationship': z.string().optional(),
  'Relation Name': z.string().optional(),
  Schema: z.string().optional(),
  Alias: z.string().optional(),
  'Index Name': z.string().optional(),
  'CTE Name': z.string().optional(),
  'Function Name': z.string().optional(),
  'Subplan Name': z.string().optional(),
  Operation: z.string().optional(),
  Strategy: z.string().optional(),
  'Join Type': z.string().optional(),
  Filter: z.string().optional(),
  'Index Cond': z.string().optional(),
  'Recheck Cond': z.string().optional(),
  'Hash Cond': z.string().optional(),
  'Merge Cond': z.string().optional(),
  'Join Filter': z.string().optional(),
  'Sort Key': z.array(z.string()).optional(),
  'Group Key': z.array(z.string()).optional(),
  'Sort Method': z.string().optional(),
  'Sort Space Type': z.string().optional(),
  'Plan Rows': z.number(),
  'Total Cost': z.number().optional(),
  'Actual Rows': z.number().optional(),
  'Actual Loops': z.number().optional(),
  'Rows Removed by Filter': z.number().optional(),
  'Workers Planned': z.number().optional(),
});

/** A step of the plan in EXPLAIN (FORMAT JSON). */
export type RawPlan = z.infer<typeof planFields> & { readonly Plans?: readonly RawPlan[] | undefined };

export const rawPlan: z.ZodType<RawPlan> = z.lazy(() => planFields.extend({ Plans: z.array(rawPlan).optional() }));

const OPERATIONS: Readonly<Record<string, PlanOperation | undefined>> = {
  'Seq Scan': 'scan',
  'Sample Scan': 'scan',
  'Index Scan': 'search',
  'Index Only Scan': 'search',
  'Bitmap Heap Scan': 'search',
  'Bitmap Index Scan': 'search',
  BitmapOr: 'multi-index',
  BitmapAnd: 'multi-index',
  'Tid Scan': 'lookup',
  'Tid Range Scan': 'lookup',
  'Foreign Scan': 'foreign scan',
  'Function Scan': 'function',
  'Table Function Scan': 'function',
  ProjectSet: 'function',
  'Values Scan': 'constant rows',
  'CTE Scan': 'subquery',
  'Subquery Scan': 'subquery',
  'WorkTable Scan': 'subquery',
  'Named Tuplestore Scan': 'temporary table',
  'Nested Loop': 'nested loop',
  'Hash Join': 'hash join',
  'Merge Join': 'merge join',
  Sort: 'sort',
  'Incremental Sort': 'sort',
  Aggregate: 'group',
  Group: 'group',
  WindowAgg: 'window',
  Limit: 'limit',
  Append: 'compound',
  'Merge Append': 'compound',
  SetOp: 'compound',
  'Recursive Union': 'recursion',
  Gather: 'gather',
  'Gather Merge': 'gather',
  Materialize: 'materialize',
  Memoize: 'materialize',
  Hash: 'hash',
  ModifyTable: 'modify',
  Unique: 'distinct',
  LockRows: 'lock',
};

/**
 * The same step in the form all engines share. Measured rows are the sum over all loops. `around` are the rows of an
 * outer table for each of which it runs.
 */
export function planStep(plan: RawPlan, sizes: ReadonlyMap<string, number>, around?: Around): PlanStep {
  const actual = plan['Actual Rows'];
  return {
    operation: operationOf(plan),
    table: plan['Relation Name'] ?? plan['CTE Name'] ?? plan['Function Name'],
    index: plan['Index Name'],
    detail: detailOf(plan),
    estimatedRows: plan['Plan Rows'],
    actualRows: actual === undefined ? undefined : Math.round(actual * loopsOf(plan)),
    cost: plan['Total Cost'],
    signs: { ...signsOf(plan, sizes), oncePer: around && { ...around, rows: plan['Actual Loops'] ?? around.rows } },
    children: (plan.Plans ?? []).map((child) => {
      const made = planStep(child, sizes, aroundChild(plan, child, sizes, around));
      const step = joinedBy(made, plan['Hash Cond'] ?? plan['Merge Cond'] ?? plan['Join Filter']);
      if (!isReadAgain(plan, child)) return step;
      return { ...step, signs: { ...step.signs, lacksIndex: { why: 'joined' }, oncePer: outerOf(plan, around) } };
    }),
  };
}

/** A scan below a join, through steps that pass rows on, is joined by this condition. */
function joinedBy(step: PlanStep, condition: string | undefined): PlanStep {
  if (condition === undefined) return step;
  if (step.operation === 'scan') return { ...step, signs: { ...step.signs, joinedBy: condition } };
  return PASSES_ON.has(step.operation)
    ? { ...step, children: step.children.map((child) => joinedBy(child, condition)) }
    : step;
}

const PASSES_ON: ReadonlySet<PlanOperation> = new Set(['hash', 'sort', 'materialize', 'gather']);

/** The whole table is read once for each row of the other side. */
function isReadAgain(plan: RawPlan, child: RawPlan): boolean {
  return (
    plan['Node Type'] === 'Nested Loop' && child['Parent Relationship'] === 'Inner' && child['Node Type'] === 'Seq Scan'
  );
}

/** The side of a nested loop whose rows the other side runs for, in a subquery that runs more than once as well. */
function outerOf(plan: RawPlan, around: Around | undefined): PlanSigns['oncePer'] {
  const outer = plan.Plans?.find((child) => child['Parent Relationship'] === 'Outer');
  if (outer === undefined) return undefined;
  const found = outer['Actual Rows'];
  const table = outer['Relation Name'];
  if (found !== undefined) return { table, rows: found * loopsOf(outer) };
  const times = around === undefined ? 1 : around.rows;
  return { table, rows: times === undefined ? undefined : outer['Plan Rows'] * times };
}

function loopsOf(plan: RawPlan): number {
  return plan['Actual Loops'] ?? 1;
}

function operationOf(plan: RawPlan): PlanOperation {
  const type = plan['Node Type'];
  if (type === 'Result') return plan.Plans === undefined ? 'constant rows' : 'compute';
  const readsWholeIndex = /^Index (?:Only )?Scan$/.test(type) && plan['Index Cond'] === undefined;
  return readsWholeIndex ? 'index scan' : (OPERATIONS[type] ?? 'other');
}

function signsOf(plan: RawPlan, sizes: ReadonlyMap<string, number>): PlanSigns {
  const size = sizes.get(plan['Relation Name'] ?? '');
  return {
    alias: plan.Alias,
    tableSize: size === undefined ? undefined : { about: size },
    filter: plan.Filter === undefined ? undefined : { condition: plan.Filter, keeps: plan['Plan Rows'] },
    expectedRows: plan['Plan Rows'] * loopsOf(plan),
    sort: { by: plan['Sort Key']?.join(', '), onDisk: plan['Sort Space Type'] === 'Disk' },
  };
}

function detailOf(plan: RawPlan): string {
  const parts = [
    [plan.Operation ?? plan.Strategy, plan['Join Type'], plan['Node Type']]
      .filter((part) => part !== undefined)
      .join(' '),
    plan['Subplan Name'],
    plan.Alias === undefined || plan.Alias === plan['Relation Name'] ? undefined : `as ${plan.Alias}`,
    labelled('Index Cond', plan['Index Cond']),
    labelled('Recheck', plan['Index Cond'] === undefined ? plan['Recheck Cond'] : undefined),
    labelled('Join', plan['Hash Cond'] ?? plan['Merge Cond'] ?? plan['Join Filter']),
    labelled('Filter', plan.Filter),
    labelled('Sort Key', plan['Sort Key']?.join(', ')),
    labelled('Group Key', plan['Group Key']?.join(', ')),
    plan['Workers Planned'] === undefined ? undefined : `${plan['Workers Planned']} workers`,
  ];
  return parts.filter((part) => part !== undefined).join('; ');
}

function labelled(label: string, text: string | undefined): string | undefined {
  return text === undefined ? undefined : `${label}: ${text}`;
}
