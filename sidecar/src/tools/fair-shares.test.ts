import * as fc from 'fast-check';
import { cutTo, fairShares } from './fair-shares.ts';

const needs = fc.array(fc.nat(1_000_000), { maxLength: 12 });
const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0);

describe('fair shares', () => {
  test.each([
    ['all that is needed where it fits', [10, 20, 30], 100, [10, 20, 30]],
    ['equal parts of large needs', [100, 100, 100], 90, [30, 30, 30]],
    ['a small need whole, whatever the large ones want', [5, 1_000, 1_000], 105, [5, 50, 50]],
    ['nothing among no parts', [], 10, []],
  ])('are %s', (_what, wanted, total, shares) => {
    expect(fairShares(wanted, total)).toEqual(shares);
  });

  test('never exceed the total or a need, and never cut one that is at most an equal part', () => {
    fc.assert(
      fc.property(needs, fc.nat(2_000_000), (wanted, total) => {
        const shares = fairShares(wanted, total);
        expect(sum(shares)).toBeLessThanOrEqual(total);
        for (const [index, need] of wanted.entries()) {
          expect(shares[index]).toBeLessThanOrEqual(need);
          if (need <= Math.floor(total / wanted.length)) expect(shares[index]).toBe(need);
        }
      }),
    );
  });
});

describe('a result cut to its share', () => {
  const set = {
    columns: [{ name: 'a', type: 'text' }],
    rows: [['x'], ['ü'], ['z']],
    rowCount: 3,
    truncated: false,
    cut: [
      { row: 0, column: 0, length: 9_000 },
      { row: 2, column: 0, length: 9_000 },
    ],
  };

  test('is the same where it fits', () => {
    expect(cutTo(set, 3, Buffer.byteLength(JSON.stringify(set.rows)))).toBe(set);
  });

  test('keeps its first rows, says that there are more, and tells of the cut cells that it still has', () => {
    expect(cutTo(set, 2, 1_000)).toEqual({
      ...set,
      rows: [['x'], ['ü']],
      rowCount: 2,
      truncated: true,
      cut: [{ row: 0, column: 0, length: 9_000 }],
    });
  });

  test('counts bytes, not characters', () => {
    expect(cutTo(set, 3, Buffer.byteLength('[["x"],["ü"]]')).rowCount).toBe(2);
    expect(cutTo(set, 3, Buffer.byteLength('[["x"],["ü"]]') - 1).rowCount).toBe(1);
  });
});
