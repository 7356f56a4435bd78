import { plainStatement } from './bind.ts';
import { ready } from './judge.ts';
import { type PlainChange, plainChange } from './plain-change.ts';

function changeIn(sql: string): PlainChange | undefined {
  const statement = ready(plainStatement(sql));
  return statement.effect === 'refused' ? undefined : plainChange(statement);
}

describe('plainChange', () => {
  it.each([
    ['DELETE FROM t WHERE a = 1', { verb: 'DELETE', name: ['t'] }],
    ['DELETE t', { verb: 'DELETE', name: ['t'] }],
    ['delete top (5) from [s].[t]', { verb: 'DELETE', name: ['s', 't'] }],
    ['UPDATE dbo.t SET a = (SELECT max(b) FROM u)', { verb: 'UPDATE', name: ['dbo', 't'] }],
    ['INSERT t (a) SELECT b FROM u', { verb: 'INSERT', name: ['t'] }],
    ['INSERT INTO t DEFAULT VALUES', { verb: 'INSERT', name: ['t'] }],
  ])('reads %j', (sql, expected) => {
    expect(changeIn(sql)).toEqual(expected);
  });

  it.each([
    'SELECT 1',
    'UPDATE a SET b = 1 FROM t AS a',
    'DELETE a FROM t AS a',
    'DELETE FROM other.dbo.t',
    'DELETE FROM t OUTPUT deleted.a INTO kept',
    'INSERT INTO t EXEC p',
    'INSERT INTO t VALUES (NEXT VALUE FOR s)',
    'UPDATE t SET a = dbo.f(a)',
    "UPDATE OPENQUERY(x, 'y') SET a = 1",
    'UPDATE STATISTICS t',
    'MERGE t USING s ON 1 = 1 WHEN MATCHED THEN DELETE;',
    'WITH a AS (SELECT * FROM t) DELETE FROM a',
    'TRUNCATE TABLE t',
    'DELETE FROM t WHERE CURRENT OF c; DELETE FROM u',
  ])('is not sure of %j', (sql) => {
    expect(changeIn(sql)).toBeUndefined();
  });
});
