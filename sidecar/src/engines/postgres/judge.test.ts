import { isAnalyze, judge } from './judge.ts';
import { loadGrammar, parseSql } from './sql-tree.ts';

beforeAll(loadGrammar);

describe('judge', () => {
  it.each([
    ['SELECT 1', 'read', 'SELECT'],
    ['TABLE t', 'read', 'SELECT'],
    ['with x as (select 1) select * from x', 'read', 'SELECT'],
    ['SHOW ALL', 'read', 'SHOW'],
    ['explain delete from t', 'read', 'EXPLAIN'],
    ['explain (analyze off) delete from t', 'read', 'EXPLAIN'],
    ['explain analyze select 1', 'read', 'EXPLAIN'],
    ['explain analyze delete from t', 'write', 'EXPLAIN'],
    ['delete from t', 'write', 'DELETE'],
    ['with x as (delete from t returning 1) select * from x', 'write', 'SELECT'],
    ['select 1 into t', 'write', 'SELECT'],
    ['select * from t for share', 'write', 'SELECT'],
    ['create table t ()', 'write', 'CREATE TABLE'],
    ['-- note\ncreate /* x */ index on t (a)', 'write', 'CREATE INDEX'],
    ['drop table t', 'write', 'DROP TABLE'],
    ['call p()', 'write', 'CALL'],
    ['selec 1', 'write', 'SELEC'],
    ['begin', 'refused', 'BEGIN'],
    ['select 1; select 2', 'refused', 'SELECT'],
    ['select set_config(null, null, false)', 'refused', 'SELECT'],
    ['call set_config(null, null, false)', 'refused', 'CALL'],
    ['copy t to stdout', 'refused', 'COPY'],
    ['explain analyze execute p', 'refused', 'EXPLAIN'],
    ['', 'refused', ''],
    ['select 1\0; drop table t', 'refused', ''],
  ])('takes %j for a %s', (sql, effect, verb) => {
    expect(judge(sql).statement).toMatchObject({ effect, verb });
  });

  it('finds every called name, in whatever form', () => {
    const { names } = judge('SELECT f(g(1)), (h).i, a.j, s.k() FROM l(2), m WHERE n(3) ORDER BY o(4)');
    expect(names.calls.map(({ name }) => name).sort()).toEqual(['f', 'g', 'i', 'j', 'k', 'l', 'n', 'o']);
  });

  it('judges a deeply nested statement, or says that it cannot', () => {
    expect(judge(`SELECT ${'('.repeat(2000)}1${')'.repeat(2000)}`).statement.effect).toBe('read');
    expect(judge(`SELECT 1${' + 1'.repeat(200_000)}`).statement.effect).toBe('write');
    expect(judge('SELECT 1').statement.effect).toBe('read');
  });
});

describe('isAnalyze', () => {
  it.each([
    ['EXPLAIN SELECT 1', false],
    ['EXPLAIN ANALYZE SELECT 1', true],
    ['EXPLAIN (ANALYZE) SELECT 1', true],
    ['EXPLAIN (ANALYZE true) SELECT 1', true],
    ['EXPLAIN (ANALYZE 1) SELECT 1', true],
    ['EXPLAIN (ANALYZE 0) SELECT 1', false],
    ['EXPLAIN (ANALYZE false) SELECT 1', false],
    ["EXPLAIN (ANALYZE 'off') SELECT 1", false],
    ['EXPLAIN (ANALYZE off, ANALYZE on) SELECT 1', true],
    ['EXPLAIN (BUFFERS, FORMAT JSON) SELECT 1', false],
  ])('reads the options of %s', (sql, expected) => {
    const parsed = parseSql(sql);
    const [node] = parsed.ok ? parsed.statements : [];
    expect(node && isAnalyze(node)).toBe(expected);
  });
});
