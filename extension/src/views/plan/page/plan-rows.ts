import type { CostedNode } from '@devdb/shared/plans';

/** A step of a plan as a row of the tree. */
export interface PlanRow {
  /** Its place among all steps, parents first. */
  readonly id: number;
  readonly parent: number | undefined;
  readonly level: number;
  /** Its place among its siblings, from 1 on, and how many these are. */
  readonly position: number;
  readonly siblings: number;
  readonly hasChildren: boolean;
  readonly step: CostedNode;
  /** The part of the plan's cost that is its own, where the server tells costs. */
  readonly share: number | undefined;
}

/** All steps, parents first. */
export function planRows(plan: readonly CostedNode[]): PlanRow[] {
  const whole = plan.reduce((sum, { cost = 0 }) => sum + cost, 0);
  const rows: PlanRow[] = [];
  const add = (steps: readonly CostedNode[], level: number, parent: number | undefined): void => {
    for (const [at, step] of steps.entries()) {
      const id = rows.length;
      rows.push({
        id,
        parent,
        level,
        position: at + 1,
        siblings: steps.length,
        hasChildren: step.children.length > 0,
        step,
        share: shareOf(step, whole),
      });
      add(step.children, level + 1, id);
    }
  };
  add(plan, 1, undefined);
  return rows;
}

/** A step's cost includes the steps below it. One that ends early costs less than they would. */
function shareOf({ cost, children }: CostedNode, whole: number): number | undefined {
  if (cost === undefined || whole === 0) return undefined;
  const below = children.reduce((sum, child) => sum + (child.cost ?? 0), 0);
  return Math.min(1, Math.max(0, cost - below) / whole);
}

/** The rows that no closed row hides. */
export function openRows(rows: readonly PlanRow[], closed: ReadonlySet<number>): PlanRow[] {
  const hidden = new Set<number>();
  return rows.filter(({ id, parent }) => {
    if (parent === undefined || !(hidden.has(parent) || closed.has(parent))) return true;
    hidden.add(id);
    return false;
  });
}
