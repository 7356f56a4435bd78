import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { MAX_CONFIG_FILE_BYTES } from '@devdb/shared/limits';
import { FixtureProject } from '../../test/helpers/fixture-project.ts';
import type { FileRead, ProjectView } from './project-view.ts';
import { looksUnchanged } from './trace.ts';

const signal = AbortSignal.timeout(30_000);
let project: FixtureProject;
let view: ProjectView;

beforeEach(async () => {
  project = new FixtureProject();
  view = await project.view();
});
afterEach(() => project.remove());

function refused(read: FileRead): string {
  if (read.state !== 'refused') throw new Error(read.state);
  return read.reason;
}

it('reads a file inside, also through a link inside', async () => {
  project.write('a/x', 'text');
  symlinkSync('a', join(project.root, 'b'));
  expect(await view.read('b/x')).toEqual({ state: 'text', text: 'text' });
});

it.each([
  ['a link to a file', 'link'],
  ['a file behind a link to a folder', 'folder/x'],
  ['a way up', '../outside/x'],
])('refuses %s outside', async (_what, file) => {
  writeFileSync(join(project.outside, 'x'), 'secret');
  symlinkSync(join(project.outside, 'x'), join(project.root, 'link'));
  symlinkSync(project.outside, join(project.root, 'folder'));
  expect(refused(await view.read(file))).toContain('leads out of the project');
});

it('reads a file once, however its path is written', async () => {
  project.write('a/x', 'before');
  expect(await view.read('a/x')).toEqual({ state: 'text', text: 'before' });
  project.write('a/x', 'after');
  for (const path of ['a/x', './a/x', 'a/../a/x'])
    expect(await view.read(path)).toEqual({ state: 'text', text: 'before' });
});

it.each([
  ['file', async () => expect(await view.read('src/db/x.ts')).toEqual({ state: 'absent' })],
  ['list', async () => expect(await view.list('src/db', { files: /x/ }, signal)).toEqual({ state: 'absent' })],
])('watches a missing folder for many a %s in it, and notices when it appears', async (_what, ask) => {
  await ask();
  await view.read('src/db/y.ts');
  await view.read('src/z.ts');
  expect(view.traces.map(({ path }) => view.relative(path))).toEqual(['src']);
  expect(looksUnchanged(view.traces)).toBe(true);
  project.write('src/db/x.ts', '');
  expect(looksUnchanged(view.traces)).toBe(false);
});

it('finds a missing file missing behind a link to a folder inside, and reports a link to nothing', async () => {
  project.write('real/x', 'text');
  symlinkSync('real', join(project.root, 'alias'));
  symlinkSync('nothing', join(project.root, 'broken'));
  expect(await view.read('alias/none')).toEqual({ state: 'absent' });
  expect(refused(await view.read('broken'))).toContain('a link to a missing file');
  expect(await view.read('broken/x')).toEqual({ state: 'absent' });
});

it('refuses a file that is not text or is too large, with a reason', async () => {
  project.write('large', 'x'.repeat(MAX_CONFIG_FILE_BYTES + 1));
  project.write('binary', new Uint8Array([65, 0, 66]));
  mkdirSync(join(project.root, 'folder'));
  execFileSync('mkfifo', [join(project.root, 'pipe')]);
  const reasons = await Promise.all(
    ['large', 'binary', 'folder', 'pipe'].map(async (file) => refused(await view.read(file))),
  );
  expect(reasons).toEqual([
    'is larger than 256 KiB, too large for a settings file',
    'is not a text file',
    'is a folder',
    'is not a regular file',
  ]);
});

it('reads UTF-16 as Windows shells write it, and drops byte order marks', async () => {
  project.write('wide', Buffer.from('\uFEFFA=ü', 'utf16le'));
  project.write('marked', '\uFEFFA=ü');
  expect(await view.read('wide')).toEqual({ state: 'text', text: 'A=ü' });
  expect(await view.read('marked')).toEqual({ state: 'text', text: 'A=ü' });
});

it('does not touch network paths', async () => {
  const path = '\\\\host\\share\\x.db';
  expect(await view.locate(path)).toEqual({ file: path, exists: false, inside: false });
  expect(view.traces).toEqual([]);
});

it('reports that a huge folder was not read to its end', async () => {
  for (let i = 0; i <= 20_000; i += 1) writeFileSync(join(project.root, String(i)), '');
  const listing = await view.list('', { files: /^none$/ }, AbortSignal.timeout(30_000));
  expect(listing).toEqual({ state: 'listed', items: [], cut: true });
});
