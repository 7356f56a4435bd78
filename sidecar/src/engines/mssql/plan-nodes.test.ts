import { PLAN_FLAGS, type PlanFlag } from '@devdb/shared/plans';
import { planFlags } from '../plan-flags.ts';
import { planNode } from '../plan-steps.ts';
import { readPlan } from './plan-nodes.ts';
import { readXml } from './xml.ts';

const BIG = '<Object Schema="[dbo]" Table="[big]" Index="[pk_big]"/>';
const SCAN = 'PhysicalOp="Clustered Index Scan" LogicalOp="Clustered Index Scan"';
const ran = (rows: number): string =>
  `<RunTimeInformation><RunTimeCountersPerThread ActualRows="${rows}"/></RunTimeInformation>`;
const scanned = (cardinality: number): string =>
  `<RelOp ${SCAN} EstimateRows="${cardinality}" TableCardinality="${cardinality}"><IndexScan>${BIG}</IndexScan></RelOp>`;
const sortOf = (inner: string, warning = ''): string =>
  `<RelOp PhysicalOp="Sort" LogicalOp="Sort" EstimateRows="10">${warning}<Sort><OrderBy><OrderByColumn><ColumnReference Column="[n]"/></OrderByColumn></OrderBy>${inner}</Sort></RelOp>`;

/** For each flag a plan that has it, and one like it that has not. */
const RECORDED = {
  'full-scan': { shows: scanned(5_000), calm: scanned(999) },
  'missing-index': {
    shows: `<MissingIndexes><MissingIndexGroup Impact="95.4"><MissingIndex Schema="[dbo]" Table="[big]"><ColumnGroup Usage="EQUALITY"><Column Name="[n]"/></ColumnGroup></MissingIndex></MissingIndexGroup></MissingIndexes>${scanned(10)}`,
    calm: scanned(10),
  },
  'rows-misjudged': {
    shows: `<RelOp ${SCAN} EstimateRows="25">${ran(5_000)}<IndexScan>${BIG}</IndexScan></RelOp>`,
    // As many in each of its runs as were expected.
    calm: `<RelOp ${SCAN} EstimateRows="25" EstimateRebinds="199">${ran(5_000)}<IndexScan>${BIG}</IndexScan></RelOp>`,
  },
  'temp-sort': { shows: sortOf(scanned(1_000)), calm: sortOf(scanned(999)) },
  'implicit-conversion': {
    shows: `<Warnings><PlanAffectingConvert ConvertIssue="Seek Plan" Expression="CONVERT_IMPLICIT(int,[big].[code],0)=[@1]"/></Warnings>${scanned(10)}`,
    calm: scanned(10),
  },
} satisfies Record<PlanFlag['flag'], { readonly shows: string; readonly calm: string }>;

const planOf = (xml: string) => readPlan(readXml(`<QueryPlan>${xml}</QueryPlan>`));
const flagsOf = (xml: string): string[] => planFlags(planOf(xml)).map(({ flag }) => flag);

describe('a recorded plan of SQL Server', () => {
  test.each(PLAN_FLAGS)('shows %s where it is due, and nowhere else', (flag) => {
    expect(flagsOf(RECORDED[flag].shows)).toContain(flag);
    expect(flagsOf(RECORDED[flag].calm)).not.toContain(flag);
  });

  test('has the cost of each step, and the statement that creates the index it asks for', () => {
    const step = `<RelOp ${SCAN} EstimateRows="5" EstimatedTotalSubtreeCost="0.25"><IndexScan>${BIG}</IndexScan></RelOp>`;
    const column = (usage: string, name: string): string =>
      `<ColumnGroup Usage="${usage}"><Column Name="${name}"/></ColumnGroup>`;
    const columns = [column('EQUALITY', '[n]'), column('INEQUALITY', '[odd ]] name]'), column('INCLUDE', '[id]')];
    const wanted = `<MissingIndex Schema="[s]" Table="[big]">${columns.join('')}</MissingIndex>`;
    const plan = planOf(`<MissingIndexGroup Impact="95.4">${wanted}</MissingIndexGroup>${step}`);
    expect(plan.steps.map(planNode)).toMatchObject([{ table: 'big', cost: 0.25 }]);
    expect(planFlags(plan)).toMatchObject([
      {
        flag: 'missing-index',
        createIndex: 'CREATE INDEX [big_n_odd ]] name_idx] ON [s].[big] ([n], [odd ]] name]) INCLUDE ([id]);',
      },
    ]);
  });

  test('names a scan that runs more than once with how often, as expected or as counted', () => {
    const scan = (attributes: string, counters = ''): string =>
      `<RelOp ${SCAN} EstimateRows="50" TableCardinality="5000" ${attributes}>${counters}<IndexScan>${BIG}</IndexScan></RelOp>`;
    const counted = (...executions: number[]): string =>
      `<RunTimeInformation>${executions.map((times, thread) => `<RunTimeCountersPerThread Thread="${thread}" ActualRows="9" ActualExecutions="${times}"/>`).join('')}</RunTimeInformation>`;
    const said = (xml: string) => planFlags(planOf(xml)).map(({ message }) => message)[0];
    const again = 'EstimateRebinds="90" EstimateRewinds="9"';
    expect(said(scan(again))).toContain('once for each row found before it: 100 times, 500000 rows in all');
    expect(said(scan(again, counted(7)))).toContain('7 times, 35000 rows in all');
    expect(said(scan(again, counted(1)))).not.toContain('once for each row');
    expect(said(scan('EstimateRebinds="0"', counted(1, 1)))).not.toContain('once for each row');
  });

  test('shows a small sort that spills to disk', () => {
    const xml = sortOf(scanned(10), '<Warnings><SpillToTempDb SpillLevel="1"/></Warnings>');
    expect(planFlags(planOf(xml))).toEqual([
      {
        flag: 'temp-sort',
        message: 'Sorts about 10 rows on disk (n). An index in that order would save the sort.',
      },
    ]);
  });

  test.each([
    ['Index Scan', '', 'index scan'],
    ['Key Lookup', '', 'lookup'],
    ['Hash Match', 'Inner Join', 'hash join'],
    ['Hash Match', 'Aggregate', 'group'],
    ['Sort', 'Distinct Sort', 'distinct'],
    ['Top', 'Top', 'limit'],
    ['Clustered Index Delete', 'Delete', 'modify'],
    ['Table Insert', 'Insert', 'modify'],
    ['Adaptive Join', 'Inner Join', 'join'],
    ['Remote Query', 'Remote Query', 'foreign scan'],
    ['UDX', 'UDX', 'other'],
  ])('calls %s (%s) %s, and keeps the server’s words', (physical, logical, operation) => {
    const { steps } = planOf(`<RelOp PhysicalOp="${physical}" LogicalOp="${logical}"/>`);
    expect(steps.map(planNode)).toEqual([{ operation, detail: expect.stringContaining(physical), children: [] }]);
  });
});
