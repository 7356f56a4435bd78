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

/** A step as a person is shown it. */
export interface CostedNode extends PlanNode {
  /** What it costs with all steps below it, in the server's own measure. */
  readonly cost?: number | undefined;
  readonly children: readonly CostedNode[];
}

const costedNode: z.ZodType<CostedNode, CostedNode> = z.lazy(() =>
  z.object({
    operation: z.enum(PLAN_OPERATIONS),
    table: z.string().optional(),
    index: z.string().optional(),
    detail: z.string().optional(),
    estimatedRows: z.number().optional(),
    actualRows: z.number().optional(),
    cost: z.number().optional(),
    children: z.array(costedNode),
  }),
);

/** A warning with the statement that creates the index it names. */
const advisedFlag = planFlag.extend({ createIndex: z.string().optional() });
export type AdvisedFlag = z.infer<typeof advisedFlag>;

/** How a database would run a statement, as a person sees it. An agent gets a part of it. */
export const explanation = z.object({
  plan: z.array(costedNode),
  flags: z.array(advisedFlag),
  /** It was run, and its steps measured. */
  analyzed: z.boolean(),
  measured: z.object({ rows: z.int(), durationMs: z.number() }).optional(),
  /** The plan as the server writes it. */
  source: z.string(),
});
export type Explanation = z.infer<typeof explanation>;

/** A plan on its page. */
export const shownPlan = explanation.extend({
  /** The database's name, as a person knows it. */
  database: z.string(),
  /** A read can be run and measured. */
  isRead: z.boolean(),
  isSourceCut: z.boolean(),
});
export type ShownPlan = z.infer<typeof shownPlan>;
