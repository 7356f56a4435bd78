import type { PlanNode } from '@devdb/shared/tools/database/explain-query';
import * as z from 'zod';

const planFields = z.looseObject({
  'Node Type': z.string(),
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
  'Actual Rows': z.number().optional(),
  'Actual Loops': z.number().optional(),
  'Rows Removed by Filter': z.number().optional(),
  'Workers Planned': z.number().optional(),
});

/** A step of the plan, as EXPLAIN (FORMAT JSON) tells it. */
export type RawPlan = z.infer<typeof planFields> & { readonly Plans?: readonly RawPlan[] | undefined };

export const rawPlan: z.ZodType<RawPlan> = z.lazy(() => planFields.extend({ Plans: z.array(rawPlan).optional() }));

const OPERATIONS: Readonly<Record<string, string>> = {
  'Seq Scan': 'scan',
  'Index Scan': 'search',
  'Index Only Scan': 'search',
  'Bitmap Heap Scan': 'search',
  'Bitmap Index Scan': 'index',
  'Tid Scan': 'search',
  'Tid Range Scan': 'search',
  'Sample Scan': 'scan',
  'Foreign Scan': 'foreign scan',
  'Function Scan': 'function',
  'Table Function Scan': 'function',
  'Values Scan': 'values',
  'CTE Scan': 'subquery',
  'Subquery Scan': 'subquery',
  'WorkTable Scan': 'subquery',
  'Nested Loop': 'nested loop',
  'Hash Join': 'hash join',
  'Merge Join': 'merge join',
  Sort: 'sort',
  'Incremental Sort': 'sort',
  Aggregate: 'aggregate',
  WindowAgg: 'window',
  Limit: 'limit',
  Append: 'union',
  'Merge Append': 'union',
  SetOp: 'union',
  'Recursive Union': 'union',
  Gather: 'gather',
  'Gather Merge': 'gather',
  Materialize: 'materialize',
  Memoize: 'materialize',
  Hash: 'hash',
  ModifyTable: 'modify',
  Result: 'result',
  Unique: 'distinct',
  LockRows: 'lock',
};

/** The same step in the shape that all engines share. Measured rows are those of all loops together. */
export function toPlanNode(plan: RawPlan): PlanNode {
  const loops = plan['Actual Loops'] ?? 1;
  const actual = plan['Actual Rows'];
  const table = plan['Relation Name'] ?? plan['CTE Name'] ?? plan['Function Name'];
  const index = plan['Index Name'];
  return {
    operation: OPERATIONS[plan['Node Type']] ?? plan['Node Type'].toLowerCase(),
    ...(table === undefined ? {} : { table }),
    ...(index === undefined ? {} : { index }),
    detail: detailOf(plan),
    estimatedRows: plan['Plan Rows'],
    ...(actual === undefined ? {} : { actualRows: Math.round(actual * loops) }),
    children: (plan.Plans ?? []).map(toPlanNode),
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
