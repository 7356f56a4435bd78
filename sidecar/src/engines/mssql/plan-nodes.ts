import type { PlanOperation } from '@devdb/shared/plans';
import { createIndex } from '../create-index.ts';
import type { Conversion, EnginePlan, PlanSigns, PlanStep, WantedIndex } from '../plan-steps.ts';
import { quoteName, shownName } from './quote.ts';
import { elementsBelow, type XmlElement } from './xml.ts';

/** Operators of SQL Server in the words that all engines share. */
const OPERATIONS: Readonly<Record<string, PlanOperation | undefined>> = {
  'Table Scan': 'scan',
  'Clustered Index Scan': 'scan',
  'Columnstore Index Scan': 'scan',
  'Index Scan': 'index scan',
  'Remote Scan': 'foreign scan',
  'Remote Query': 'foreign scan',
  'Remote Index Scan': 'foreign scan',
  'Remote Index Seek': 'foreign scan',
  'Clustered Index Seek': 'search',
  'Index Seek': 'search',
  'Key Lookup': 'lookup',
  'RID Lookup': 'lookup',
  'Constant Scan': 'constant rows',
  'Table-valued function': 'function',
  'Nested Loops': 'nested loop',
  'Hash Match': 'hash join',
  'Merge Join': 'merge join',
  'Adaptive Join': 'join',
  Concatenation: 'compound',
  Filter: 'filter',
  Sort: 'sort',
  'Distinct Sort': 'distinct',
  'Top N Sort': 'sort',
  'Stream Aggregate': 'group',
  'Window Aggregate': 'window',
  'Window Spool': 'window',
  Segment: 'window',
  'Sequence Project': 'window',
  Top: 'limit',
  'Compute Scalar': 'compute',
  'Table Spool': 'materialize',
  'Index Spool': 'materialize',
  'Row Count Spool': 'materialize',
  Parallelism: 'gather',
};
const MODIFIES = /^(?:Clustered |Table |Columnstore |Online )?(?:Index )?(?:Insert|Update|Delete|Merge)$/;

/** The plans of the statements in a showplan document, and what the server says about them. */
export function readPlan(document: XmlElement): EnginePlan {
  return {
    steps: elementsBelow(document, 'RelOp').map(stepOf),
    wantedIndexes: wantedIndexes(document),
    conversions: conversions(document),
    refreshesStatistics: 'UPDATE STATISTICS',
  };
}

function stepOf(operator: XmlElement): PlanStep {
  const { PhysicalOp = '', LogicalOp = '' } = operator.attributes;
  const target = objectOf(operator);
  return {
    operation: operationOf(operator),
    table: target?.table,
    index: target?.index,
    detail: PhysicalOp === LogicalOp || LogicalOp === '' ? PhysicalOp : `${PhysicalOp} (${LogicalOp})`,
    estimatedRows: numberIn(operator, 'EstimateRows'),
    actualRows: actualRows(operator),
    cost: numberIn(operator, 'EstimatedTotalSubtreeCost'),
    signs: signsOf(operator),
    children: elementsBelow(operator, 'RelOp').map(stepOf),
  };
}

function operationOf(operator: XmlElement): PlanOperation {
  const { PhysicalOp = '', LogicalOp = '' } = operator.attributes;
  if (PhysicalOp === 'Hash Match' && /Aggregate/.test(LogicalOp)) return 'group';
  if (PhysicalOp === 'Hash Match' && LogicalOp === 'Union') return 'compound';
  if (PhysicalOp === 'Sort' && LogicalOp === 'Distinct Sort') return 'distinct';
  const operation = OPERATIONS[PhysicalOp] ?? (MODIFIES.test(PhysicalOp) ? 'modify' : 'other');
  const isLookup = elementsBelow(operator, 'IndexScan', 'RelOp')[0]?.attributes['Lookup'] === '1';
  return operation === 'search' && isLookup ? 'lookup' : operation;
}

function signsOf(operator: XmlElement): PlanSigns {
  const rows = numberIn(operator, 'TableCardinality') ?? actualRows(operator) ?? numberIn(operator, 'EstimateRows');
  const predicate = elementsBelow(operator, 'Predicate', 'RelOp')[0];
  const condition = predicate && elementsBelow(predicate, 'ScalarOperator')[0]?.attributes['ScalarString'];
  return {
    tableSize: rows === undefined ? undefined : { about: rows },
    filter: condition === undefined ? undefined : { condition },
    oncePer: repeated(operator),
    expectedRows: expectedRows(operator),
    sort: { by: sortedBy(operator), onDisk: spills(operator) },
  };
}

