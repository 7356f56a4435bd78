import { ROW_HEIGHT } from './limits.ts';
import { RowAxis } from './row-axis.ts';

const HEIGHT = 10 * ROW_HEIGHT;

function axisAt(top: number, count = 1_000_000, height = HEIGHT): RowAxis {
  const axis = new RowAxis(() => ({ top, height }));
  axis.count = count;
  return axis;
}
const places = (axis: RowAxis) => axis.shown.map(({ index }) => index);

test('shows the rows of its window and a few around them, and none that are not there', () => {
  const at = places(axisAt(500 * ROW_HEIGHT));
  // The head covers one of the ten.
  expect(at.slice(6, -6)).toEqual([499, 500, 501, 502, 503, 504, 505, 506, 507, 508, 509]);
  expect(places(axisAt(0)).slice(0, 3)).toEqual([0, 1, 2]);
  expect(places(axisAt(0, 2))).toEqual([0, 1]);
  expect(places(axisAt(999_991 * ROW_HEIGHT)).at(-1)).toBe(999_999);
  expect(places(axisAt(0, 5, 0))).toEqual([]);
  expect(places(axisAt(0, 0))).toEqual([]);
});

test('has room for the head and every row', () => {
  expect(axisAt(0, 3).height).toBe(4 * ROW_HEIGHT);
  expect(axisAt(0, 3).shown.map(({ start }) => start)).toEqual([ROW_HEIGHT, 2 * ROW_HEIGHT, 3 * ROW_HEIGHT]);
});

test('moves as little as it has to for a row to be seen whole, below the head', () => {
  const axis = axisAt(100 * ROW_HEIGHT);
  expect(axis.topFor(105)).toBe(100 * ROW_HEIGHT);
  expect(axis.topFor(100)).toBe(100 * ROW_HEIGHT);
  expect(axis.topFor(99)).toBe(99 * ROW_HEIGHT);
  expect(axis.topFor(0)).toBe(0);
  expect(axis.topFor(108)).toBe(100 * ROW_HEIGHT);
  expect(axis.topFor(109)).toBe(101 * ROW_HEIGHT);
  expect(axis.topFor(999_999)).toBe(999_991 * ROW_HEIGHT);
});
