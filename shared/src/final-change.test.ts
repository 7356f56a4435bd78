import * as fc from 'fast-check';
import { AppError, toWire } from './errors.ts';
import { FINAL_REASONS, type FinalChange, finalChange, isAgreed } from './final-change.ts';
import { finalChangeOf } from './final-change-schema.ts';
import { fromWire } from './wire-error.ts';

const changes = fc.oneof(
  fc.record({ file: fc.string(), because: fc.uniqueArray(fc.constantFrom(...FINAL_REASONS), { minLength: 1 }) }),
  fc.record({ title: fc.string(), statement: fc.string() }),
);

test('a refused change is known at the other end of the pipe, and is the one that was agreed to', () => {
  fc.assert(
    fc.property(changes, (change) => {
      const known = finalChangeOf(fromWire(toWire(finalChange(change))));
      expect(known).toEqual(change);
      expect(isAgreed(change, known)).toBe(true);
    }),
  );
});

test('a yes to one change does not count for another, whatever its texts are', () => {
  fc.assert(
    fc.property(changes, changes, (one, other) => {
      const isSame = JSON.stringify(sorted(one)) === JSON.stringify(sorted(other));
      expect(isAgreed(one, other)).toBe(isSame);
      expect(isAgreed(one, undefined)).toBe(false);
    }),
  );
});

test('other errors, and one whose details are of another shape, are no changes', () => {
  expect(finalChangeOf(new AppError('E_CONFIRMATION_REQUIRED', 'x', { hint: 'y' }))).toBeUndefined();
  const details = { final: { file: 'a', because: ['unsaved'] } };
  expect(finalChangeOf(new AppError('E_EDIT_FAILED', 'x', { hint: 'y', details }))).toBeUndefined();
  const strange = { final: { file: 'a', because: [] } };
  expect(finalChangeOf(new AppError('E_CONFIRMATION_REQUIRED', 'x', { hint: 'y', details: strange }))).toBeUndefined();
});

function sorted(change: FinalChange): unknown {
  return 'file' in change ? [change.file, [...change.because].sort()] : { ...change };
}
