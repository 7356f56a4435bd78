import fc from 'fast-check';
import { encodeCell } from '../values.ts';
import { cellReader, textReader } from './cells.ts';

const NUMERIC = 1700;
const BIGINT = 20;
const DOUBLE = 701;

function encoded(type: number, text: string): unknown {
  return encodeCell(cellReader(type)(text), 4096, () => undefined);
}

describe('cellReader', () => {
  it('gives a numeric as the digits that Postgres wrote, as a number or as text', () => {
    const digits = fc.stringMatching(/^-?(0|[1-9]\d{0,30})(\.\d{1,20})?$/);
    fc.assert(
      fc.property(digits, (text) => {
        // Postgres has no negative zero.
        fc.pre(!/^-0(\.0+)?$/.test(text));
        expect(String(encoded(NUMERIC, text))).toBe(text);
      }),
    );
  });

  it.each([
    ['0', 0],
    ['19.99', 19.99],
    ['20.00', '20.00'],
    ['0.0000001', '0.0000001'],
    ['0.000001', 0.000001],
    ['123456789012345', 123456789012345],
    ['1234567890123456', '1234567890123456'],
    ['NaN', 'NaN'],
    ['-Infinity', '-Infinity'],
  ])('reads the numeric %s', (text, cell) => {
    expect(encoded(NUMERIC, text)).toBe(cell);
  });

  it('gives every bigint exactly', () => {
    fc.assert(
      fc.property(fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n), (value) => {
        expect(String(encoded(BIGINT, value.toString()))).toBe(value.toString());
      }),
    );
  });

  it('gives every double exactly', () => {
    fc.assert(
      fc.property(fc.double(), (value) => {
        const text = Object.is(value, -0) ? '-0' : String(value);
        expect(Object.is(Number(encoded(DOUBLE, text)), value)).toBe(true);
      }),
    );
  });

  it('leaves the text of types that it does not know', () => {
    expect(cellReader(99_999)('{"a":  1}')).toBe('{"a":  1}');
    expect(textReader(NUMERIC)('1.50')).toBe('1.50');
    expect(textReader(16)('t')).toBe(true);
  });
});
