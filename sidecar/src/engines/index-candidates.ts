import type { PlanFlag } from '@devdb/shared/plans';
import { type ComparedColumn, comparedColumns } from './condition-columns.ts';
import { tablesInWant } from './plan-flags.ts';
import { allSteps, type PlanStep } from './plan-steps.ts';

const MOST_TABLES = 5;
const MOST_COLUMNS = 3;

/** What a table has already. */
export interface IndexedTable {
  readonly columns: readonly string[];
  /** Those of its columns that hold texts, where the engine's plans compare other types as texts too. */
  readonly texts?: readonly string[];
  /** The columns of each index, in order. */
  readonly indexes: readonly (readonly string[])[];
}

/** An index that the conditions of a plan suggest. */
export interface IndexCandidate {
  readonly table: string;
  readonly columns: readonly string[];
}

/** A column of a table by which a statement looks for its rows. */
export interface SoughtColumn {
  readonly name: string;
  readonly by: ComparedColumn['by'];
}

/** The columns by which the plan looks for the rows of each table that wants an index, as its conditions say. */
export function soughtColumns(
  steps: readonly PlanStep[],
  flags: readonly PlanFlag[],
  known: ReadonlyMap<string, IndexedTable>,
): ReadonlyMap<string, readonly SoughtColumn[]> {
  const tables = tablesInWant(flags).slice(0, MOST_TABLES);
  const all = [...allSteps(steps)];
  return new Map(
    tables.map((table) => {
      const readers = all.filter((step) => step.table === table && isWholeRead(step));
      // Where a table is read twice, the conditions of one reading say nothing of the other.
      const [only, ...others] = readers;
      const isOne = others.every((other) => conditionOf(other) === undefined);
      const facts = known.get(table);
      return [table, only === undefined || facts === undefined || !isOne ? [] : soughtBy(only, facts)];
    }),
  );
}

function isWholeRead({ operation }: PlanStep): boolean {
  return operation === 'scan' || operation === 'index scan';
}

function conditionOf({ signs = {} }: PlanStep): string | undefined {
  return signs.filter?.condition;
}

/** Equal ones first: behind a range, an index narrows no further. */
function soughtBy({ table, signs = {} }: PlanStep, { columns, texts = [] }: IndexedTable): SoughtColumn[] {
  const { alias = table, joinedBy, filter } = signs;
  const known = new Map(columns.map((name) => [name.toLowerCase(), name]));
  const found = [filter?.condition, joinedBy].flatMap((condition) => {
    const compared = condition === undefined ? [] : comparedColumns(condition);
    return compared.flatMap(({ of, name, by, asText }) => {
      const column = of === undefined || sameName(of, alias) ? known.get(name.toLowerCase()) : undefined;
      const isServed = column !== undefined && (asText === undefined || texts.includes(column));
      return isServed ? [{ name: column, by }] : [];
    });
  });
  const ordered = [...found.filter(({ by }) => by === 'equality'), ...found.filter(({ by }) => by === 'range')];
  return [...new Map(ordered.toReversed().map((one) => [one.name, one])).values()].toReversed();
}

function sameName(one: string, other: string | undefined): boolean {
  return one.toLowerCase() === other?.toLowerCase();
}

/**
 * An index for each table that wants one, guessed from the conditions in the plan: all columns compared for equality,
 * then one range. A range alone is worth one only where few rows pass it, and where an index begins with a column that
 * is sought, the server knew it and did not take it: then none is named.
 */
export function indexCandidates(
  steps: readonly PlanStep[],
  flags: readonly PlanFlag[],
  tables: ReadonlyMap<string, IndexedTable>,
): IndexCandidate[] {
  const sought = soughtColumns(steps, flags, tables);
  return [...sought].flatMap(([table, columns]) => {
    const equal = columns.filter(({ by }) => by === 'equality').map(({ name }) => name);
    const [range] = columns.filter(({ by }) => by === 'range').map(({ name }) => name);
    const isSelective = flags.some((one) => one.flag === 'missing-index' && one.table === table);
    if (equal.length === 0 && !isSelective) return [];
    const named = [...equal, ...(range === undefined ? [] : [range])].slice(0, MOST_COLUMNS);
    const begins = new Set((tables.get(table)?.indexes ?? []).map(([first]) => first));
    return named.length === 0 || named.some((name) => begins.has(name)) ? [] : [{ table, columns: named }];
  });
}
