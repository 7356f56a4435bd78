import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { folderContent } from './list-folder.ts';
import { existingFolder } from './paths.ts';

let base: string;
let root: string;

beforeAll(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'devdb-list-')));
  root = join(base, 'project');
  mkdirSync(join(root, 'src', 'größe 文'), { recursive: true });
  writeFileSync(join(root, 'src', 'a b.ts'), '');
  writeFileSync(join(base, 'secret'), '');
  symlinkSync(join(root, 'src'), join(root, 'inner'));
  symlinkSync(base, join(root, 'out'));
  symlinkSync(join(base, 'nowhere'), join(root, 'dangling'));
});
afterAll(() => rmSync(base, { recursive: true }));

const list = async (given: string, signal = new AbortController().signal) =>
  (await folderContent(root, existingFolder(root, given), signal)).entries.map(({ path, type }) => `${type} ${path}`);

test.each(['/', '.', './'])('%s is the root; a link is what it leads to, or only a link', async (given) => {
  expect(await list(given)).toEqual(['link dangling', 'directory inner', 'link out', 'directory src']);
});

test('a folder has its entries by name, with paths from the root', async () => {
  expect(await list('src')).toEqual(['file src/a b.ts', 'directory src/größe 文']);
  expect(await list(join(root, 'src'))).toEqual(['file src/a b.ts', 'directory src/größe 文']);
  expect(await list('inner')).toEqual(await list('src'));
});

test.each(['..', 'out', '/etc', '../project/../secret'])('%s is outside', async (given) => {
  await expect(async () => list(given)).rejects.toMatchObject({ code: 'E_OUTSIDE_PROJECT' });
});

test.each(['nosuch', 'src/a b.ts', 'dangling'])('%s is no folder', async (given) => {
  await expect(async () => list(given)).rejects.toMatchObject({ code: 'E_FILE_NOT_FOUND' });
});

test('a project whose folder is gone says so', async () => {
  const gone = join(base, 'gone');
  await expect(async () => existingFolder(gone, '/')).rejects.toMatchObject({ message: 'project dir not found' });
});
