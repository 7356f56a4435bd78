import type { PlanSigns, PlanStep } from '../plan-steps.ts';

type Outer = PlanSigns['oncePer'];

const READS_TABLE: ReadonlySet<PlanStep['operation']> = new Set(['scan', 'index scan', 'search']);

/**
 * Marks what runs once for each row of another table. SQLite lists the loops of a join as siblings, the outermost first,
 * and a correlated subquery behind the loops whose rows it takes.
 */
export function withRepeats(steps: readonly PlanStep[], outer?: Outer): PlanStep[] {
  let around = outer;
  return steps.map((step) => {
    const isLoop = READS_TABLE.has(step.operation);
    const isCorrelated = /^(?:REUSE )?CORRELATED /.test(step.detail ?? '');
    const marked = {
      ...step,
      signs: { ...step.signs, ...(isLoop && around !== undefined ? { oncePer: around } : {}) },
      children: withRepeats(step.children, isCorrelated || isPart(step) ? around : undefined),
    };
    if (isLoop) around = inside(around, step);
    return marked;
  });
}

/** Steps that only group others: what is around them is around those too. */
function isPart({ operation }: PlanStep): boolean {
  return operation === 'multi-index' || operation === 'multi-index part';
}

/** The loop in which the next step runs. How many rows a search finds is not known. */
function inside(around: Outer, { table, operation, signs }: PlanStep): Outer {
  const size = signs?.tableSize;
  const own = operation === 'search' || size === undefined ? undefined : 'about' in size ? size.about : size.atLeast;
  if (around === undefined) return { table, rows: own };
  return { table, rows: around.rows === undefined || own === undefined ? undefined : around.rows * own };
}
