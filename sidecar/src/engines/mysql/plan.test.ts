import { readJsonPlan } from './plan-json.ts';
import { readTree } from './plan-tree.ts';

describe('readTree', () => {
  it('reads steps, names, estimates and measurements', () => {
    const text = [
      '-> Sort: count(0)  (actual time=0.03..0.04 rows=2 loops=1)',
      '    -> Nested loop inner join  (cost=0.7 rows=1.5e+3) (actual time=0.01..0.02 rows=2 loops=1)',
      '        -> Covering index scan on u using t_id  (cost=0.35 rows=1)',
      '        -> Single-row index lookup on x using PRIMARY (id = u.t_id)  (cost=0.35 rows=1) (actual time=0.01..0.02 rows=1 loops=2)',
      '    -> Hash',
      '        -> Table scan on m  (cost=0.6 rows=1)',
      '',
    ].join('\n');
    const plan = readTree(text);
    expect([plan.measuredRows, plan.measuredMs]).toEqual([2, 0.04]);
    expect(plan.steps).toMatchObject([
      {
        operation: 'sort',
        detail: 'Sort: count(0)',
        children: [
          {
            operation: 'nested loop',
            estimatedRows: 1500,
            children: [
              { operation: 'index scan', alias: 'u', index: 't_id' },
              { operation: 'search', alias: 'x', index: 'primary key', actualRows: 2 },
            ],
          },
          { operation: 'hash', children: [{ operation: 'scan', alias: 'm' }] },
        ],
      },
    ]);
  });

  it('names no table for a temporary one, and keeps the words of an unknown step', () => {
    expect(readTree('-> Table scan on <temporary>\n    -> Do something else: x').steps).toMatchObject([
      {
        operation: 'temporary table',
        alias: undefined,
        children: [{ operation: 'other', detail: 'Do something else: x' }],
      },
    ]);
  });
});

describe('readJsonPlan', () => {
  it('reads tables wherever they appear, with their measurements', () => {
    const plan = readJsonPlan(
      JSON.stringify({
        query_block: {
          select_id: 1,
          r_total_time_ms: 0.5,
          filesort: {
            sort_key: 'a',
            temporary_table: {
              nested_loop: [
                {
                  table: {
                    table_name: 'u',
                    access_type: 'range',
                    key: 'k',
                    rows: 3,
                    r_rows: 2,
                    r_loops: 2,
                    attached_condition: 'u.a > 1',
                  },
                },
                { 'block-nl-join': { table: { table_name: 'm', access_type: 'ALL', rows: 9 } } },
              ],
            },
          },
        },
      }),
    );
    expect(plan.measuredMs).toBe(0.5);
    expect(plan.steps).toMatchObject([
      {
        operation: 'sort',
        children: [
          {
            operation: 'temporary table',
            children: [
              {
                operation: 'search',
                alias: 'u',
                index: 'k',
                estimatedRows: 3,
                actualRows: 4,
                detail: 'range on u: u.a > 1',
              },
              {
                operation: 'nested loop',
                children: [{ operation: 'scan', alias: 'm', signs: { lacksIndex: { why: 'joined' } } }],
              },
            ],
          },
        ],
      },
    ]);
  });
});