/** Estimates are per execution of the operator, measured rows are for all of them. */
function expectedRows(operator: XmlElement): number | undefined {
  const rows = numberIn(operator, 'EstimateRows');
  return rows === undefined ? undefined : rows * executions(operator);
}

/** As the server expects. */
function executions(operator: XmlElement): number {
  return 1 + (numberIn(operator, 'EstimateRebinds') ?? 0) + (numberIn(operator, 'EstimateRewinds') ?? 0);
}

/** The plan does not say for the rows of which table. Several threads each count the one execution that they share. */
function repeated(operator: XmlElement): PlanSigns['oncePer'] {
  const [only, ...others] = elementsBelow(operator, 'RunTimeCountersPerThread', 'RelOp');
  const counted = others.length === 0 ? numberIn(only, 'ActualExecutions') : undefined;
  const times = counted ?? executions(operator);
  return times > 1 ? { rows: times } : undefined;
}

function sortedBy(operator: XmlElement): string | undefined {
  const columns = elementsBelow(operator, 'OrderByColumn', 'RelOp')
    .flatMap((column) => elementsBelow(column, 'ColumnReference'))
    .map(({ attributes }) => bare(attributes['Column'] ?? ''));
  return columns.length === 0 ? undefined : columns.join(', ');
}

function spills(operator: XmlElement): boolean {
  return elementsBelow(operator, 'Warnings', 'RelOp').some(
    (warnings) => elementsBelow(warnings, 'SpillToTempDb').length > 0,
  );
}

function objectOf(operator: XmlElement): { readonly table?: string; readonly index?: string } | undefined {
  const object = elementsBelow(operator, 'Object', 'RelOp')[0];
  if (object === undefined) return undefined;
  const { Schema, Table, Index } = object.attributes;
  const table = Table === undefined ? undefined : shownName(bare(Schema ?? 'dbo'), bare(Table));
  return { ...(table === undefined ? {} : { table }), ...(Index === undefined ? {} : { index: bare(Index) }) };
}

/** Each thread is counted separately. */
function actualRows(operator: XmlElement): number | undefined {
  const threads = elementsBelow(operator, 'RunTimeCountersPerThread', 'RelOp');
  if (threads.length === 0) return undefined;
  return threads.reduce((sum, thread) => sum + (numberIn(thread, 'ActualRows') ?? 0), 0);
}

/** An attribute as a number. */
export function numberIn(element: XmlElement | undefined, name: string): number | undefined {
  const text = element?.attributes[name];
  const value = text === undefined || text === '' ? Number.NaN : Number(text);
  return Number.isFinite(value) ? value : undefined;
}

function wantedIndexes(document: XmlElement): WantedIndex[] {
  return elementsBelow(document, 'MissingIndexGroup').flatMap((group) =>
    elementsBelow(group, 'MissingIndex').map((index) => wantedIndex(index, numberIn(group, 'Impact') ?? 0)),
  );
}

function wantedIndex(index: XmlElement, impact: number): WantedIndex {
  const named = (usage: string): string[] =>
    elementsBelow(index, 'ColumnGroup')
      .filter(({ attributes }) => attributes['Usage'] === usage)
      .flatMap((columnGroup) => elementsBelow(columnGroup, 'Column'))
      .map(({ attributes }) => bare(attributes['Name'] ?? ''));
  const columns = [...named('EQUALITY'), ...named('INEQUALITY')];
  const included = named('INCLUDE');
  const [schema, table] = [bare(index.attributes['Schema'] ?? 'dbo'), bare(index.attributes['Table'] ?? '')];
  const on = `${quoteName(schema)}.${quoteName(table)}`;
  return {
    table: shownName(schema, table),
    columns: `(${columns.join(', ')})${included.length === 0 ? '' : ` INCLUDE (${included.join(', ')})`}`,
    savesPercent: Math.round(impact),
    create: createIndex({ table, on, columns, included }, quoteName),
  };
}

function conversions(document: XmlElement): Conversion[] {
  return elementsBelow(document, 'PlanAffectingConvert').map(({ attributes }) => ({
    what: attributes['Expression'] ?? 'a column',
  }));
}

function bare(name: string): string {
  return name.startsWith('[') && name.endsWith(']') ? name.slice(1, -1).replaceAll(']]', ']') : name;
}
