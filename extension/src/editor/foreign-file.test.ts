import { execFileSync } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readProjectFile } from './foreign-file.ts';

let root: string;

beforeAll(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'devdb-foreign-')));
  writeFileSync(join(root, 'a.txt'), 'text');
  writeFileSync(join(root, 'large.txt'), Buffer.alloc(2_000, 'x'));
  symlinkSync(join(root, 'a.txt'), join(root, 'link'));
  execFileSync('mkfifo', [join(root, 'pipe')]);
});
afterAll(() => rmSync(root, { recursive: true }));

const read = (name: string, signal = new AbortController().signal) =>
  readProjectFile({ absolute: join(root, name), relative: name }, 1_000, signal);

test('the bytes of a file', async () => {
  expect((await read('a.txt')).toString()).toBe('text');
});

test.each(['pipe', 'link', 'nosuch', '.'])('%s cannot be opened, and nothing waits for it', async (name) => {
  await expect(read(name)).rejects.toMatchObject({
    code: 'E_FILE_NOT_FOUND',
    message: "file doesn't exist or can't be opened",
  });
});

test('a file over the limit is refused', async () => {
  await expect(read('large.txt')).rejects.toMatchObject({ code: 'E_FILE_TOO_LARGE' });
});

test('a call that has ended reads no more', async () => {
  await expect(read('a.txt', AbortSignal.abort(new Error('over')))).rejects.toThrow('over');
});
