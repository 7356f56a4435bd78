import type { ToolOutput } from '@devdb/shared/tools';
import type { PlanNode } from '@devdb/shared/tools/database/explain-query';
import { LARGE_TABLE_ROWS } from '../limits.ts';
import { shownName } from './quote.ts';
import { elementsBelow, type XmlElement } from './xml.ts';

type Flag = ToolOutput<'explain-query'>['flags'][number];

/** Operators of SQL Server in the words that all engines share; what is not here keeps its own name. */
const OPERATIONS: Readonly<Record<string, string>> = {
  'Table Scan': 'scan',
  'Clustered Index Scan': 'scan',
  'Index Scan': 'scan',
  'Columnstore Index Scan': 'scan',
  'Remote Scan': 'scan',
  'Clustered Index Seek': 'search',
  'Index Seek': 'search',
  'Key Lookup': 'lookup',
  'RID Lookup': 'lookup',
  Sort: 'sort',
  'Distinct Sort': 'distinct',
  'Constant Scan': 'constant rows',
  'Nested Loops': 'nested loop',
  'Hash Match': 'hash join',
  'Merge Join': 'merge join',
  'Stream Aggregate': 'group',
  Concatenation: 'compound',
};

/** How far an estimate may be off before it is worth a word. */
const MISJUDGED_FACTOR = 10;

/** The plans of the statements in a showplan document, as trees of one shape. */
export function planNodes(document: XmlElement): PlanNode[] {
  return elementsBelow(document, 'RelOp').map(nodeOf);
}

function nodeOf(operator: XmlElement): PlanNode {
  const { PhysicalOp = '', LogicalOp = '' } = operator.attributes;
  const target = objectOf(operator);
  const estimated = numberIn(operator, 'EstimateRows');
  const actual = actualRows(operator);
  const operation = PhysicalOp === 'Hash Match' && /Aggregate/.test(LogicalOp) ? 'group' : OPERATIONS[PhysicalOp];
  const isLookup =
    operation === 'search' && elementsBelow(operator, 'IndexScan', 'RelOp')[0]?.attributes['Lookup'] === '1';
  const detail = PhysicalOp === LogicalOp || LogicalOp === '' ? PhysicalOp : `${PhysicalOp} (${LogicalOp})`;
  return {
    operation: isLookup ? 'lookup' : (operation ?? PhysicalOp.toLowerCase()),
    ...(target?.table === undefined ? {} : { table: target.table }),
    ...(target?.index === undefined ? {} : { index: target.index }),
    detail,
    ...(estimated === undefined ? {} : { estimatedRows: estimated }),
    ...(actual === undefined ? {} : { actualRows: actual }),
    children: elementsBelow(operator, 'RelOp').map(nodeOf),
  };
}

function objectOf(operator: XmlElement): { readonly table?: string; readonly index?: string } | undefined {
  const object = elementsBelow(operator, 'Object', 'RelOp')[0];
  if (object === undefined) return undefined;
  const { Schema, Table, Index } = object.attributes;
  const table = Table === undefined ? undefined : shownName(bare(Schema ?? 'dbo'), bare(Table));
  return { ...(table === undefined ? {} : { table }), ...(Index === undefined ? {} : { index: bare(Index) }) };
}

/** Each thread counts for itself. */
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

/** What in the plans is worth a warning. */
export function flagsOf(document: XmlElement): Flag[] {
  const flags = [
    ...operators(document).flatMap(flagsOfOperator),
    ...missingIndexes(document),
    ...planWarnings(document),
  ];
  return [...new Map(flags.map((flag) => [`${flag.flag} ${flag.message}`, flag])).values()];
}

function operators(element: XmlElement): XmlElement[] {
  return elementsBelow(element, 'RelOp').flatMap((operator) => [operator, ...operators(operator)]);
}

function flagsOfOperator(operator: XmlElement): Flag[] {
  const node = nodeOf({ ...operator, children: operator.children });
  const { table } = node;
  const about = table === undefined ? {} : { table };
  const flags: Flag[] = [];
  const size = numberIn(operator, 'TableCardinality') ?? node.actualRows ?? node.estimatedRows ?? 0;
  if (node.operation === 'scan' && table !== undefined && size >= LARGE_TABLE_ROWS) {
    const through = node.index === undefined ? '' : ` through the index ${node.index}`;
    flags.push({
      flag: 'full-scan',
      message: `Reads all rows of ${table} (about ${Math.round(size)})${through}. A condition on an indexed column would read fewer.`,
      ...about,
    });
  }
  if (node.actualRows !== undefined && isMisjudged(operator, node.actualRows)) {
    flags.push({
      flag: 'rows-misjudged',
      message: `${node.detail ?? node.operation}${table === undefined ? '' : ` of ${table}`} gave ${node.actualRows} rows where ${estimatedRuns(operator)} were expected. UPDATE STATISTICS may help.`,
      ...about,
    });
  }
  return flags;
}

/** Estimates are for one run of the operator, measured rows for all of them. */
function estimatedRuns(operator: XmlElement): number {
  const runs = 1 + (numberIn(operator, 'EstimateRebinds') ?? 0) + (numberIn(operator, 'EstimateRewinds') ?? 0);
  return Math.round((numberIn(operator, 'EstimateRows') ?? 0) * runs);
}

function isMisjudged(operator: XmlElement, actual: number): boolean {
  const expected = estimatedRuns(operator);
  if (Math.max(expected, actual) < LARGE_TABLE_ROWS) return false;
  return Math.max(expected, 1) * MISJUDGED_FACTOR < actual || Math.max(actual, 1) * MISJUDGED_FACTOR < expected;
}

function missingIndexes(document: XmlElement): Flag[] {
  return elementsBelow(document, 'MissingIndexGroup').flatMap((group) =>
    elementsBelow(group, 'MissingIndex').map((index): Flag => {
      const table = shownName(bare(index.attributes['Schema'] ?? 'dbo'), bare(index.attributes['Table'] ?? ''));
      const columns = (usage: string): string =>
        elementsBelow(index, 'ColumnGroup')
          .filter(({ attributes }) => attributes['Usage'] === usage)
          .flatMap((columnGroup) => elementsBelow(columnGroup, 'Column'))
          .map(({ attributes }) => bare(attributes['Name'] ?? ''))
          .join(', ');
      const keys = [columns('EQUALITY'), columns('INEQUALITY')].filter((part) => part !== '').join(', ');
      const included = columns('INCLUDE');
      const include = included === '' ? '' : ` INCLUDE (${included})`;
      const impact = Math.round(numberIn(group, 'Impact') ?? 0);
      return {
        flag: 'missing-index',
        message: `SQL Server would use an index on ${table} (${keys})${include}, and expects ${impact}% less work.`,
        table,
      };
    }),
  );
}

function planWarnings(document: XmlElement): Flag[] {
  return elementsBelow(document, 'PlanAffectingConvert').map(({ attributes }) => ({
    flag: 'implicit-conversion',
    message: `A comparison converts ${attributes['Expression'] ?? 'a column'}, which can keep an index from being used. Compare values of the column's own type.`,
  }));
}

function bare(name: string): string {
  return name.startsWith('[') && name.endsWith(']') ? name.slice(1, -1).replaceAll(']]', ']') : name;
}
