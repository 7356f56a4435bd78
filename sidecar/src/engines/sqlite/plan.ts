import { AppError } from '@devdb/shared/errors';
import type { Explanation } from '@devdb/shared/plans';
import { LARGE_TABLE_ROWS } from '../limits.ts';
import { planFlags } from '../plan-flags.ts';
import { type PlanStep, planNode, type TableSize } from '../plan-steps.ts';
import type { Db, TableFacts } from './catalog.ts';
import { classify } from './judge.ts';
import { type DetailStep, readDetail } from './plan-detail.ts';
import { planNames } from './plan-names.ts';
import { withRepeats } from './repeated-scans.ts';
import { countUpTo, type RowEstimate, rowEstimates } from './row-estimate.ts';
import { isWord, tokenize } from './tokenize.ts';

interface PlanRow {
  readonly id: number;
  readonly parent: number;
  readonly detail: string;
}

interface Step extends DetailStep {
  readonly id: number;
  readonly parent: number;
  readonly facts: TableFacts | undefined;
}

/** Statements that SQLite has no plan for, and PRAGMA, which would take effect when explained. */
const UNPLANNED = new Set(['ALTER', 'ANALYZE', 'DROP', 'PRAGMA', 'REINDEX', 'VACUUM']);

/** SQLite's query plan as a tree, with warnings. Runs nothing. */
export function explain(db: Db, sql: string): Pick<Explanation, 'plan' | 'flags' | 'source'> {
  const statement = explainable(sql);
  // Planning alone looks into no file: without a read before it, SQLite plans by the schema as it was at the last one.
  db.prepare('SELECT 1 FROM sqlite_schema').get();
  const rows = db.prepare<[], PlanRow>(`EXPLAIN QUERY PLAN ${statement}`).all();
  const names = planNames(
    db,
    statement,
    rows.map(({ detail }) => detail),
  );
  const steps = rows.map(({ id, parent, detail }): Step => {
    const step = readDetail(detail, names);
    return { ...step, id, parent, facts: step.table === undefined ? undefined : names.table(step.table) };
  });
  const estimate = rowEstimates(db);
  const tree = withRepeats(treeOf(steps, (step) => planStep(db, step, estimate)));
  return { plan: tree.map(planNode), flags: planFlags({ steps: tree }), source: sourceOf(rows) };
}

/** The statement without its own EXPLAIN. */
export function explainable(sql: string): string {
  const judged = classify(sql);
  if (judged.effect === 'refused') throw new AppError('E_SQL', judged.reason);
  const read = tokenize(sql);
  const tokens = read.ok ? read.tokens : [];
  const skipped = isWord(tokens[0], 'EXPLAIN') ? (isWord(tokens[1], 'QUERY') ? 3 : 1) : 0;
  const first = tokens[skipped];
  // Text that is not a statement is left to SQLite's own message.
  if (first === undefined || UNPLANNED.has(first.text.toUpperCase())) {
    throw new AppError('E_SQL', `SQLite has no plan for ${first?.text ?? 'this'}.`, {
      hint: 'Explain a SELECT, INSERT, UPDATE or DELETE.',
    });
  }
  return sql.slice(first.start);
}

/** Indented as SQLite's own shell writes it. */
function sourceOf(rows: readonly PlanRow[]): string {
  const depths = new Map<number, number>();
  const lines = rows.map(({ id, parent, detail }) => {
    const depth = (depths.get(parent) ?? -1) + 1;
    depths.set(id, depth);
    return `${'  '.repeat(depth)}${detail}`;
  });
  return lines.join('\n');
}

function treeOf(steps: readonly Step[], planStepOf: (step: Step) => Omit<PlanStep, 'children'>): PlanStep[] {
  const byParent = Map.groupBy(steps, ({ parent }) => parent);
  const known = new Set(steps.map(({ id }) => id));
  const build = (step: Step): PlanStep => ({
    ...planStepOf(step),
    children: (byParent.get(step.id) ?? []).map(build),
  });
  return steps.filter(({ parent }) => !known.has(parent)).map(build);
}

function planStep(db: Db, step: Step, estimate: RowEstimate): Omit<PlanStep, 'children'> {
  const { operation, table, index, detail, facts, automaticIndex, constraint, purpose } = step;
  const scanned = operation === 'scan' || operation === 'index scan' ? facts : undefined;
  const rows = scanned === undefined ? null : (estimate(scanned)?.rows ?? null);
  return {
    operation,
    table,
    index,
    detail,
    estimatedRows: rows ?? undefined,
    signs: {
      tableSize: scanned?.type === 'table' ? sizeOf(db, scanned, rows) : undefined,
      lacksIndex: automaticIndex ? { why: 'built', on: constraint } : undefined,
      sort: { by: purpose },
    },
  };
}

/** Looks at the table itself, row by row up to the limit: an estimate may be as old as the last ANALYZE. */
function sizeOf(db: Db, { name }: TableFacts, estimated: number | null): TableSize {
  const counted = countUpTo(db, name, LARGE_TABLE_ROWS);
  if (counted < LARGE_TABLE_ROWS) return { about: counted };
  return estimated === null || estimated < LARGE_TABLE_ROWS ? { atLeast: counted } : { about: estimated };
}
