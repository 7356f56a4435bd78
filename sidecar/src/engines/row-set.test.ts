import { encodeData } from '@devdb/shared/rows-text';
import fc from 'fast-check';
import type { Caps, RowSet } from './engine.ts';
import { LineBuffer } from './line-buffer.ts';
import { RowSetBuilder } from './row-set.ts';
import { type DriverValue, encodeCell } from './values.ts';

function build(rows: readonly (readonly DriverValue[])[], caps: Caps): RowSet {
  const builder = new RowSetBuilder(caps);
  for (const row of rows) if (!builder.add(row)) break;
  return builder.finish([]);
}

const bytesOf = (rows: unknown) => Buffer.byteLength(JSON.stringify(rows));
const ROOMY: Caps = { rows: 100, bytes: 100_000, cellBytes: 1_000 };

const value: fc.Arbitrary<DriverValue> = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 60 }),
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  fc.double(),
  fc.boolean(),
  fc.constant(null),
  fc.uint8Array({ maxLength: 60 }),
);
const table = fc
  .integer({ min: 1, max: 6 })
  .chain((width) => fc.array(fc.array(value, { minLength: width, maxLength: width }), { maxLength: 30 }));
// The smallest cap has room for one row of nulls.
const caps = fc.record({
  rows: fc.integer({ min: 1, max: 20 }),
  bytes: fc.integer({ min: 40, max: 1_500 }),
  cellBytes: fc.integer({ min: 0, max: 80 }),
});

describe('RowSetBuilder', () => {
  it('keeps every cap, whatever the rows are', () => {
    fc.assert(
      fc.property(table, caps, (rows, limits) => {
        const set = build(rows, limits);
        expect(set.rowCount).toBe(set.rows.length);
        expect(set.rows.length).toBeLessThanOrEqual(limits.rows);
        expect(bytesOf(set.rows)).toBeLessThanOrEqual(limits.bytes);
      }),
    );
  });

  it('says truncated exactly when a row is missing, and has the first row whenever there is one', () => {
    fc.assert(
      fc.property(table, caps, (rows, limits) => {
        const set = build(rows, limits);
        expect(set.truncated).toBe(set.rows.length < rows.length);
        expect(set.rows.length > 0).toBe(rows.length > 0);
      }),
    );
  });

  it('stops no earlier than necessary', () => {
    fc.assert(
      fc.property(table, caps, (rows, limits) => {
        const set = build(rows, limits);
        const missing = rows[set.rows.length];
        if (missing === undefined || set.rows.length === limits.rows) return;
        const more = build([missing], { ...limits, bytes: 1_000_000 }).rows;
        expect(bytesOf([...set.rows, ...more])).toBeGreaterThan(limits.bytes);
      }),
    );
  });

  it('lists a cell as cut exactly when it is shorter than it was', () => {
    fc.assert(
      fc.property(table, caps, (rows, limits) => {
        const set = build(rows, limits);
        const whole = build(rows, { rows: 100, bytes: 1_000_000, cellBytes: 1_000 });
        const changed = set.rows.flatMap((cells, row) =>
          cells.flatMap((cell, column) =>
            JSON.stringify(cell) === JSON.stringify(whole.rows[row]?.[column]) ? [] : [[row, column]],
          ),
        );
        expect((set.cut ?? []).map(({ row, column }) => [row, column])).toEqual(changed);
        if (changed.length === 0) expect(set).not.toHaveProperty('cut');
      }),
    );
  });

  it('writes each cell as the encoder does, and the rows as valid JSON', () => {
    fc.assert(
      fc.property(table, (rows) => {
        const set = build(rows, { rows: 100, bytes: 1_000_000, cellBytes: 1_000 });
        const encoded = rows.map((row) => row.map((cell) => encodeCell(cell, 1_000, () => undefined)));
        expect(set.rows).toEqual(encoded);
        expect(encodeData(set)).toBe(
          JSON.stringify({ columns: [], rows: encoded, rowCount: rows.length, truncated: false }),
        );
      }),
    );
  });

  it('includes the rest of the answer, and keeps what is in the buffer before it', () => {
    const target = new LineBuffer();
    target.text('before');
    const builder = new RowSetBuilder(ROOMY, target);
    builder.add([1n, 'é']);
    const set = builder.finish([{ name: 'a', type: 'TEXT' }], { affectedRows: 3 });
    expect(set).toEqual({
      columns: [{ name: 'a', type: 'TEXT' }],
      rows: [[1, 'é']],
      rowCount: 1,
      truncated: false,
      affectedRows: 3,
    });
  });

  it('reports the full length of a cut cell in bytes', () => {
    expect(build([['ő'.repeat(1_000)]], ROOMY).cut).toEqual([{ row: 0, column: 0, length: 2_000 }]);
  });

  it('is not truncated when the last row is exactly at the cap', () => {
    const rows = [[1n], [2n], [3n]];
    expect(build(rows, { ...ROOMY, rows: 3 })).toMatchObject({ rowCount: 3, truncated: false });
    expect(build(rows, { ...ROOMY, bytes: bytesOf([[1], [2], [3]]) })).toMatchObject({ rowCount: 3, truncated: false });
    expect(build(rows, { ...ROOMY, bytes: bytesOf([[1], [2], [3]]) - 1 })).toMatchObject({
      rowCount: 2,
      truncated: true,
    });
  });

  it('cuts the cells of a first row that is too long by itself until it fits', () => {
    const set = build([['x'.repeat(900), 'y'.repeat(900), 7n]], { ...ROOMY, bytes: 1_000 });
    expect(set).toMatchObject({ rowCount: 1, truncated: false });
    expect(set.cut).toEqual([
      { row: 0, column: 0, length: 900 },
      { row: 0, column: 1, length: 900 },
    ]);
    expect(bytesOf(set.rows)).toBeGreaterThan(500);
    expect(set.rows[0]?.[2]).toBe(7);
  });

  it('turns the last cells into null when a row of numbers cannot be cut', () => {
    const set = build([Array.from({ length: 100 }, () => 2n ** 62n)], { ...ROOMY, bytes: 1_000 });
    expect(bytesOf(set.rows)).toBeLessThanOrEqual(1_000);
    expect(set.rows[0]?.[0]).toBe('4611686018427387904');
    expect(set.rows[0]?.at(-1)).toBeNull();
    expect(set.cut?.at(-1)).toEqual({ row: 0, column: 99, length: 21 });
  });
});
