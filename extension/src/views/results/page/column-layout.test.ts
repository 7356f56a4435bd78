import { ColumnLayout } from './column-layout.ts';

test('pinned columns come first in their own order, and go back to their places', () => {
  const layout = new ColumnLayout(4);
  layout.togglePinned(3);
  layout.togglePinned(1);
  expect([layout.shown, layout.pinned]).toEqual([[1, 3, 0, 2], 2]);
  layout.togglePinned(3);
  expect([layout.shown, layout.pinned]).toEqual([[1, 0, 2, 3], 1]);
});

test('a hidden column is not shown, pinned or not, until all are shown again', () => {
  const layout = new ColumnLayout(3);
  layout.togglePinned(2);
  layout.hide(2);
  layout.hide(0);
  expect([layout.shown, layout.pinned, layout.hidden]).toEqual([[1], 0, 2]);
  layout.showAll();
  expect([layout.shown, layout.pinned, layout.hidden]).toEqual([[2, 0, 1], 1, 0]);
});

test('the last column stays on show', () => {
  const layout = new ColumnLayout(2);
  layout.hide(0);
  layout.hide(1);
  expect(layout.shown).toEqual([1]);
});
