import type { AdvisedFlag, PlanFlag } from '@devdb/shared/plans';
import { LARGE_TABLE_ROWS } from './limits.ts';
import {
  allSteps,
  type EnginePlan,
  type NamedIndex,
  type PlanSigns,
  type PlanStep,
  type TableSize,
} from './plan-steps.ts';

/** An estimate that is so many times too low misleads the server. */
const MISJUDGED_FACTOR = 10;
/** A condition that throws away so many rows for each that it keeps wants an index. */
const WASTEFUL_FACTOR = 20;

/** Rows read in all by a scan that is repeated: from here on even a small table is worth an index. */
const MANY_REPEATED_ROWS = 100_000;

/** What in a plan is worth a warning, each once. Every threshold and every sentence of a flag is in this file. */
export function planFlags(plan: EnginePlan): AdvisedFlag[] {
  const { steps, wantedIndexes = [], conversions = [], refreshesStatistics } = plan;
  const cutShort = new Set([...allSteps(steps)].flatMap(readInPart));
  const flags: AdvisedFlag[] = [
    ...[...allSteps(steps)].flatMap((step) => [
      ...(cutShort.has(step) ? [] : fullScan(step)),
      ...missingIndex(step),
      ...rowsMisjudged(step, refreshesStatistics),
      ...temporarySort(step),
    ]),
    ...wantedIndexes.map(
      ({ table, columns, savesPercent, create }): AdvisedFlag => ({
        flag: 'missing-index',
        message: `The server would use an index on ${table} ${columns}, and expects ${savesPercent}% less work.`,
        table,
        createIndex: create,
      }),
    ),
    ...conversions.map(
      ({ what, table }): PlanFlag => ({
        flag: 'implicit-conversion',
        message: `A comparison converts ${what}, which can keep an index from being used. Compare values of the column's own type.`,
        ...about(table),
      }),
    ),
  ];
  return [...new Map(flags.map((flag) => [`${flag.flag} ${flag.message}`, flag])).values()];
}

/** Tables that want an index by these flags, each once. */
export function tablesInWant(flags: readonly PlanFlag[]): string[] {
  return [
    ...new Set(
      flags.flatMap(({ flag, table }) => (flag === 'full-scan' || flag === 'missing-index' ? (table ?? []) : [])),
    ),
  ];
}

/** The flags with these indexes, each in place of the flags that could only say that one is missing. */
export function withNamedIndexes(flags: readonly AdvisedFlag[], named: readonly NamedIndex[]): readonly AdvisedFlag[] {
  const known = new Set(named.map(({ table }) => table));
  return [
    ...flags.filter(({ flag, table }) => flag !== 'missing-index' || table === undefined || !known.has(table)),
    ...named.map(namedIndex),
  ];
}

/** What an engine does that finds its rows by an index, in its own words for the condition. */
export function searches(condition: string): string {
  return `searches (${condition}) instead of reading all rows`;
}

/** What an engine does that needs only the beginning of a table's rows, or needs them sorted. */
export function readsInOrder(percentSaved: number): string {
  return `reads the rows in its order and expects ${percentSaved}% less work`;
}

function namedIndex({ table, index, create, tried }: NamedIndex): AdvisedFlag {
  const message =
    tried === undefined
      ? `An index on ${index} may help: the statement looks for rows by its columns. It was not tried.`
      : `An index on ${index} would be used: planned with it, ${tried.engine} ${tried.does}.`;
  return { flag: 'missing-index', message, table, createIndex: create };
}

function about(table: string | undefined): { readonly table?: string } {
  return table === undefined ? {} : { table };
}

/** A table right below a limit is read until the limit is reached, unless its rows have to pass a condition. */
function readInPart({ operation, children, actualRows, estimatedRows }: PlanStep): readonly PlanStep[] {
  const rows = actualRows ?? estimatedRows;
  if (operation !== 'limit' || (rows !== undefined && rows >= LARGE_TABLE_ROWS)) return [];
  return children.filter(({ signs }) => signs?.filter === undefined);
}

function fullScan({ operation, table, index, signs = {} }: PlanStep): PlanFlag[] {
  const readsAll = operation === 'scan' || operation === 'index scan';
  if (!readsAll || table === undefined || signs.tableSize === undefined) return [];
  const repeated = repeatedScan(table, signs);
  if (repeated !== undefined) return [{ flag: 'full-scan', message: repeated, table }];
  if (!isLarge(signs.tableSize)) return [];
  const through = index === undefined ? '' : ` through the index ${index}`;
  const kept = signs.filter === undefined ? '' : ` and keeps those with ${signs.filter.condition}`;
  const message = `Reads all rows of ${table} (${inWords(signs.tableSize)})${through}${kept}. A condition on an indexed column would read fewer.`;
  return [{ flag: 'full-scan', message, table }];
}

