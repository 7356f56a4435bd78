import { AppError } from '@devdb/shared/errors';
import { type Applied, withApplied } from './applied.ts';

const said = (message: string, applied: Applied) =>
  String(withApplied(new AppError('E_EDIT_FAILED', message), applied));

test('a sentence is followed by what became of the change', () => {
  expect(said('It failed.', false)).toBe('AppError: It failed. Nothing was changed.');
  expect(said('It failed.', true)).toBe('AppError: It failed. The change was made before that.');
});

test('a literal sentence stays as it is where nothing was changed', () => {
  expect(said('no active editor', false)).toBe('AppError: no active editor');
  expect(said('no active editor', 'unknown')).toMatch(/no active editor\. Whether the change was made is not known/);
});
