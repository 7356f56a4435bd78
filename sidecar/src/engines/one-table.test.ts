import { tableIn as mssql } from './mssql/one-table.ts';
import { tableIn as mysql } from './mysql/one-table.ts';
import { tableIn as postgres } from './postgres/one-table.ts';
import type { ShownTable } from './row-editing.ts';
import { tableIn as sqlite } from './sqlite/one-table.ts';

const ALL = { sqlite, postgres, mysql, mssql };
const each = Object.entries(ALL);
const table = (...name: string[]): ShownTable => ({ name, columns: undefined });

describe.each(each)('the one table of a SELECT on %s', (_name, tableIn) => {
  test.each<[string, ShownTable]>([
    ['SELECT * FROM t', table('t')],
    ['select * from s.t where a = 1 order by b, c;', table('s', 't')],
    ['SELECT t.* FROM t', table('t')],
    ['SELECT x.* FROM t AS x WHERE x.a IN (SELECT a FROM u UNION SELECT 1)', table('t')],
    ['SELECT a, b FROM t -- UNION SELECT 1', { name: ['t'], columns: ['a', 'b'] }],
    ['SELECT x.a, b AS c FROM s.t x', { name: ['s', 't'], columns: ['a', 'b'] }],
  ])('is found in %s', async (sql, expected) => {
    expect(await tableIn(sql)).toEqual(expected);
  });

  test.each([
    'SELECT * FROM t, u',
    'SELECT * FROM t JOIN u ON t.a = u.a',
    'SELECT * FROM t LEFT JOIN u ON t.a = u.a',
    'SELECT t.* FROM t CROSS JOIN u',
    'SELECT * FROM (SELECT * FROM t) x',
    'SELECT *, a FROM t',
    'SELECT a + 1 FROM t',
    'SELECT lower(a) FROM t',
    'SELECT count(*) FROM t',
    "SELECT 'a' FROM t",
    'SELECT 1 FROM t',
    'SELECT NULL FROM t',
    'SELECT a FROM t UNION ALL SELECT a FROM t',
    'SELECT a FROM t WHERE a = 1 UNION SELECT a FROM t',
    'SELECT DISTINCT a FROM t',
    'SELECT a FROM t GROUP BY a',
    'SELECT a FROM t HAVING a > 1',
    'WITH t AS (SELECT 1 AS a) SELECT a FROM t',
    'SELECT a FROM f(1)',
    'SELECT a',
    'UPDATE t SET a = 1',
    "SELECT 'it",
    '',
  ])('is not taken for certain in %s', async (sql) => {
    expect(await tableIn(sql)).toBeUndefined();
  });
});

test('names are read as their server reads them', async () => {
  expect(await sqlite('SELECT "a""b", [c d] FROM main."odd name"')).toEqual({
    name: ['main', 'odd name'],
    columns: ['a"b', 'c d'],
  });
  expect(await postgres('SELECT ID, "Name" FROM "Odd".T')).toEqual({ name: ['Odd', 't'], columns: ['id', 'Name'] });
  expect(await mysql('SELECT `a``b` FROM `shop`.`t` LIMIT 3, 4')).toEqual({ name: ['shop', 't'], columns: ['a`b'] });
  expect(await mssql('SELECT TOP (10) [a]]b] FROM dbo.[t] ORDER BY 1 OFFSET 1 ROWS')).toEqual({
    name: ['dbo', 't'],
    columns: ['a]b'],
  });
});

test('where the mode of a MySQL server decides what is a name, nothing is certain', async () => {
  expect(await mysql('SELECT "a" FROM t')).toBeUndefined();
  expect(await mysql("SELECT a FROM t WHERE b = '\\' UNION SELECT 1 -- '")).toBeUndefined();
  expect(await mysql('SELECT a FROM t /*! UNION SELECT 1 */')).toBeUndefined();
});

test.each([
  'SELECT TOP 10 PERCENT a FROM t',
  'SELECT a FROM t FOR JSON AUTO',
  'SELECT a INTO u FROM t',
  'SELECT a FROM t WITH (NOLOCK)',
  'SELECT a FROM t PIVOT (max(b) FOR c IN (d)) p',
])('SQL Server: %s is not certain', async (sql) => {
  expect(await mssql(sql)).toBeUndefined();
});
