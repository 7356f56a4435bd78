import type { PlanFlag, ShownPlan } from '@devdb/shared/plans';
import type { ShownExplain } from '../page-messages.ts';
import type { PlanRow } from './plan-rows.ts';

/** What a warning is about. */
export const FLAG_TITLES = {
  'full-scan': 'Reads a whole table',
  'missing-index': 'An index would help',
  'rows-misjudged': 'The database expected far fewer rows',
  'temp-sort': 'Sorts rows that an index could give in order',
  'implicit-conversion': 'Converts a column to compare it',
} as const satisfies Record<PlanFlag['flag'], string>;

/** A column of the tree beside the step itself. */
interface PlanColumn {
  readonly title: string;
  readonly isNumber: boolean;
  readonly textOf: (row: PlanRow) => string;
}

const COLUMNS: readonly PlanColumn[] = [
  { title: 'Table', isNumber: false, textOf: ({ step }) => step.table ?? '' },
  { title: 'Index', isNumber: false, textOf: ({ step }) => step.index ?? '' },
  { title: 'Cost', isNumber: true, textOf: ({ step }) => numberText(step.cost) },
  { title: 'Own share', isNumber: true, textOf: ({ share }) => (share === undefined ? '' : percentText(share)) },
  { title: 'Rows expected', isNumber: true, textOf: ({ step }) => numberText(step.estimatedRows) },
  { title: 'Rows found', isNumber: true, textOf: ({ step }) => numberText(step.actualRows) },
  { title: 'Details', isNumber: false, textOf: ({ step }) => step.detail ?? '' },
];

/** The columns that say something about at least one step. */
export function columnsOf(rows: readonly PlanRow[]): readonly PlanColumn[] {
  return COLUMNS.filter(({ textOf }) => rows.some((row) => textOf(row) !== ''));
}

/** `index scan` as `Index scan`. */
export function stepTitle({ step }: PlanRow): string {
  return `${step.operation.charAt(0).toUpperCase()}${step.operation.slice(1)}`;
}

/** What is on show, in a sentence. */
export function statusOf({ state, isMeasuring, plan, problem }: ShownExplain): string {
  if (state === 'running') return isMeasuring ? 'Running and measuring the statement' : 'Asking for the plan';
  if (state === 'cancelled') return plan === undefined ? 'Cancelled.' : 'Cancelled. This is the plan from before.';
  if (state === 'left') return 'The window was reloaded, and the plan is gone. "Explain again" brings it back.';
  if (state === 'failed') return problem;
  return plan === undefined ? '' : planStatus(plan);
}

function planStatus({ database, measured }: ShownPlan): string {
  if (measured === undefined) return `${database} · planned, not run`;
  const rows = measured.rows === 1 ? '1 row' : `${measured.rows.toLocaleString('en')} rows`;
  return `${database} · run and measured: ${rows} in ${numberText(measured.durationMs)} ms`;
}

function numberText(value: number | undefined): string {
  if (value === undefined) return '';
  return value.toLocaleString('en', { maximumFractionDigits: Math.abs(value) < 10 ? 2 : 0 });
}

function percentText(share: number): string {
  return `${Math.round(100 * share)}%`;
}
