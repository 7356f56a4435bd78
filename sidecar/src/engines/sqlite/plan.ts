import { AppError } from '@devdb/shared/errors';
import type { ToolOutput } from '@devdb/shared/tools';
import type { PlanNode } from '@devdb/shared/tools/database/explain-query';
import { LARGE_TABLE_ROWS } from '../limits.ts';
import type { Db, TableFacts } from './catalog.ts';
import { classify } from './judge.ts';
import { type PlanStep, readDetail } from './plan-detail.ts';
import { planNames } from './plan-names.ts';
import { countUpTo, type RowEstimate, rowEstimates } from './row-estimate.ts';
import { isWord, tokenize } from './tokenize.ts';

type Flag = ToolOutput<'explain-query'>['flags'][number];

interface PlanRow {
  readonly id: number;
  readonly parent: number;
  readonly detail: string;
}

interface Step extends PlanStep {
  readonly id: number;
  readonly parent: number;
  readonly facts: TableFacts | undefined;
}

/** Statements that SQLite has no plan for, and PRAGMA, which would take effect by being explained. */
const UNPLANNED = new Set(['ALTER', 'ANALYZE', 'DROP', 'PRAGMA', 'REINDEX', 'VACUUM']);

/** SQLite's query plan as a tree, with what is worth a warning. Nothing is run. */
export function explain(db: Db, sql: string): { readonly plan: PlanNode[]; readonly flags: Flag[] } {
  const statement = explainable(sql);
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
  return { plan: treeOf(steps, estimate), flags: flagsOf(db, steps, estimate) };
}

/** The statement without an EXPLAIN of its own. */
function explainable(sql: string): string {
  const judged = classify(sql);
  if (judged.effect === 'refused') throw new AppError('E_SQL', judged.reason);
  const read = tokenize(sql);
  const tokens = read.ok ? read.tokens : [];
  const skipped = isWord(tokens[0], 'EXPLAIN') ? (isWord(tokens[1], 'QUERY') ? 3 : 1) : 0;
  const first = tokens[skipped];
  // What is no statement at all is left to SQLite's own sentence.
  if (first === undefined || UNPLANNED.has(first.text.toUpperCase())) {
    throw new AppError('E_SQL', `SQLite has no plan for ${first?.text ?? 'this'}.`, {
      hint: 'Explain a SELECT, INSERT, UPDATE or DELETE.',
    });
  }
  return sql.slice(first.start);
}

function treeOf(steps: readonly Step[], estimate: RowEstimate): PlanNode[] {
  const byParent = Map.groupBy(steps, ({ parent }) => parent);
  const known = new Set(steps.map(({ id }) => id));
  const build = (step: Step): PlanNode => ({
    ...nodeOf(step, estimate),
    children: (byParent.get(step.id) ?? []).map(build),
  });
  return steps.filter(({ parent }) => !known.has(parent)).map(build);
}

function nodeOf({ operation, table, index, detail, facts }: Step, estimate: RowEstimate): Omit<PlanNode, 'children'> {
  const rows = operation === 'scan' && facts !== undefined ? estimate(facts) : null;
  return {
    operation,
    ...(table === undefined ? {} : { table }),
    ...(index === undefined ? {} : { index }),
    detail,
    ...(rows === null ? {} : { estimatedRows: rows }),
  };
}

function flagsOf(db: Db, steps: readonly Step[], estimate: RowEstimate): Flag[] {
  const flags = steps.flatMap((step) => [
    ...fullScan(db, step, estimate),
    ...missingIndex(step),
    ...temporarySort(step),
  ]);
  return [...new Map(flags.map((flag) => [`${flag.flag} ${flag.message}`, flag])).values()];
}

/** The table is looked at itself, row by row up to the bound: an estimate may be as old as the last ANALYZE. */
function fullScan(db: Db, { operation, facts, index }: Step, estimate: RowEstimate): Flag[] {
  if (operation !== 'scan' || facts?.type !== 'table') return [];
  if (countUpTo(db, facts.name, LARGE_TABLE_ROWS) < LARGE_TABLE_ROWS) return [];
  const rows = estimate(facts);
  const size = rows === null || rows < LARGE_TABLE_ROWS ? `at least ${LARGE_TABLE_ROWS}` : `about ${rows}`;
  const through = index === undefined ? '' : ` through the index ${index}`;
  const message = `Reads all rows of ${facts.name} (${size})${through}. A condition on an indexed column would read fewer.`;
  return [{ flag: 'full-scan', message, table: facts.name }];
}

function missingIndex({ automaticIndex, table, constraint }: Step): Flag[] {
  if (!automaticIndex) return [];
  const columns = constraint === undefined ? '' : ` for (${constraint})`;
  const message = `SQLite builds an index on ${table ?? 'a subquery'}${columns} each time the statement runs. An index of the table's own would save that.`;
  return [{ flag: 'missing-index', message, ...(table === undefined ? {} : { table }) }];
}

function temporarySort({ operation, detail, purpose }: Step): Flag[] {
  if (operation !== 'sort') return [];
  const message = `Sorts in a temporary b-tree for ${purpose ?? detail}. An index in that order would save the sort.`;
  return [{ flag: 'temp-sort', message }];
}
