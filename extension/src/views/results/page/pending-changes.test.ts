import fc from 'fast-check';
import { PendingChanges, type RowId } from './pending-changes.ts';

const row = (place: number): RowId => ({ kind: 'row', place });

test('edits of one row are one change; NULL, an empty text and nothing typed are three things', () => {
  const pending = new PendingChanges();
  pending.set(row(7), 1, null);
  pending.set(row(7), 2, '');
  expect(pending.changes()).toEqual([
    {
      kind: 'update',
      row: 7,
      cells: [
        { column: 1, value: null },
        { column: 2, value: '' },
      ],
    },
  ]);
  expect([1, 2, 3].map((column) => pending.typed(row(7), column))).toEqual([null, '', undefined]);
  pending.set(row(7), 1, undefined);
  pending.set(row(7), 2, undefined);
  expect(pending.changes()).toEqual([]);
});

test('a deleted row is not edited as well, and kept again it still has its edits', () => {
  const pending = new PendingChanges();
  pending.set(row(3), 0, 'x');
  pending.toggleDeleted([row(3), row(4)]);
  expect(pending.changes()).toEqual([
    { kind: 'delete', row: 3 },
    { kind: 'delete', row: 4 },
  ]);
  pending.toggleDeleted([row(3), row(4)]);
  expect(pending.changes()).toEqual([{ kind: 'update', row: 3, cells: [{ column: 0, value: 'x' }] }]);
});

test('a new row goes at once when it is deleted, and an undo brings it back with what was typed', () => {
  const pending = new PendingChanges();
  const first = pending.add();
  pending.set(first, 1, 'a');
  pending.add();
  pending.toggleDeleted([first]);
  expect([pending.added, pending.typed(first, 1)]).toEqual([1, undefined]);
  pending.undo();
  expect([pending.added, pending.typed(first, 1)]).toEqual([2, 'a']);
});

test('the changes of one row are taken back alone', () => {
  const pending = new PendingChanges();
  pending.set(row(1), 0, 'x');
  pending.set(row(2), 0, 'y');
  pending.drop(row(1));
  expect(pending.changes()).toMatchObject([{ row: 2 }]);
});

test('what was kept of the changes is restored as it was, in one step', () => {
  const cells = fc.array(fc.tuple(fc.nat(3), fc.option(fc.string())), { minLength: 1, maxLength: 3 });
  fc.assert(
    fc.property(fc.array(cells), fc.array(cells), fc.array(fc.nat(9)), (edited, added, deleted) => {
      const pending = new PendingChanges();
      for (const [place, typed] of edited.entries()) {
        for (const [column, value] of typed) pending.set(row(place), column, value);
      }
      for (const typed of added) {
        const id = pending.add();
        for (const [column, value] of typed) pending.set(id, column, value);
      }
      pending.toggleDeleted([...new Set(deleted)].map(row));
      const other = new PendingChanges();
      other.restore(structuredClone(pending.kept()));
      expect(other.changes()).toEqual(pending.changes());
      other.undo();
      expect(other.changes()).toEqual([]);
    }),
  );
});

test('as many undos as steps lead back to no change, whatever the steps were', () => {
  const step = fc.oneof(
    fc.record({
      kind: fc.constant('set' as const),
      place: fc.nat(3),
      column: fc.nat(2),
      value: fc.option(fc.string()),
    }),
    fc.record({ kind: fc.constant('delete' as const), place: fc.nat(3) }),
    fc.record({ kind: fc.constant('add' as const) }),
    fc.record({ kind: fc.constant('clear' as const) }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 20 }), (steps) => {
      const pending = new PendingChanges();
      const before: string[] = [];
      for (const one of steps) {
        before.push(JSON.stringify(pending.changes()));
        if (one.kind === 'set') pending.set(row(one.place), one.column, one.value);
        else if (one.kind === 'delete') pending.toggleDeleted([row(one.place)]);
        else if (one.kind === 'add') pending.add();
        else pending.clear();
      }
      while (pending.canUndo) {
        pending.undo();
        const now = JSON.stringify(pending.changes());
        while (before.length > 0 && before[before.length - 1] !== now) before.pop();
        expect(before.length).toBeGreaterThan(0);
      }
      expect(pending.changes()).toEqual([]);
    }),
  );
});
