import fc from 'fast-check';
import { LineBuffer } from '../line-buffer.ts';
import { rawCsvLines } from '../raw-lines.ts';
import { csvLines } from '../row-lines.ts';
import { csvWriter } from './csv-bytes.ts';
import type { Field } from './values.ts';

const [BLOB, BINARY_CHARACTERS] = [252, 63];
const BINARY: Field = {
  name: 'a',
  columnType: BLOB,
  columnLength: 0,
  characterSet: BINARY_CHARACTERS,
  flags: 0,
  decimals: 0,
  table: '',
};

function lineOf(write: (target: LineBuffer) => void): string {
  const target = new LineBuffer();
  write(target);
  return target.take().toString('utf8');
}

const copied = (cell: Buffer | null) =>
  lineOf((target) => rawCsvLines(['a'], [csvWriter(BINARY)]).write(target, [cell]));

describe("CSV lines from the server's bytes", () => {
  it('distinguish NULL from empty binary', () => {
    expect(copied(Buffer.alloc(0))).toBe('""\r\n');
    expect(copied(null)).toBe('\r\n');
  });

  it('write binary as every engine does', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (cell) => {
        expect(copied(Buffer.from(cell))).toBe(lineOf((target) => csvLines(['a']).write(target, [cell])));
      }),
    );
  });
});
