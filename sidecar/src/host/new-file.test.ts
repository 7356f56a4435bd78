import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
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

test('has no file under its name before it is complete', async () => {
  const file = await createNewFile(root, 'rows.csv', '.csv');
  await file.append(Buffer.from('part'));
  expect(existsSync(join(root, 'rows.csv'))).toBe(false);
  expect(readdirSync(root)).toEqual([expect.stringMatching(/^\.rows\.csv\.devdb-.*\.part$/)]);
  await file.close();
  expect(readdirSync(root)).toEqual(['rows.csv']);
  expect(statSync(join(root, 'rows.csv')).nlink).toBe(1);
});

test('never takes a name that another process took during the write', async () => {
  const file = await createNewFile(root, 'rows.csv', '.csv');
  await file.append(Buffer.from('ours'));
  writeFileSync(join(root, 'rows.csv'), 'theirs');
  await expect(file.close()).rejects.toMatchObject({ code: 'E_INVALID_PARAMS' });
  await file.discard();
  expect(readFileSync(join(root, 'rows.csv'), 'utf8')).toBe('theirs');
  expect(readdirSync(root)).toEqual(['rows.csv']);
});

test('lets one of many have the name', async () => {
  const files = await Promise.all(Array.from({ length: 8 }, () => createNewFile(root, 'rows.csv', '.csv')));
  await Promise.all(files.map((file, i) => file.append(Buffer.from(`${i}`))));
  const ends = await Promise.allSettled(files.map((file) => file.close()));
  const winners = ends.flatMap(({ status }, i) => (status === 'fulfilled' ? [i] : []));
  await Promise.all(files.filter((_, i) => !winners.includes(i)).map((file) => file.discard()));
  expect(winners).toHaveLength(1);
  expect(readFileSync(join(root, 'rows.csv'), 'utf8')).toBe(`${winners[0]}`);
  expect(readdirSync(root)).toEqual(['rows.csv']);
});

test('refuses to give the name in a folder that was swapped for a link meanwhile', async () => {
  mkdirSync(join(root, 'out'));
  const file = await createNewFile(root, 'out/rows.csv', '.csv');
  renameSync(join(root, 'out'), join(root, 'moved'));
  cpSync(join(root, 'moved'), join(elsewhere, 'x'), { recursive: true });
  symlinkSync(join(elsewhere, 'x'), join(root, 'out'));
  await expect(file.close()).rejects.toMatchObject({ code: 'E_OUTSIDE_PROJECT' });
  expect(existsSync(join(elsewhere, 'x', 'rows.csv'))).toBe(false);
  await file.discard();
});

test('removes what a dead process has left in the folder, and what is too old to be in use; nothing else', async () => {
  const file = await createNewFile(root, 'rows.csv', '.csv');
  const [mine = ''] = readdirSync(root);
  const { pid = 0 } = spawnSync(process.execPath, ['-e', '0']);
  const dead = mine.replace(`-${process.pid}-`, `-${pid}-`);
  const foreign = mine.replace(/devdb-[0-9a-f]{8}-\d+/, `devdb-00000000-${pid}`);
  const old = foreign.replace('rows', 'old');
  const others = ['.rows.csv.part', `${dead}.bak`, foreign];
  for (const name of [dead, old, ...others]) writeFileSync(join(root, name), 'half');
  utimesSync(join(root, old), 1, 1);
  await (await createNewFile(root, 'more.csv', '.csv')).close();
  expect(readdirSync(root).sort()).toEqual([mine, 'more.csv', ...others].sort());
  await file.discard();
});

test('never overwrites', async () => {
  writeFileSync(join(root, 'a.csv'), 'mine');
  await expect(createNewFile(root, 'a.csv', '.csv')).rejects.toMatchObject({ code: 'E_INVALID_PARAMS' });
  expect(readFileSync(join(root, 'a.csv'), 'utf8')).toBe('mine');
});

test('refuses a link as the file and a folder link that leads out, even a dangling one', async () => {
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

test('a folder link inside the project is not a way into a dot folder', async () => {
  mkdirSync(join(root, '.git'));
  symlinkSync(join(root, '.git'), join(root, 'plain'));
  await expect(createNewFile(root, 'plain/a.csv', '.csv')).rejects.toMatchObject({ code: 'E_OUTSIDE_PROJECT' });
});

test.each([['a.txt'], ['a.csv.sh'], ['csv']])('refuses the ending of %s', async (path) => {
  await expect(createNewFile(root, path, '.csv')).rejects.toMatchObject({ code: 'E_INVALID_PARAMS' });
});

test.each([['file/a.csv'], ['file/deep/a.csv']])('reports that a file is in the way of %s', async (path) => {
  writeFileSync(join(root, 'file'), 'mine');
  const error = await createNewFile(root, path, '.csv').catch((reason: unknown) => reason);
  expect(error).toMatchObject({
    code: 'E_INVALID_PARAMS',
    message: expect.stringMatching(/^path cannot be written \(E\w+\)/),
    hint: expect.stringContaining('folder'),
  });
  expect(readFileSync(join(root, 'file'), 'utf8')).toBe('mine');
});

test('reports why a chunk cannot be written', async () => {
  const file = await createNewFile(root, 'a.csv', '.csv');
  await file.close();
  await expect(file.append(Buffer.from('a'))).rejects.toMatchObject({
    code: 'E_INVALID_PARAMS',
    message: expect.stringContaining('(EBADF)'),
  });
});

test('for any path, nothing appears outside the project', async () => {
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
