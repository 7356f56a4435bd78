import fc from 'fast-check';
import { LineBuffer } from '../line-buffer.ts';
import { rawCsvLines, rawJsonLines } from '../raw-lines.ts';
import { csvLines, jsonLines } from '../row-lines.ts';
import { encodeCell } from '../values.ts';
import { cellReader, csvWriters, jsonWriters } from './values.ts';

const NUMERIC = 1700;
const BIGINT = 20;
const DOUBLE = 701;

function encoded(type: number, text: string): unknown {
  return encodeCell(cellReader(type)(text), 4096, () => undefined);
}

describe('cellReader', () => {
  it('gives a numeric as the digits from Postgres, as a number or as text', () => {
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

  it('keeps the text of unknown types', () => {
    expect(cellReader(99_999)('{"a":  1}')).toBe('{"a":  1}');
  });
});

describe('lines of an export', () => {
  const TYPES = [16, 17, 20, 21, 23, 25, 26, 700, 701, NUMERIC, 3802, 99_999];
  const number = fc.oneof(
    fc.double().map((value) => (Object.is(value, -0) ? '-0' : String(value))),
    fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n).map(String),
    fc.stringMatching(/^-?(0|[1-9]\d{0,20})(\.\d{1,20})?$/),
    fc.constantFrom('NaN', 'Infinity', '-Infinity', '1e+20', '1.5e-07', '0.0000001', '007', '1.50', '-0.0', '0.5'),
  );
  const text = fc.oneof(
    number,
    fc.string({ unit: 'binary' }),
    fc.constantFrom('', 't', 'f', '\\x0aff', 'a,b', 'say "x"', '\u0131', '1\ud230'),
  );
  /** For these types Postgres writes whole numbers, without leading zeros. */
  const isPossible = (type: number, cell: string) =>
    ![20, 21, 23, 26].includes(type) || /^-?[1-9]\d{0,18}$|^0$/.test(cell);

  function linesOf(write: (target: LineBuffer) => void): string {
    const target = new LineBuffer();
    write(target);
    return target.take().toString('utf8');
  }

  const copiedLine = (type: number, cell: string): string =>
    linesOf((target) => rawJsonLines(['a'], [jsonWriters()(type)]).write(target, [cell]));
  const readLine = (type: number, cell: string): string =>
    linesOf((target) => jsonLines(['a']).write(target, [cellReader(type)(cell)]));

  it('have the cells of an answer in JSON, digit for digit', () => {
    fc.assert(
      fc.property(fc.constantFrom(...TYPES), text, (type, cell) => {
        fc.pre(isPossible(type, cell));
        expect(copiedLine(type, cell)).toBe(readLine(type, cell));
      }),
      { numRuns: 3_000 },
    );
  });

  it('never mistake a character for the digit of its lower byte', () => {
    const numeral = fc.stringMatching(/^-?[1-9]\d{0,12}$/);
    const page = fc.integer({ min: 1, max: 255 }).filter((high) => high < 0xd8 || high > 0xdf);
    fc.assert(
      fc.property(numeral, fc.nat(), page, fc.constantFrom(700, 701, NUMERIC), (digits, nat, high, type) => {
        const at = nat % digits.length;
        const other = String.fromCharCode(digits.charCodeAt(at) + high * 256);
        const cell = digits.slice(0, at) + other + digits.slice(at + 1);
        expect(copiedLine(type, cell)).toBe(readLine(type, cell));
        expect(copiedLine(type, cell)).not.toBe(readLine(type, digits));
      }),
    );
  });

  it('have the digits from Postgres in CSV, and true, false and hex', () => {
    fc.assert(
      fc.property(text, (cell) => {
        const copied = linesOf((target) => rawCsvLines(['a'], [csvWriters()(NUMERIC)]).write(target, [cell]));
        expect(copied).toBe(linesOf((target) => csvLines(['a']).write(target, [cell])));
      }),
    );
    const types = [16, 17, NUMERIC, 25];
    const row = rawCsvLines(['a', 'b', 'c', 'd'], types.map(csvWriters()));
    expect(linesOf((target) => row.write(target, ['t', '\\x0aff', '1.50', null]))).toBe('true,0aff,1.50,\r\n');
  });
});
