import fc from 'fast-check';
import { compareKeys, isNumeric, sortKey } from './sort-key.ts';

const keyOf = (text: string) => sortKey(text, true);

test('numbers that are text because JSON has no such number are compared to the last digit', () => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n }),
      fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n }),
      (a, b) => {
        expect(Math.sign(compareKeys(keyOf(String(a)), keyOf(String(b))))).toBe(a < b ? -1 : a > b ? 1 : 0);
      },
    ),
  );
});

test('decimals are compared by value, however many digits they have', () => {
  const sorted = ['-0.30000000000000000001', '-0.3', '0', '0.1', '0.10000000000000000001', '1e3', '9007199254740993.5'];
  const shuffled = [...sorted].reverse();
  expect(shuffled.sort((a, b) => compareKeys(keyOf(a), keyOf(b)))).toEqual(sorted);
  expect(compareKeys(keyOf('1.50'), keyOf('1.5'))).toBe(0);
});

test('NULL comes first, then booleans, numbers, texts and binary; a text column is not taken for numbers', () => {
  const cells = [{ bytes: 1, hex: '00' }, '10', '9', 2, true, false, null];
  const keys = cells.map((cell) => sortKey(cell, false));
  expect(keys.sort(compareKeys).map(({ rank, text }) => `${rank}${text}`)).toEqual([
    '0',
    '1',
    '1',
    '22',
    '310',
    '39',
    '400',
  ]);
});

test.each([
  ['numeric(10,2)', true],
  ['BIGINT', true],
  ['double precision', true],
  ['interval', false],
  ['point', false],
  ['integer[]', false],
  ['character varying(20)', false],
  [undefined, false],
])('the type %s is numeric: %s', (type, numeric) => {
  expect(isNumeric(type)).toBe(numeric);
});
