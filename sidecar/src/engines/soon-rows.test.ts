import { ROWS_SOON_MS } from './limits.ts';
import { SoonRows } from './soon-rows.ts';

/** Of rows that come at these times, those after which everything is passed on. */
function dueAfter(times: readonly number[]): number[] {
  let now = 0;
  const soon = new SoonRows(() => now);
  return times.flatMap((time, at) => {
    now = time;
    return soon.isDue() ? [at + 1] : [];
  });
}

test('rows that come at once are passed on at the first, and each time their number has doubled', () => {
  expect(dueAfter(Array.from({ length: 40 }, () => 0))).toEqual([1, 2, 4, 8, 16, 32]);
});

test('rows that come slowly are passed on one by one, however many there are', () => {
  const quick = Array.from({ length: 100 }, () => 0);
  const slow = Array.from({ length: 5 }, (_, at) => (at + 1) * ROWS_SOON_MS);
  expect(dueAfter([...quick, ...slow]).filter((row) => row > 100)).toEqual([101, 102, 103, 104, 105]);
});
