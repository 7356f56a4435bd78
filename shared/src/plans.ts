import * as z from 'zod';

/**
 * What a step of a plan does, in words that all engines share. Where an engine has a step that no word fits, it is
 * `other`; the engine's own words are in the step's `detail`.
 */
export const PLAN_OPERATIONS = [
  // Where rows come from.
  'scan', // all rows of a table
  'index scan', // all entries of an index
  'search', // the rows that an index finds
  'lookup', // the rows whose places an index gave
  'multi-index', // the rows that several indexes find together
  'multi-index part',
  'foreign scan', // rows of another server
  'function', // rows that a function gives
  'constant rows', // rows that are known before anything is read
  'subquery', // rows of another part of the statement
  'temporary table', // rows that were put aside while the statement runs
  // How rows are put together.
  'nested loop',
  'hash join',
  'merge join',
  'join', // the server chooses how while the statement runs
  'compound', // UNION, INTERSECT, EXCEPT, and the partitions of a table
  'compound part',
  'recursion',
  'recursion part',
  // What is done with them.
  'filter',
  'sort',
  'group',
  'distinct',
  'window',
  'limit',
  'compute',
  'hash', // a table of hashes, built for a join
  'materialize', // rows are kept, to be read again
  'gather', // rows of parallel workers
  'lock',
  'modify',
  'other',
] as const;

export type PlanOperation = (typeof PLAN_OPERATIONS)[number];

/** What in a plan is worth a warning. */
export const PLAN_FLAGS = ['full-scan', 'missing-index', 'rows-misjudged', 'temp-sort', 'implicit-conversion'] as const;

export interface PlanNode {
  readonly operation: PlanOperation;
  readonly table?: string | undefined;
  readonly index?: string | undefined;
  readonly detail?: string | undefined;
  readonly estimatedRows?: number | undefined;
  readonly actualRows?: number | undefined;
  readonly children: readonly PlanNode[];
}

/** A step of a plan with those below it. */
export const planNode: z.ZodType<PlanNode, PlanNode> = z.lazy(() =>
  z.object({
    operation: z.enum(PLAN_OPERATIONS),
    table: z.string().optional(),
    index: z.string().optional(),
    detail: z.string().optional(),
    estimatedRows: z.number().optional(),
    actualRows: z.number().optional(),
    children: z.array(planNode),
  }),
);

/** A warning about a plan. */
export const planFlag = z.object({
  flag: z.enum(PLAN_FLAGS),
  message: z.string(),
  table: z.string().optional(),
});

export type PlanFlag = z.infer<typeof planFlag>;
