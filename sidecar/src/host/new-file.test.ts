import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { createNewFile } from './new-file.ts';

let root = '';
let elsewhere = '';

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'devdb-new-file-')));
  elsewhere = realpathSync(mkdtempSync(join(tmpdir(), 'devdb-elsewhere-')));
});

afterEach(() => {
  rmSync(root, { recursive: true, force: true });
  rmSync(elsewhere, { recursive: true, force: true });
});

test('writes a new file, making the folders on the way', async () => {
  const file = await createNewFile(root, 'exports/2026/rows.csv', '.csv');
  await file.append(Buffer.from('a,b\n'));
  await file.append(Buffer.from('1,2\n'));
  await file.close();
  expect(file.relativePath).toBe('exports/2026/rows.csv');
  expect(readFileSync(join(root, 'exports/2026/rows.csv'), 'utf8')).toBe('a,b\n1,2\n');
});

test('takes an absolute path inside the project', async () => {
  const file = await createNewFile(root, join(root, 'a.csv'), '.csv');
  await file.close();
  expect(file.relativePath).toBe('a.csv');
});

test('discard leaves neither the file nor the folders it made', async () => {
  mkdirSync(join(root, 'kept'));
  const file = await createNewFile(root, 'kept/new/deep/rows.csv', '.csv');
  await file.append(Buffer.from('partial'));
  await file.discard();
  expect(existsSync(join(root, 'kept'))).toBe(true);
  expect(existsSync(join(root, 'kept/new'))).toBe(false);
});

test('never overwrites', async () => {
  writeFileSync(join(root, 'a.csv'), 'mine');
  await expect(createNewFile(root, 'a.csv', '.csv')).rejects.toMatchObject({ code: 'E_INVALID_PARAMS' });
  expect(readFileSync(join(root, 'a.csv'), 'utf8')).toBe('mine');
});

test('refuses a link as the file and a folder link that leads out, also a dangling one', async () => {
  symlinkSync(join(elsewhere, 'target.csv'), join(root, 'link.csv'));
  symlinkSync(elsewhere, join(root, 'out'));
  symlinkSync(join(elsewhere, 'absent'), join(root, 'dangling'));
  await expect(createNewFile(root, 'link.csv', '.csv')).rejects.toMatchObject({ code: 'E_INVALID_PARAMS' });
  await expect(createNewFile(root, 'out/a.csv', '.csv')).rejects.toMatchObject({ code: 'E_OUTSIDE_PROJECT' });
  await expect(createNewFile(root, 'dangling/a.csv', '.csv')).rejects.toMatchObject({ code: 'E_OUTSIDE_PROJECT' });
  expect(existsSync(join(elsewhere, 'target.csv'))).toBe(false);
  expect(existsSync(join(elsewhere, 'absent'))).toBe(false);
});

test.each([['../a.csv'], ['a/../../a.csv'], ['/etc/a.csv'], ['.git/a.csv'], ['.env.csv'], ['a/.hidden/b.csv'], ['..']])(
  'refuses %s',
  async (path) => {
    await expect(createNewFile(root, path, '.csv')).rejects.toMatchObject({ code: 'E_OUTSIDE_PROJECT' });
  },
);

test('a folder link inside the project cannot be a way into a dot folder', async () => {
  mkdirSync(join(root, '.git'));
  symlinkSync(join(root, '.git'), join(root, 'plain'));
  await expect(createNewFile(root, 'plain/a.csv', '.csv')).rejects.toMatchObject({ code: 'E_OUTSIDE_PROJECT' });
});

test.each([['a.txt'], ['a.csv.sh'], ['csv']])('refuses the ending of %s', async (path) => {
  await expect(createNewFile(root, path, '.csv')).rejects.toMatchObject({ code: 'E_INVALID_PARAMS' });
});

test.each([['file/a.csv'], ['file/deep/a.csv']])('says of %s that a file stands in the way', async (path) => {
  writeFileSync(join(root, 'file'), 'mine');
  const error = await createNewFile(root, path, '.csv').catch((reason: unknown) => reason);
  expect(error).toMatchObject({
    code: 'E_INVALID_PARAMS',
    message: expect.stringMatching(/^path cannot be written \(E\w+\)/),
    hint: expect.stringContaining('folder'),
  });
  expect(readFileSync(join(root, 'file'), 'utf8')).toBe('mine');
});

test('tells why a chunk cannot be written', async () => {
  const file = await createNewFile(root, 'a.csv', '.csv');
  await file.close();
  await expect(file.append(Buffer.from('a'))).rejects.toMatchObject({
    code: 'E_INVALID_PARAMS',
    message: expect.stringContaining('(EBADF)'),
  });
});

test('whatever the path, nothing appears outside the project', async () => {
  const part = fc.oneof(
    fc.constantFrom('..', '.', '', 'a', 'b c', '~', '\0', '/', '\\', 'é'),
    fc.string({ maxLength: 5 }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(part, { maxLength: 6 }), async (parts) => {
      const path = `${parts.join('/')}.csv`;
      try {
        await (await createNewFile(root, path, '.csv')).discard();
      } catch (error) {
        expect(error).toMatchObject({ code: expect.stringMatching(/^E_(OUTSIDE_PROJECT|INVALID_PARAMS)$/) });
      }
      expect(existsSync(join(root, '..', 'a.csv'))).toBe(false);
    }),
    { numRuns: 200 },
  );
});
