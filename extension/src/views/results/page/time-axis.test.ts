import fc from 'fast-check';
import { hasOffsets, isTime, momentOf, timeTicks } from './time-axis.ts';

test.each([
  ['2026-01-02', '2026-01-02T00:00:00.000Z'],
  ['2026-01-02 03:04', '2026-01-02T03:04:00.000Z'],
  ['2026-01-02 03:04:05.678901', '2026-01-02T03:04:05.678Z'],
  ['2026-01-02T03:04:05Z', '2026-01-02T03:04:05.000Z'],
  ['2026-01-02 03:04:05+02', '2026-01-02T01:04:05.000Z'],
  ['2026-01-02 03:04:05 -0530', '2026-01-02T08:34:05.000Z'],
  ['0044-03-15', '0044-03-15T00:00:00.000Z'],
  ['2024-02-29', '2024-02-29T00:00:00.000Z'],
])('%s is a moment', (text, iso) => {
  expect(new Date(Math.floor(momentOf(text) ?? Number.NaN)).toISOString()).toBe(iso);
});

test.each(['2026', '2026-02-30', '2026-13-01', '2026-01-02 25:00', '12:00:00', 'x 2026-01-02', '', 7, null, true])(
  '%j is none',
  (cell) => {
    expect(momentOf(cell)).toBeUndefined();
  },
);

test('a column with two moments or more and nothing else but NULL has a time axis', () => {
  expect(isTime([['2026-01-01'], [null], ['2026-01-03']], 0)).toBe(true);
  for (const cells of [['2026-01-01'], ['2026-01-01', '2026-01-01'], ['2026-01-01', 'soon'], [null, null], []]) {
    expect(
      isTime(
        cells.map((cell) => [cell]),
        0,
      ),
    ).toBe(false);
  }
});

test('only times with an offset are shown in UTC', () => {
  expect(hasOffsets([['2026-01-01 10:00:00+02']], 0)).toBe(true);
  expect(hasOffsets([['2026-01-01'], ['2026-01-01 10:00:00'], [null]], 0)).toBe(false);
});

test.each([
  ['2026-01-01', '2026-01-03', ['01-01 00:00', '12:00', '01-02 00:00', '12:00', '01-03 00:00']],
  ['2026-01-01', '2026-01-31', ['2026-01-05', '2026-01-12', '2026-01-19', '2026-01-26']],
  ['2026-01-01', '2026-06-15', ['2026-01', '2026-02', '2026-03', '2026-04', '2026-05', '2026-06']],
  ['2019-05-01', '2024-02-01', ['2020', '2021', '2022', '2023', '2024']],
  [
    '2026-01-01 10:00:00',
    '2026-01-01 10:00:02',
    ['10:00:00.000', '10:00:00.500', '10:00:01.000', '10:00:01.500', '10:00:02.000'],
  ],
])('from %s to %s the axis says what changes', (from, to, labels) => {
  expect(timeTicks(momentOf(from) ?? 0, momentOf(to) ?? 0).map(({ label }) => label)).toEqual(labels);
});

test('an axis has a few marks, in order and within its ends, however short or long it is', () => {
  const year = 366 * 24 * 3_600_000;
  const first = fc.integer({ min: 0, max: 60 * year });
  const span = fc.oneof(fc.integer({ min: 1, max: 100_000 }), fc.integer({ min: 1, max: 7_000 * year }));
  fc.assert(
    fc.property(first, span, (from, length) => {
      const ticks = timeTicks(from, from + length).map(({ at }) => at);
      expect(ticks.length).toBeLessThan(8);
      for (const [at, tick] of ticks.entries()) {
        expect(tick).toBeGreaterThanOrEqual(ticks[at - 1] ?? from);
        expect(tick).toBeLessThanOrEqual(from + length);
      }
    }),
  );
});
