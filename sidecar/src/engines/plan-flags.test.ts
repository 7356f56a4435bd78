import { PLAN_FLAGS, PLAN_OPERATIONS, planFlag, planNode as planNodeSchema } from '@devdb/shared/plans';
import fc from 'fast-check';
import { LARGE_TABLE_ROWS } from './limits.ts';
import { planFlags } from './plan-flags.ts';
import { type PlanStep, planNode } from './plan-steps.ts';

const step = (own: Partial<PlanStep>): PlanStep => ({ operation: 'other', children: [], ...own });
const scan = (about: number, own: Partial<PlanStep> = {}): PlanStep =>
  step({ operation: 'scan', table: 'big', signs: { tableSize: { about } }, ...own });
const flagsOf = (...steps: PlanStep[]): string[] => planFlags({ steps }).map(({ flag }) => flag);

describe('planFlags', () => {
  test('warns of a scan from the size on that is large', () => {
    expect(flagsOf(scan(LARGE_TABLE_ROWS - 1))).toEqual([]);
    expect(flagsOf(scan(LARGE_TABLE_ROWS))).toEqual(['full-scan']);
    expect(flagsOf(scan(LARGE_TABLE_ROWS, { operation: 'index scan' }))).toEqual(['full-scan']);
    expect(flagsOf(scan(LARGE_TABLE_ROWS, { operation: 'search' }))).toEqual([]);
    expect(flagsOf(scan(LARGE_TABLE_ROWS, { table: undefined }))).toEqual([]);
  });

  test('does not call a scan full that stops at a limit', () => {
    const filtered = scan(50_000, { signs: { tableSize: { about: 50_000 }, filter: { condition: 'n = 1' } } });
    const limited = (child: PlanStep, estimatedRows = 10): PlanStep =>
      step({ operation: 'limit', estimatedRows, children: [child] });
    expect(flagsOf(limited(scan(50_000)))).toEqual([]);
    expect(flagsOf(limited(filtered))).toEqual(['full-scan']);
    expect(flagsOf(limited(scan(50_000), 40_000))).toEqual(['full-scan']);
    expect(flagsOf(limited(step({ operation: 'sort', children: [scan(50_000)] })))).toEqual(['temp-sort', 'full-scan']);
  });

  test('asks for an index where few rows of many are kept', () => {
    const keeping = (keeps: number | undefined): PlanStep =>
      scan(2_000, { signs: { tableSize: { about: 2_000 }, filter: { condition: 'n = 1', keeps } } });
    expect(flagsOf(keeping(99))).toEqual(['full-scan', 'missing-index']);
    expect(flagsOf(keeping(100))).toEqual(['full-scan']);
    expect(flagsOf(keeping(undefined))).toEqual(['full-scan']);
  });

  test('asks for an index to join by, unless the table is known to be small', () => {
    const joined = (about?: number): PlanStep =>
      scan(0, { signs: { lacksIndex: { why: 'joined' }, tableSize: about === undefined ? undefined : { about } } });
    expect(flagsOf(joined(10))).toEqual([]);
    expect(flagsOf(joined())).toEqual(['missing-index']);
    expect(flagsOf(joined(5_000))).toEqual(['full-scan', 'missing-index']);
  });

  test('warns where ten times too few rows were expected, of many', () => {
    const measured = (expectedRows: number, actualRows: number): string[] =>
      flagsOf(step({ actualRows, signs: { expectedRows } }));
    expect(measured(100, 1_000)).toEqual(['rows-misjudged']);
    expect(measured(0, 1_000)).toEqual(['rows-misjudged']);
    expect(measured(101, 1_000)).toEqual([]);
    expect(measured(1, 999)).toEqual([]);
    expect(measured(50_000, 0)).toEqual([]);
    expect(flagsOf(step({ actualRows: 5_000 }), step({ signs: { expectedRows: 1 } }))).toEqual([]);
  });

  test('names the lowest misjudged step, and the table that it reads', () => {
    const wrong = { actualRows: 5_000, signs: { expectedRows: 1 } };
    const table = step({ operation: 'scan', table: 'big', actualRows: 5_000, signs: { expectedRows: 5_000 } });
    const filter = step({ operation: 'filter', detail: 'n = 1', ...wrong, children: [table] });
    const root = step({
      operation: 'group',
      ...wrong,
      children: [step({ operation: 'sort', ...wrong, children: [filter] })],
    });
    const flags = planFlags({ steps: [root], refreshesStatistics: 'ANALYZE' }).filter(
      ({ flag }) => flag !== 'temp-sort',
    );
    expect(flags).toEqual([
      {
        flag: 'rows-misjudged',
        message: 'Expected 1 rows of big and found 5000. ANALYZE may bring the statistics up to date.',
        table: 'big',
      },
    ]);
  });

  test('warns of a sort of many rows, of one on disk and of one of unknown size', () => {
    const sort = (estimatedRows: number | undefined, onDisk = false): string[] =>
      flagsOf(step({ operation: 'sort', signs: { sort: { onDisk } }, children: [step({ estimatedRows })] }));
    expect([sort(999), sort(1_000), sort(3, true), sort(undefined)]).toEqual([
      [],
      ['temp-sort'],
      ['temp-sort'],
      ['temp-sort'],
    ]);
  });

  test('passes on what the server itself says, each once', () => {
    const create = 'CREATE INDEX [big_n_idx] ON [dbo].[big] ([n]);';
    const wanted = { table: 'big', columns: '(n)', savesPercent: 95, create };
    const conversion = { what: 'code', table: 'big' };
    const flags = planFlags({ steps: [], wantedIndexes: [wanted, wanted], conversions: [conversion, conversion] });
    expect(flags.map(({ flag, table, createIndex }) => [flag, table, createIndex])).toEqual([
      ['missing-index', 'big', create],
      ['implicit-conversion', 'big', undefined],
    ]);
  });

  test('speaks the closed vocabulary alone, whatever an engine tells', () => {
    const number = fc.option(fc.nat(1_000_000), { nil: undefined });
    const name = fc.option(fc.string(), { nil: undefined });
    const trees = (depth: number): fc.Arbitrary<PlanStep> =>
      fc.record({
        operation: fc.constantFrom(...PLAN_OPERATIONS),
        table: name,
        index: name,
        detail: name,
        estimatedRows: number,
        actualRows: number,
        signs: fc.record({
          tableSize: fc.option(fc.record({ about: fc.nat(1_000_000) }), { nil: undefined }),
          filter: fc.option(fc.record({ condition: fc.string(), keeps: number }), { nil: undefined }),
          lacksIndex: fc.option(fc.record({ why: fc.constantFrom('joined', 'built'), on: name }), { nil: undefined }),
          expectedRows: number,
          sort: fc.option(fc.record({ by: name, onDisk: fc.boolean() }), { nil: undefined }),
        }),
        children: depth === 0 ? fc.constant([]) : fc.array(trees(depth - 1), { maxLength: 3 }),
      });
    fc.assert(
      fc.property(fc.array(trees(2), { maxLength: 3 }), (steps) => {
        const flags = planFlags({ steps });
        for (const flag of flags) {
          expect(planFlag.parse(flag)).toEqual(flag);
          expect(PLAN_FLAGS).toContain(flag.flag);
        }
        expect(new Set(flags.map((flag) => JSON.stringify(flag))).size).toBe(flags.length);
        for (const one of steps) expect(planNodeSchema.parse(planNode(one))).toEqual(planNode(one));
      }),
    );
  });
});
