import fc from 'fast-check';
import { LineBuffer } from '../line-buffer.ts';
import { rawJsonLines } from '../raw-lines.ts';
import { jsonLines } from '../row-lines.ts';
import { jsonWriters } from './json-bytes.ts';
import { cellReader, type Field } from './values.ts';

const [LONG, FLOAT, DOUBLE, LONGLONG, DECIMAL, TEXT, BLOB] = [3, 4, 5, 8, 246, 253, 252];

function field(columnType: number, characterSet = 45): Field {
  return { name: 'a', columnType, columnLength: 0, characterSet, flags: 0, decimals: 0, table: '' };
}

function linesOf(write: (target: LineBuffer) => void): string {
  const target = new LineBuffer();
  write(target);
  return target.take().toString('utf8');
}

function copied(of: Field, bytes: Buffer): string {
  return linesOf((target) => rawJsonLines(['a'], [jsonWriters()(of)]).write(target, [bytes]));
}

function read(of: Field, bytes: Buffer): string {
  return linesOf((target) => jsonLines(['a']).write(target, [cellReader(of)(bytes)]));
}

describe("JSON lines from the server's bytes", () => {
  it('have the same numbers as an answer, whatever zeros and exponents they are written with', () => {
    const digits = fc.oneof(
      fc.stringMatching(/^-?\d{1,19}$/),
      fc.stringMatching(/^-?\d{1,12}\.\d{1,12}$/),
      fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
      fc.constantFrom('0', '-0', '00042', '1.50', '0.0000001', '1e20', '1.5e-7', '-0.5', '0.10'),
    );
    const types = [FLOAT, DOUBLE, DECIMAL];
    fc.assert(
      fc.property(fc.constantFrom(...types), digits, (type, text) => {
        fc.pre(type !== DECIMAL || !text.includes('e'));
        const bytes = Buffer.from(text);
        expect(copied(field(type), bytes)).toBe(read(field(type), bytes));
      }),
      { numRuns: 2_000 },
    );
    fc.assert(
      fc.property(fc.constantFrom(LONG, LONGLONG), fc.stringMatching(/^(-[1-9]|\d)\d{0,18}$/), (type, text) => {
        const bytes = Buffer.from(text);
        expect(copied(field(type), bytes)).toBe(read(field(type), bytes));
      }),
    );
  });

  it('have the same texts and binary as an answer', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (text) => {
        const bytes = Buffer.from(text);
        expect(copied(field(TEXT), bytes)).toBe(`{"a":${JSON.stringify(text)}}\n`);
      }),
    );
    fc.assert(
      fc.property(fc.uint8Array(), (cell) => {
        const bytes = Buffer.from(cell);
        expect(copied(field(BLOB, 63), bytes)).toBe(
          `{"a":{"bytes":${cell.length},"hex":"${bytes.toString('hex')}"}}\n`,
        );
      }),
    );
  });

  it('have NULL for a missing cell', () => {
    expect(linesOf((target) => rawJsonLines(['a'], [jsonWriters()(field(TEXT))]).write(target, [null]))).toBe(
      '{"a":null}\n',
    );
  });
});
