import * as fc from 'fast-check';
import { processorMs } from '../../../fixtures/labs/processor-time.ts';
import { outlineSql } from './sql-outline.ts';

function namesOf(sql: string): string[] {
  return [...outlineSql(sql).placeholders];
}

test('finds placeholders in the place of values', () => {
  expect(namesOf('SELECT * FROM t WHERE a = :a AND b IN (:b,:c) LIMIT :n')).toEqual(['a', 'b', 'c', 'n']);
});

test.each([
  ["SELECT ':a', \"x:a\", `y:a`, 'it''s :a'"],
  ['SELECT 1 -- :a\n'],
  ['SELECT 1 /* :a */'],
  ['SELECT 1 /* :a'],
  ["SELECT '2024-01-01'::date, x::a"],
  ['SELECT list[1:a], list[lo:a], f(x)[1]:a'],
])('does not mistake part of a string, a name, a comment, a cast or a slice for one: %s', (sql) => {
  expect(namesOf(sql)).toEqual([]);
});

test.each([
  ['SELECT 1; SELECT 2', true],
  ['SELECT 1;', false],
  ['SELECT 1; -- done\n /* really */ ', false],
  ["SELECT ';'; ;", false],
  ["SELECT 'a;b'", false],
])('sees whether anything follows the semicolon: %s', (sql, several) => {
  expect(outlineSql(sql).several).toBe(several);
});

test.each([["SELECT 'it\\'s :a'"], ["SELECT 1 # it's"], ['SELECT $$:a$$'], ['SELECT $x$ :a $x$']])(
  'is uncertain where dialects differ: %s',
  (sql) => {
    expect(outlineSql(sql).certain).toBe(false);
  },
);

test('reads any text quickly', () => {
  const text = fc.string({ unit: fc.constantFrom("'", '"', '`', '-', '/', '*', ':', 'a', ';', ' ', '\n', '[', ']') });
  fc.assert(fc.property(text, (sql) => outlineSql(sql).placeholders.size <= sql.length));
  for (const piece of ["'", '"', '/*', '--', ':a', "''"]) {
    const began = processorMs();
    outlineSql(piece.repeat(32_000));
    expect(processorMs() - began).toBeLessThan(2_000);
  }
});
