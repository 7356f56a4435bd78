import fc from 'fast-check';
import { judge } from './judge.ts';

function effect(sql: string): string {
  return judge(sql).statement.effect;
}

describe('judge', () => {
  it('takes the strictest interpretation', () => {
    // One string where backslashes escape, a file where they do not.
    expect(effect("SELECT 'a\\' INTO OUTFILE '/tmp/x' -- '")).toBe('refused');
    expect(effect('SELECT "a\\" INTO OUTFILE /tmp/x -- "')).toBe('refused');
    expect(effect('/*!99999 SELECT 1 */ DELETE FROM t')).toBe('write');
    expect(effect('SELECT 1 /*!99999 INTO @a */')).toBe('refused');
    expect(effect('SELECT \'it\\\'s\', "b\\"c"')).toBe('read');
  });

  it('lists functions that may be user-defined, and how each call is written', () => {
    expect(
      judge('SELECT f(1), s.g(2), COUNT(*), count (1), `Count`(1), `abs` (1), bin_to_uuid(x), f(3) FROM t').calls,
    ).toEqual([
      { schema: undefined, name: 'f', form: 'tight', inPackage: false },
      { schema: 's', name: 'g', form: 'tight', inPackage: false },
      { schema: undefined, name: 'count', form: 'spaced', inPackage: false },
      { schema: undefined, name: 'Count', form: 'quoted', inPackage: false },
      { schema: undefined, name: 'bin_to_uuid', form: 'tight', inPackage: false },
    ]);
    expect(judge('SELECT a.b.c(1), a.b.`abs`(1)').calls.map(({ inPackage }) => inPackage)).toEqual([true, true]);
  });

  it('does not mistake column lists, aliases and table expressions for calls', () => {
    const sql = `WITH RECURSIVE n (i) AS (SELECT 1), m AS (SELECT 2) SELECT * FROM (SELECT 1) AS d (a), n
      WHERE a IN (1) AND EXISTS (SELECT 1) AND (a) = ANY (SELECT 1) WINDOW w AS (PARTITION BY a)`;
    expect(judge(sql).calls).toEqual([]);
  });

  it('distinguishes a body with semicolons from several statements', () => {
    expect(effect('CREATE PROCEDURE p() BEGIN SELECT 1; SELECT 2; END')).toBe('write');
    expect(effect('CREATE TABLE t (a int); DROP TABLE t')).toBe('refused');
    expect(effect('SELECT 1; SELECT 2')).toBe('refused');
  });

  it('gives the position of a mistake that every server refuses, and of no other', () => {
    expect(judge("SELECT 'open").statement).toMatchObject({ effect: 'refused', position: 8 });
    expect(judge('SELECT 1; SELECT 2').statement).not.toHaveProperty('position');
    expect(judge('SELECT 1 /* open').statement).not.toHaveProperty('position');
  });

  it('never takes a statement that starts with a changing word for a read', () => {
    const verbs = fc.constantFrom('INSERT INTO t VALUES (1)', 'DELETE FROM t', 'DROP TABLE t', 'CALL p()', 'SET a = 1');
    const blanks = fc.constantFrom(' ', '\n', '/* x */', '-- y\n', '# z\n', '/*! */', ';');
    fc.assert(
      fc.property(
        fc.array(blanks, { maxLength: 3 }),
        verbs,
        fc.array(blanks, { maxLength: 3 }),
        (before, verb, after) => {
          expect(effect(`${before.join('')}${verb}${after.join('')}`)).not.toBe('read');
        },
      ),
    );
  });

  it('judges any text, and never as a read with INTO outside quotes', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 80 }), (sql) => {
        expect(['read', 'write', 'refused']).toContain(effect(sql));
        expect(effect(`SELECT 1 INTO OUTFILE '/x' ${sql}`)).not.toBe('read');
      }),
    );
  });
});
