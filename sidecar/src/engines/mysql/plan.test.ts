import { readJsonPlan } from './plan-json.ts';
import type { AliasStep } from './plan-nodes.ts';
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
    expect([plan.measuredRows, plan.measuredMs, plan.source]).toEqual([2, 0.04, text]);
    expect(plan.steps).toMatchObject([
      {
        operation: 'sort',
        detail: 'Sort: count(0)',
        children: [
          {
            operation: 'nested loop',
            estimatedRows: 1500,
            cost: 0.7,
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

  it('takes the cost of all rows where the server also writes that of the first', () => {
    expect(readTree('-> Table scan on m  (cost=0.25..1.6 rows=12)').steps).toMatchObject([
      { cost: 1.6, estimatedRows: 12, detail: 'Table scan on m' },
    ]);
    const [unknown] = readTree('-> Table scan on m').steps;
    expect([unknown?.cost, unknown?.estimatedRows]).toEqual([undefined, undefined]);
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

describe('readTree, of what runs more than once', () => {
  const scans = (steps: readonly AliasStep[]): AliasStep[] =>
    steps.flatMap((step) => [...(step.operation === 'scan' ? [step] : []), ...scans(step.children)]);

  it('counts the rows that a dependent subquery runs for', () => {
    const text = [
      '-> Filter: (big.id < (select #2))  (cost=91 rows=900)',
      '    -> Covering index scan on big using PRIMARY  (cost=91 rows=900)',
      '    -> Select #2 (subquery in condition; dependent)',
      '        -> Aggregate: max(other.x)  (cost=30.7 rows=1)',
      '            -> Filter: (other.n = big.id)  (cost=10 rows=90)',
      '                -> Table scan on other  (cost=10 rows=700)',
      '    -> Select #3 (subquery in condition; run only once)',
      '        -> Table scan on once  (cost=10 rows=700)',
    ].join('\n');
    expect(scans(readTree(text).steps)).toMatchObject([
      { alias: 'other', signs: { oncePer: { table: 'big', rows: 900 } } },
      { alias: 'once', signs: expect.not.objectContaining({ oncePer: expect.anything() }) },
    ]);
  });

  it('multiplies loops in loops, and passes over rows that are kept', () => {
    const text = [
      '-> Nested loop inner join  (cost=1 rows=60)',
      '    -> Table scan on a  (cost=1 rows=3)',
      '    -> Nested loop inner join  (cost=1 rows=20)',
      '        -> Table scan on b  (cost=1 rows=4)',
      '        -> Filter: (c.x = b.x)  (cost=1 rows=5)',
      '            -> Table scan on c  (cost=1 rows=50)',
      '    -> Table scan on d  (cost=1 rows=5)',
      '        -> Materialize  (cost=1 rows=5)',
      '            -> Table scan on e  (cost=1 rows=5)',
    ].join('\n');
    const found = scans(readTree(text).steps).map(({ alias, signs }) => [alias, signs?.oncePer]);
    expect(Object.fromEntries(found)).toEqual({
      a: undefined,
      b: { table: 'a', rows: 3 },
      c: { table: undefined, rows: 12 },
      d: { table: 'a', rows: 3 },
      e: undefined,
    });
  });

  it('reads a subquery once whose rows are kept without duplicates', () => {
    const text = [
      '-> Nested loop inner join  (cost=1 rows=60)',
      '    -> Table scan on c  (cost=1 rows=1000)',
      '    -> Single-row index lookup on <subquery2> using <auto_distinct_key> (k = c.id)  (cost=1 rows=1)',
      '        -> Materialize with deduplication  (cost=1 rows=9)',
      '            -> Table scan on o  (cost=1 rows=5000)',
    ].join('\n');
    expect(scans(readTree(text).steps)[1]).toMatchObject({
      alias: 'o',
      signs: expect.not.objectContaining({ oncePer: expect.anything() }),
    });
  });

  it('takes the loops that were counted', () => {
    const text = [
      '-> Nested loop inner join  (cost=1 rows=60) (actual time=1..2 rows=6 loops=1)',
      '    -> Table scan on a  (cost=1 rows=3) (actual time=1..2 rows=7 loops=1)',
      '    -> Table scan on b  (cost=1 rows=4) (actual time=1..2 rows=1 loops=7)',
    ].join('\n');
    expect(scans(readTree(text).steps)[1]).toMatchObject({ alias: 'b', signs: { oncePer: { table: 'a', rows: 7 } } });
  });

  it('keeps by what a hash join joins', () => {
    const text = [
      '-> Inner hash join (b.n = f.k), (b.m = f.m), extra conditions: (b.a > f.a)  (cost=1 rows=3)',
      '    -> Filter: (b.k = 3)  (cost=1 rows=9)',
      '        -> Table scan on b  (cost=1 rows=900)',
      '    -> Hash',
      '        -> Table scan on f  (cost=1 rows=2)',
    ].join('\n');
    const joinedBy = '(b.n = f.k) and (b.m = f.m)';
    expect(scans(readTree(text).steps)).toMatchObject([
      { alias: 'b', signs: { joinedBy, filter: { condition: '(b.k = 3)' } } },
      { alias: 'f', signs: { joinedBy } },
    ]);
  });
});

describe('readJsonPlan', () => {
  /** MySQL 9.7, explain_json_format_version = 1. */
  const scan = { table_name: 'b', rows_examined_per_scan: 3132, filtered: '100.00' };
  const planOf = (query_block: unknown) => readJsonPlan(JSON.stringify({ query_block })).steps;

  it("reads MySQL's plan of a change of one table, with its condition as the tree would write it", () => {
    const attached_condition = "((`a``s shop`.`b`.`n` = 5) and (`shop`.`b`.`not plain` <> '`x`.`y`.`z`'))";
    const table = { update: true, ...scan, access_type: 'index', key: 'PRIMARY', attached_condition };
    const condition = "((b.n = 5) and (b.`not plain` <> '`x`.`y`.`z`'))";
    expect(planOf({ ordering_operation: { using_filesort: true, table } })).toMatchObject([
      {
        operation: 'sort',
        children: [{ operation: 'index scan', alias: 'b', index: 'primary key', signs: { filter: { condition } } }],
      },
    ]);
  });

  it('takes no table for read that rows are only put into, or that is emptied', () => {
    const into = { insert: true, table_name: 'few', access_type: 'ALL' };
    expect(planOf({ table: into, insert_from: { table: { ...scan, access_type: 'ALL' } } })).toMatchObject([
      { operation: 'modify', alias: 'few' },
      { operation: 'scan', alias: 'b' },
    ]);
    const emptied = { delete: true, ...scan, access_type: 'ALL', message: 'Deleting all rows' };
    expect(planOf({ table: emptied })).toMatchObject([{ operation: 'modify', detail: 'Deleting all rows' }]);
    expect(planOf({ table: { message: 'Deleting all rows' } })).toMatchObject([{ operation: 'modify' }]);
    expect(planOf({ message: 'Impossible WHERE' })).toMatchObject([
      { operation: 'constant rows', detail: 'Impossible WHERE' },
    ]);
  });

  it('counts the rows of a change that a dependent subquery runs for, where the server estimates them', () => {
    const subquery = (isDependent: boolean) => ({
      dependent: isDependent,
      query_block: { table: { ...scan, table_name: 'f', access_type: 'ALL' } },
    });
    const changed = { update: true, ...scan, access_type: 'ALL' };
    const repeats = (table: object, isDependent = true) =>
      planOf({ table, update_value_subqueries: [subquery(isDependent)] })[1]?.children[0]?.signs?.oncePer;
    expect(repeats(changed)).toEqual({ table: 'b', rows: 3132 });
    expect(repeats(changed, false)).toBeUndefined();
    expect(repeats({ ...changed, attached_condition: '(`s`.`b`.`n` = 5)' })).toEqual({ table: 'b' });
    const [filtered] = planOf({ table: { ...changed, attached_subqueries: [subquery(true)] } });
    expect(filtered?.children[0]?.children[0]?.signs?.oncePer).toEqual({ table: 'b', rows: 3132 });
  });

  it('reads texts that MariaDB prints as they are in the statement', () => {
    const lines = [
      '{',
      '  "query_block": {',
      '    "table": {',
      '      "table_name": "t",',
      '      "access_type": "ALL",',
    ];
    const condition = `t.a = 'it\\'s "quoted", \t {"x": 1}'`;
    const text = [...lines, `      "attached_condition": "${condition}"`, '    }', '  }', '}'].join('\n');
    expect(readJsonPlan(text).steps).toMatchObject([{ alias: 't', signs: { filter: { condition } } }]);
  });

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
