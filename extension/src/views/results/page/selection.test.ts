import { Selection, spotAfter } from './selection.ts';

const SIZE = { rows: 1_000_000, columns: 3, page: 20 };

test.each([
  ['ArrowDown', false, [6, 1]],
  ['ArrowDown', true, [999_999, 1]],
  ['PageUp', false, [0, 1]],
  ['PageDown', false, [25, 1]],
  ['Home', false, [5, 0]],
  ['Home', true, [0, 0]],
  ['End', false, [5, 2]],
  ['End', true, [999_999, 2]],
] as const)('%s (with Ctrl: %s) goes to %j', (key, isFar, [row, column]) => {
  expect(spotAfter(key, isFar, { row: 5, column: 1 }, SIZE)).toEqual({ row, column });
});

test('no key leaves the grid, and others move nothing', () => {
  expect(spotAfter('ArrowUp', false, { row: 0, column: 0 }, SIZE)).toEqual({ row: 0, column: 0 });
  expect(spotAfter('ArrowRight', false, { row: 0, column: 2 }, SIZE)).toEqual({ row: 0, column: 2 });
  expect(spotAfter('a', false, { row: 0, column: 0 }, SIZE)).toBeUndefined();
});

test('a selection is a rectangle from where it began, in any direction', () => {
  const selection = new Selection();
  selection.move({ row: 5, column: 2 });
  selection.move({ row: 3, column: 1 }, true);
  expect(selection.area).toEqual({ from: 3, count: 3, columns: [1, 2] });
  expect([selection.has({ row: 4, column: 1 }), selection.has({ row: 4, column: 0 })]).toEqual([true, false]);
  selection.all(10, 3);
  expect(selection.area).toEqual({ from: 0, count: 10, columns: [0, 1, 2] });
});