/** A sentence where a table is read as a whole for each row of another. */
function repeatedScan(table: string, { tableSize, oncePer }: PlanSigns): string | undefined {
  if (tableSize === undefined || oncePer === undefined) return undefined;
  const each = Math.round(rowsOf(tableSize));
  const all = oncePer.rows === undefined ? undefined : each * Math.round(oncePer.rows);
  if (!isLarge(tableSize) && (all === undefined || all < MANY_REPEATED_ROWS)) return undefined;
  const times = oncePer.rows === undefined ? '' : `: ${Math.round(oncePer.rows)} times, ${all} rows in all`;
  const row = oncePer.table === undefined ? 'row found before it' : `row of ${oncePer.table}`;
  return `Reads all rows of ${table} (${inWords(tableSize)}) once for each ${row}${times}. An index on the columns that join them would find the few rows directly.`;
}

function isLarge(size: TableSize | undefined): size is TableSize {
  return size !== undefined && rowsOf(size) >= LARGE_TABLE_ROWS;
}

function rowsOf(size: TableSize): number {
  return 'about' in size ? size.about : size.atLeast;
}

function inWords(size: TableSize): string {
  return 'about' in size ? `about ${Math.round(size.about)}` : `at least ${size.atLeast}`;
}

function missingIndex(step: PlanStep): PlanFlag[] {
  const { table, signs = {} } = step;
  const { lacksIndex, tableSize } = signs;
  const of = table ?? 'a subquery';
  if (lacksIndex?.why === 'built') {
    const columns = lacksIndex.on === undefined ? '' : ` for (${lacksIndex.on})`;
    const message = `An index on ${of}${columns} is built each time the statement runs. An index of the table's own would save that.`;
    return [{ flag: 'missing-index', message, ...about(table) }];
  }
  if (lacksIndex?.why === 'joined' && (tableSize === undefined || isLarge(tableSize))) {
    const message = `Joins ${of} without an index. An index on the columns that it is joined by would save reading it all.`;
    return [{ flag: 'missing-index', message, ...about(table) }];
  }
  return wastefulFilter(step);
}

/** Few rows of a large table are wanted, and all are read to find them. */
function wastefulFilter({ operation, table, signs = {} }: PlanStep): PlanFlag[] {
  const { filter, tableSize } = signs;
  if (operation !== 'scan' || table === undefined || filter?.keeps === undefined || !isLarge(tableSize)) return [];
  if (filter.keeps * WASTEFUL_FACTOR >= rowsOf(tableSize)) return [];
  const message = `No index of ${table} serves ${filter.condition}; one that did would find the few rows directly.`;
  return [{ flag: 'missing-index', message, table }];
}

/** Said of the lowest such step alone: the mistakes above follow from it. */
function rowsMisjudged(step: PlanStep, refresh: string | undefined): PlanFlag[] {
  if (!isMisjudged(step) || [...allSteps(step.children)].some(isMisjudged)) return [];
  const table = tableBehind(step);
  const [expected, found] = [Math.round(step.signs?.expectedRows ?? 0), Math.round(step.actualRows ?? 0)];
  const next = refresh === undefined ? '' : ` ${refresh} may bring the statistics up to date.`;
  const message = `Expected ${expected} rows of ${table ?? step.detail ?? step.operation} and found ${found}.${next}`;
  return [{ flag: 'rows-misjudged', message, ...about(table) }];
}

/** Too many expected says little, since a step is often stopped before its end. Too few leads to the wrong plan. */
function isMisjudged({ actualRows: found, signs = {} }: PlanStep): boolean {
  const expected = signs.expectedRows;
  if (expected === undefined || found === undefined || found < LARGE_TABLE_ROWS) return false;
  return found >= Math.max(expected, 1) * MISJUDGED_FACTOR;
}

/** The table whose rows a step passes on. */
function tableBehind({ operation, table, children }: PlanStep): string | undefined {
  const [only, ...others] = children;
  if (table !== undefined || operation !== 'filter' || only === undefined || others.length > 0) return table;
  return tableBehind(only);
}

/** Where an engine does not tell how many rows it sorts, each sort may be a large one. */
function temporarySort(step: PlanStep): PlanFlag[] {
  if (step.operation !== 'sort') return [];
  const { by, onDisk = false } = step.signs?.sort ?? {};
  const rows = rowsInto(step);
  if (!onDisk && rows !== undefined && rows < LARGE_TABLE_ROWS) return [];
  const many = rows === undefined ? 'rows' : `about ${Math.round(rows)} rows`;
  const message = `Sorts ${many}${onDisk ? ' on disk' : ''}${by === undefined ? '' : ` (${by})`}. An index in that order would save the sort.`;
  return [{ flag: 'temp-sort', message }];
}

/** What stands between a sort and its rows without changing how many there are. */
const PASSES_ALL: ReadonlySet<PlanStep['operation']> = new Set(['sort', 'compute', 'materialize', 'other']);

function rowsInto(step: PlanStep): number | undefined {
  const [only, ...others] = step.children;
  if (only === undefined || others.length > 0) return step.actualRows ?? step.estimatedRows;
  return only.actualRows ?? only.estimatedRows ?? (PASSES_ALL.has(only.operation) ? rowsInto(only) : undefined);
}
