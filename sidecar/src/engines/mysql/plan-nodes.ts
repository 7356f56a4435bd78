import type { PlanOperation } from '@devdb/shared/plans';
import type { Conversion, PlanSigns, PlanStep } from '../plan-steps.ts';
import type { TableFacts } from './catalog.ts';

/** A step of a plan before its names are resolved: servers write aliases in place of tables. */
export interface AliasStep {
  readonly operation: PlanOperation;
  readonly alias?: string | undefined;
  readonly index?: string | undefined;
  readonly detail?: string | undefined;
  readonly estimatedRows?: number | undefined;
  readonly actualRows?: number | undefined;
  readonly signs?: PlanSigns | undefined;
  readonly children: readonly AliasStep[];
}

/** A plan, with the measurements if it was executed. */
export interface ServerPlan {
  readonly steps: readonly AliasStep[];
  readonly conversions?: readonly Conversion[] | undefined;
  readonly measuredRows?: number | undefined;
  readonly measuredMs?: number | undefined;
}

/** The step with its table in the alias's place, and what the catalogue knows of that table. */
export function planStep(step: AliasStep, tableOf: (alias: string) => TableFacts | undefined): PlanStep {
  const { alias, ...rest } = step;
  const table = alias === undefined ? undefined : tableOf(alias);
  const rows = table?.rows;
  return {
    ...rest,
    table: table?.shown,
    signs: { ...step.signs, tableSize: rows === undefined ? undefined : { about: rows } },
    children: step.children.map((child) => planStep(child, tableOf)),
  };
}

/** The shared name for an access type of any server. */
export function operationOf(accessType: string): PlanOperation {
  if (accessType === 'ALL') return 'scan';
  if (accessType === 'index') return 'index scan';
  if (accessType === 'system' || accessType === 'const') return 'constant rows';
  return 'search';
}
