import { existsSync } from 'node:fs';
import { ownTemporaryFolder } from './temporary-folder.ts';

it('gives each process on Windows its own folder, and removes it', () => {
  const [one, other] = [ownTemporaryFolder('win32'), ownTemporaryFolder('win32')];
  const folder = one?.env['TEMP'] ?? '';
  expect(existsSync(folder)).toBe(true);
  expect(one?.env['TMP']).toBe(folder);
  expect(other?.env['TEMP']).not.toBe(folder);
  one?.remove();
  other?.remove();
  expect(existsSync(folder)).toBe(false);
});

it('needs none where descriptors suffice', () => {
  expect(ownTemporaryFolder('linux')).toBeUndefined();
  expect(ownTemporaryFolder('darwin')).toBeUndefined();
});
