import * as fc from 'fast-check';
import { classify } from './judge.ts';
import { STATEMENT_WORDS } from './statement-words.ts';

const READS = [
  'SELECT 1',
  'SELECT a FROM t WHERE b = 2',
  'WITH a AS (SELECT 1 AS x) SELECT x FROM a',
  '(SELECT 1) UNION SELECT 2',
  'SELECT CASE WHEN a = 1 THEN 2 ELSE 3 END FROM t',
  'SELECT a FROM t ORDER BY a OFFSET 1 ROWS FETCH NEXT 2 ROWS ONLY',
];
const CHANGES = [
  'DELETE FROM t',
  'DELETE t',
  'UPDATE t SET a = 1',
  'INSERT INTO t VALUES (1)',
  'DROP TABLE t',
  'TRUNCATE TABLE t',
  'EXEC p',
  "EXEC('DELETE t')",
  'COMMIT',
  'ROLLBACK',
  'SET NOCOUNT ON',
  'MERGE t USING s ON 1 = 1 WHEN MATCHED THEN DELETE',
  'BEGIN TRAN',
  'CREATE TABLE x (a int)',
  'ALTER TABLE t ADD b int',
  'GRANT SELECT ON t TO public',
  'KILL 5',
  'SHUTDOWN',
];
const BETWEEN = [' ', '\n', ';', ' ; ', '/**/', '--\n', '\t', ' /* /* */ */ '];

/** The same word in other cases. */
function cased(text: string): fc.Arbitrary<string> {
  return fc
    .array(fc.boolean(), { minLength: text.length, maxLength: text.length })
    .map((upper) => [...text].map((letter, i) => (upper[i] ? letter.toUpperCase() : letter.toLowerCase())).join(''));
}

describe('classify', () => {
  it('is never a read when another statement follows, however they are separated and written', () => {
    const change = fc.constantFrom(...CHANGES).chain(cased);
    fc.assert(
      fc.property(fc.constantFrom(...READS), fc.constantFrom(...BETWEEN), change, (read, between, second) => {
        expect(classify(`${read}${between}${second}`).effect).not.toBe('read');
      }),
      { numRuns: 500 },
    );
  });

  it('is never a read when it starts with anything but SELECT and WITH', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...CHANGES),
        fc.constantFrom(...BETWEEN.filter((text) => !text.includes(';'))),
        (change, before) => {
          expect(classify(before + change).effect).not.toBe('read');
        },
      ),
    );
  });

  it('is not a read with a statement word anywhere outside names and strings', () => {
    const inside = new Set(['ELSE', 'END', 'MERGE', 'USE', 'FETCH']);
    for (const word of [...STATEMENT_WORDS].filter((one) => !inside.has(one))) {
      expect([word, classify(`SELECT 1 ${word} x`).effect]).toEqual([word, 'refused']);
      expect([word, classify(`SELECT * FROM (${word} x) y`).effect]).toEqual([word, 'refused']);
      expect([
        word,
        classify(`SELECT '${word}' AS [${word}] FROM t AS "${word}" /* ${word} */ -- ${word}`).effect,
      ]).toEqual([word, 'read']);
    }
  });

  it('judges any text without throwing', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (sql) => {
        expect(['read', 'write', 'refused']).toContain(classify(sql).effect);
      }),
    );
  });

  it.each([
    ['SELECT 1', 'SELECT'],
    ['create  or alter  procedure p AS SELECT 1', 'CREATE PROCEDURE'],
    ['Drop Table t', 'DROP TABLE'],
    ['execute p', 'EXEC'],
    ['WITH a AS (SELECT 1 AS x) DELETE FROM a', 'DELETE'],
  ])('names the verb of %j', (sql, verb) => {
    expect(classify(sql).verb).toBe(verb);
  });

  it('says why and what to do', () => {
    expect(classify('SELECT 1 DELETE t')).toEqual({
      effect: 'refused',
      verb: 'SELECT',
      reason: 'There are several statements (DELETE begins another at position 10). Send one statement per call.',
      isSeveral: true,
    });
    expect(classify('SELECT @id')).toMatchObject({
      reason: expect.stringContaining('Write the value into the statement'),
    });
  });
});
