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
  readonly cost?: number | undefined;
  /** How often it was executed. */
  readonly runs?: number | undefined;
  readonly signs?: PlanSigns | undefined;
  readonly children: readonly AliasStep[];
}

/** A plan, with the measurements if it was executed. */
export interface ServerPlan {
  readonly steps: readonly AliasStep[];
  /** As the server writes it. */
  readonly source: string;
  readonly conversions?: readonly Conversion[] | undefined;
  readonly measuredRows?: number | undefined;
  readonly measuredMs?: number | undefined;
}

/** The step with its table in the alias's place, and what the catalogue knows of that table. */
export function planStep(step: AliasStep, tableOf: (alias: string) => TableFacts | undefined): PlanStep {
  const { alias, runs: _, ...rest } = step;
  const table = alias === undefined ? undefined : tableOf(alias);
  const rows = table?.rows;
  const oncePer = step.signs?.oncePer;
  return {
    ...rest,
    table: table?.shown,
    signs: {
      ...step.signs,
      alias,
      tableSize: rows === undefined ? undefined : { about: rows },
      oncePer: oncePer && { ...oncePer, table: oncePer.table && tableOf(oncePer.table)?.shown },
    },
    children: step.children.map((child) => planStep(child, tableOf)),
  };
}

/** A scan below a join, through steps that pass rows on, is joined by this condition. */
export function joinedBy(step: AliasStep, condition: string | undefined): AliasStep {
  if (condition === undefined) return step;
  if (step.operation === 'scan') return { ...step, signs: { ...step.signs, joinedBy: condition } };
  const passesOn = step.operation === 'hash' || step.operation === 'filter';
  return passesOn ? { ...step, children: step.children.map((child) => joinedBy(child, condition)) } : step;
}

/**
 * What runs once for each row of another step: all below it, but for rows that are kept. Estimates are for one run, so
 * the numbers of loops around it multiply; what was executed has been counted.
 */
export function repeatedFor(step: AliasStep, outer: AliasStep): AliasStep {
  if (keepsRows(step)) return step;
  const children = step.children.map((child) => repeatedFor(child, outer));
  if (step.operation !== 'scan' && step.operation !== 'index scan') return { ...step, children };
  const inner = step.signs?.oncePer;
  const around = outer.actualRows ?? outer.estimatedRows;
  const times = inner === undefined ? 1 : inner.rows;
  const estimated = around === undefined || times === undefined ? undefined : around * times;
  const oncePer = { table: inner === undefined ? aliasOf(outer) : undefined, rows: step.runs ?? estimated };
  return { ...step, signs: { ...step.signs, oncePer }, children };
}

function keepsRows({ operation, detail = '' }: AliasStep): boolean {
  // With deduplication it is called distinct.
  const isKept = operation === 'materialize' || /^(?:Materialize|Temporary table)\b/.test(detail);
  return isKept && !/invalidate/i.test(detail);
}

/** The table whose rows a step passes on. */
function aliasOf({ alias, operation, children }: AliasStep): string | undefined {
  const [only, ...others] = children;
  const passesOn = operation === 'filter' || operation === 'materialize';
  return alias !== undefined || !passesOn || only === undefined || others.length > 0 ? alias : aliasOf(only);
}

/** The shared name for an access type of any server. */
export function operationOf(accessType: string): PlanOperation {
  if (accessType === 'ALL') return 'scan';
  if (accessType === 'index') return 'index scan';
  if (accessType === 'system' || accessType === 'const') return 'constant rows';
  return 'search';
}
