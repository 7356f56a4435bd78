import fc from 'fast-check';
import { DecimalSum } from './decimal-sum.ts';

function totalOf(values: readonly (number | bigint | string | Uint8Array)[]): number | string | undefined {
  const sum = new DecimalSum();
  for (const value of values) sum.add(value);
  return sum.total();
}

/** A number of so many units of its last decimal, as a database writes it. */
function numeral(units: bigint, decimals: number): string {
  const digits = (units < 0n ? -units : units).toString().padStart(decimals + 1, '0');
  const point = digits.length - decimals;
  return `${units < 0n ? '-' : ''}${digits.slice(0, point)}${decimals === 0 ? '' : `.${digits.slice(point)}`}`;
}

describe('the sum of decimals', () => {
  it.each([
    [[], 0],
    [[1, 2n, '3'], 6],
    [[0.1, 0.2], '0.3'],
    [['0.10', '0.2'], '0.30'],
    [['-0.05', '0.01'], '-0.04'],
    [['9007199254740993', '1'], '9007199254740994'],
    [[9223372036854775807n, 9223372036854775807n], '18446744073709551614'],
    [['99999999999999.99', '0.01'], '100000000000000.00'],
    [['999999999999999', '0.0000000001'], '999999999999999.0000000001'],
    [[1e21, 1], '1000000000000000000001'],
    [[1e-7, 1], '1.0000001'],
    [['1e+30', '-1E+30', '.5'], '0.5'],
    [[5e-324, -5e-324], `0.${'0'.repeat(324)}`],
    [[19.99, 5, 0.005], '24.995'],
    [[-0, '-0'], 0],
  ])('of %j is %j', (values, total) => {
    expect(totalOf(values)).toBe(total);
  });

  it.each(['NaN', 'Infinity', '-Infinity', '', '-', '1.2.3', 'abc', '1e99999', '9'.repeat(1_300)])(
    'with %j is not known',
    (text) => {
      expect(totalOf([1, text])).toBeUndefined();
      expect(totalOf([1, Buffer.from(text), 2])).toBeUndefined();
    },
  );

  it('with what is no number is not known', () => {
    expect(totalOf([1, Number.NaN])).toBeUndefined();
    expect(totalOf([Number.POSITIVE_INFINITY, 1])).toBeUndefined();
  });

  it('is exact for every mix of sizes and decimals, as text, as bytes and as numbers', () => {
    const number = fc.tuple(fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }), fc.nat(20), fc.nat(2));
    const short = fc.tuple(fc.bigInt({ min: -(10n ** 14n), max: 10n ** 14n }), fc.nat(4), fc.nat(2));
    fc.assert(
      fc.property(fc.array(fc.oneof(number, short), { maxLength: 60 }), (parts) => {
        const most = Math.max(0, ...parts.map(([, decimals]) => decimals));
        const expected = parts.reduce((sum, [units, decimals]) => sum + units * 10n ** BigInt(most - decimals), 0n);
        const given = parts.map(([units, decimals, form]) => {
          const text = numeral(units, decimals);
          if (form === 1) return Buffer.from(text);
          return form === 2 && decimals === 0 ? units : text;
        });
        expect(String(totalOf(given))).toBe(numeral(expected, most));
      }),
    );
  });
});
