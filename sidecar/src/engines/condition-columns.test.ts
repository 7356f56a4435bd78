import fc from 'fast-check';
import { comparedColumns } from './condition-columns.ts';

function inWords(condition: string): string[] {
  return comparedColumns(condition).map(({ of, name, by }) => `${of === undefined ? '' : `${of}.`}${name} ${by}`);
}

test.each([
  ['(n = 5)', ['n equality']],
  ["((n = 5) AND ((code)::text = 'it''s (x) AND y'::text))", ['n equality', 'code equality']],
  ["((b.n in (1,2)) and (b.`odd name` like 'a%') and (b.d between '2020' and '2021'))", ['b.n equality', 'b.d range']],
  ['big.n = 5 and big.`odd name` = 3 and big.k > 3', ['big.n equality', 'big.odd name equality', 'big.k range']],
  ["b.d between <cache>('2020-01-01') and <cache>('2020-02-01') and b.d is null", ['b.d range', 'b.d equality']],
  ['trigcond(y.n = x.n)', ['y.n equality', 'x.n equality']],
  ['(y.n = (x.n + 1))', ['y.n equality']],
  ["(n = ANY ('{1,2}'::integer[]))", ['n equality']],
  ["(placed > '2020-01-01 00:00:00'::timestamp without time zone)", ['placed range']],
  [`("Odd ""name""" = 1)`, ['Odd "name" equality']],
  ["(b.`code` = 'it\\'s (x) AND y')", ['b.code equality']],
  ['shop.big.n = 1', ['big.n equality']],
  ['(n = (InitPlan 1).col1)', ['n equality']],
  ['(b.n = (/* select#2 */ select max(f.k) from f))', ['b.n equality']],
])('finds the columns that %s compares', (condition, found) => {
  expect(inWords(condition)).toEqual(found);
});

test.each([
  ['((b.n = 1) or (b.k = 2))'],
  ['((n + 0) = 5)'],
  ['(n = k)'],
  ['(b.n > b.k)'],
  ['(lower(code) = 1)'],
  ['((n)::numeric = 5.0)'],
  ['(n <> 5)'],
  ["(code ~~ 'a%'::text)"],
  ['(b.d is not null)'],
  ['(NOT is_open)'],
  ['<in_optimizer>(1,exists(subquery#2))'],
  ['n = 5 or k = 3 and d = 4'],
])('finds none that an index could not look up: %s', (condition) => {
  expect(inWords(condition)).toEqual([]);
});

test('reads any text to its end', () => {
  const piece = fc.constantFrom('(', ')', "'", '"', '`', ' and ', ' or ', ' between ', 'a.b', '=', '::text', '\\', '1');
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
      expect(Array.isArray(comparedColumns(pieces.join('')))).toBe(true);
    }),
  );
});
