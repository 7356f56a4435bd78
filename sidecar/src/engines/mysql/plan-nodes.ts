import type { PlanNode } from '@devdb/shared/tools/database/explain-query';

/** A step of a plan before the names in it are looked up: servers write aliases in the tables' place. */
export interface PlanStep {
  readonly operation: string;
  readonly alias?: string | undefined;
  readonly index?: string | undefined;
  readonly detail?: string | undefined;
  readonly estimatedRows?: number | undefined;
  readonly actualRows?: number | undefined;
  /** Rows are compared with those of another table one by one, without an index. */
  readonly joinsWithoutIndex?: boolean | undefined;
  readonly children: readonly PlanStep[];
}

/** A plan, and what running it measured. */
export interface ServerPlan {
  readonly steps: readonly PlanStep[];
  readonly measuredRows?: number | undefined;
  readonly measuredMs?: number | undefined;
}

/** All steps, parents first. */
export function* allSteps(steps: readonly PlanStep[]): Generator<PlanStep> {
  for (const step of steps) {
    yield step;
    yield* allSteps(step.children);
  }
}

/** The step as callers see it. */
export function planNode(step: PlanStep, tableOf: (alias: string) => string | undefined): PlanNode {
  const { operation, alias, index, detail, estimatedRows, actualRows, children } = step;
  const table = alias === undefined ? undefined : tableOf(alias);
  return {
    operation,
    ...(table === undefined ? {} : { table }),
    ...(index === undefined ? {} : { index }),
    ...(detail === undefined ? {} : { detail }),
    ...(estimatedRows === undefined ? {} : { estimatedRows }),
    ...(actualRows === undefined ? {} : { actualRows }),
    children: children.map((child) => planNode(child, tableOf)),
  };
}

/** How the access types of all servers are called here. */
export function operationOf(accessType: string): string {
  if (accessType === 'ALL') return 'scan';
  if (accessType === 'index') return 'index scan';
  if (accessType === 'system' || accessType === 'const') return 'constant rows';
  return 'search';
}
