import fc from 'fast-check';
import { chartNote, numericColumns, pointsOf, slicesOf, ticksOf, timedPointsOf, usualColumns } from './chart-data.ts';

const COLUMNS = ['id', 'city', 'total', 'customer_id'].map((name) => ({ name }));
const ROWS = [
  [1, 'Lyon', '12.50', 7],
  [2, null, null, 8],
  [3, 'Bari', -3, 9],
];

test('a measure is drawn over the column that names the rows, not a key', () => {
  expect(numericColumns(COLUMNS, ROWS)).toEqual([0, 2, 3]);
  expect(usualColumns(COLUMNS, ROWS)).toEqual({ label: 1, value: 2 });
});

test('numbers alone are drawn over the first column, and one column over the row numbers', () => {
  expect(usualColumns([{ name: 'day' }, { name: 'n' }], [[1, 2]])).toEqual({ label: 0, value: 1 });
  expect(usualColumns([{ name: 'hour' }, { name: 'n' }], [['00', 2]])).toEqual({ label: 0, value: 1 });
  expect(usualColumns([{ name: 'n' }, { name: 'city' }], [[2, 'Bari']])).toEqual({ label: 1, value: 0 });
  expect(usualColumns([{ name: 'n' }], [[1]])).toEqual({ label: undefined, value: 0 });
  expect(usualColumns([{ name: 'a' }], [['x']])).toBeUndefined();
  expect(usualColumns([{ name: 'a' }], [])).toBeUndefined();
});

test('exact decimals are numbers, and a row without a number has no point', () => {
  expect(pointsOf(ROWS, { label: 1, value: 2 })).toEqual({
    points: [
      { label: 'Lyon', value: 12.5 },
      { label: 'Bari', value: -3 },
    ],
    without: 1,
  });
  expect(pointsOf([[null, 5]], { label: 0, value: 1 }).points).toEqual([{ label: 'NULL', value: 5 }]);
  expect(pointsOf([['NaN'], ['1e400'], [' 1']], { label: undefined, value: 0 })).toEqual({ points: [], without: 3 });
});

test('points with moments are in the order of time, and a row without one has no point', () => {
  const rows = [
    ['2026-01-03', 1],
    [null, 2],
    ['2026-01-01', 3],
    ['2026-01-02', null],
  ];
  const { points, without } = timedPointsOf(rows, { label: 0, value: 1 });
  expect(points.map(({ label, value }) => [label, value])).toEqual([
    ['2026-01-01', 3],
    ['2026-01-03', 1],
  ]);
  expect(without).toBe(2);
  expect(chartNote(4, 4, without, true)).toBe('2 rows have no time or no number.');
});

test('a pie has the ten largest parts and the others as one, and none below nothing', () => {
  const points = Array.from({ length: 13 }, (_, at) => ({ label: String(at), value: at }));
  const slices = slicesOf([{ label: 'loss', value: -5 }, ...points]);
  expect(slices.map(({ value }) => value)).toEqual([12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 3]);
  expect(slices.at(-1)?.label).toBe('All others');
});

test('the axis holds every value and nothing, in at most a dozen steps', () => {
  const value = fc.oneof(
    fc.integer({ min: -1_000_000, max: 1_000_000 }),
    fc.double({ min: -1e12, max: 1e12, noNaN: true }),
  );
  fc.assert(
    fc.property(fc.array(value, { maxLength: 20 }), (values) => {
      const sensible = values.filter((one) => one === 0 || Math.abs(one) > 1e-9);
      const ticks = ticksOf(sensible.map((one) => ({ label: '', value: one })));
      const slack = 1e-9 * Math.max(1, ...sensible.map(Math.abs));
      expect(ticks.length).toBeGreaterThan(1);
      expect(ticks.length).toBeLessThan(13);
      for (const one of [0, ...sensible]) {
        expect(ticks[0]).toBeLessThanOrEqual(one + slack);
        expect(ticks.at(-1)).toBeGreaterThanOrEqual(one - slack);
      }
    }),
  );
});

test('what is not drawn is said', () => {
  expect([chartNote(3, 3, 0), chartNote(200, 1_500, 0), chartNote(3, 3, 1), chartNote(200, 201, 2)]).toEqual([
    '',
    'Only the first 200 of 1,500 rows.',
    '1 row has no number.',
    'Only the first 200 of 201 rows. 2 rows have no number.',
  ]);
});
