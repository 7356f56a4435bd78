import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isFreeOfLinks, readExactly, replaceIfSame, targetWithin } from './replace-file.ts';

let dir = '';
const file = () => join(dir, 'config.json');
const NEW = { newMode: 0o600 };

beforeEach(() => {
  dir = realpathSync(mkdtempSync(join(tmpdir(), 'devdb-replace-')));
});

afterEach(() => rmSync(dir, { recursive: true, force: true }));

test('a file that somebody changed meanwhile is left to them, and no other file remains', () => {
  writeFileSync(file(), 'theirs');
  expect(replaceIfSame(file(), 'what was read', 'ours', NEW)).toBe(false);
  expect(replaceIfSame(file(), undefined, 'ours', NEW)).toBe(false);
  expect(readFileSync(file(), 'utf8')).toBe('theirs');
  expect(readdirSync(dir)).toEqual(['config.json']);
});

test('a file deleted meanwhile does not come back', () => {
  expect(replaceIfSame(file(), 'what was read', 'ours', NEW)).toBe(false);
  expect(readdirSync(dir)).toEqual([]);
});

test('a new file has its mode, an existing one keeps its own whatever the umask', () => {
  expect(replaceIfSame(file(), undefined, 'new', NEW)).toBe(true);
  expect(statSync(file()).mode & 0o777).toBe(0o600);
  chmodSync(file(), 0o666);
  expect(replaceIfSame(file(), 'new', 'newer', NEW)).toBe(true);
  expect(statSync(file()).mode & 0o777).toBe(0o666);
  expect(replaceIfSame(file(), 'newer', 'secret', { ...NEW, maskMode: 0o7700 })).toBe(true);
  expect(statSync(file()).mode & 0o777).toBe(0o600);
});

test('a file keeps its owner, even when root writes it', () => {
  writeFileSync(file(), 'old');
  const isRoot = process.getuid?.() === 0;
  if (isRoot) chownSync(file(), 65_534, 65_534);
  const { uid, gid } = statSync(file());
  expect(replaceIfSame(file(), 'old', 'new', NEW)).toBe(true);
  expect(statSync(file())).toMatchObject({ uid, gid });
});

test('a read-only file is refused, though its folder would allow it', () => {
  writeFileSync(file(), 'old', { mode: 0o444 });
  expect(() => replaceIfSame(file(), 'old', 'new', NEW)).toThrow('it is read-only');
  expect(readFileSync(file(), 'utf8')).toBe('old');
});

test('only text is read', () => {
  expect(readExactly(file())).toBeUndefined();
  writeFileSync(file(), Buffer.from([0xc3, 0x28]));
  expect(() => readExactly(file())).toThrow('it is not UTF-8 text');
  writeFileSync(file(), '\ufeffä');
  expect(readExactly(file())).toBe('\ufeffä');
  mkdirSync(join(dir, 'folder'));
  expect(() => readExactly(join(dir, 'folder'))).toThrow('it is a folder');
});

test('a link is followed to its target inside the folder, and not out of it', () => {
  const [folder, outside] = [join(dir, 'folder'), join(dir, 'outside')];
  for (const path of [folder, outside]) mkdirSync(path);
  writeFileSync(join(outside, 'theirs'), 'theirs');
  writeFileSync(join(folder, 'mine'), 'mine');
  const link = join(folder, 'link');
  const to = (target: string) => {
    rmSync(link, { force: true });
    symlinkSync(target, link);
    return targetWithin([folder], link);
  };
  expect(to('mine')).toEqual({ file: join(folder, 'mine') });
  expect(to('absent')).toEqual({ file: undefined, reason: 'it is a link to a missing file' });
  for (const target of ['../outside/theirs', join(outside, 'theirs'), `../folder/../outside/theirs`, '../outside'])
    expect(to(target)).toEqual({ file: undefined, reason: `it is a link that leads out of ${folder}` });
  expect(to('link')).toEqual({ file: undefined, reason: 'it is a link to a missing file' });
  expect(targetWithin([folder], join(folder, 'absent'))).toEqual({ file: join(folder, 'absent') });
  // The path of the folder itself may contain links; a folder whose name only starts the same is a different one.
  symlinkSync(folder, join(dir, 'way'));
  expect(targetWithin([folder], join(dir, 'way', 'mine'))).toEqual({ file: join(folder, 'mine') });
  mkdirSync(join(dir, 'folder2'));
  writeFileSync(join(dir, 'folder2', 'x'), '');
  expect(to('../folder2/x').file).toBeUndefined();
});

test('a link that replaced the file, or its folder, is neither read nor written through', () => {
  const [folder, outside] = [join(dir, 'folder'), join(dir, 'outside')];
  for (const path of [folder, outside]) {
    mkdirSync(path);
    writeFileSync(join(path, 'config.json'), 'text');
  }
  const path = join(folder, 'config.json');
  rmSync(path);
  symlinkSync(join(outside, 'config.json'), path);
  expect(isFreeOfLinks(path)).toBe(false);
  expect(() => readExactly(path)).toThrow('it is a link');
  expect(() => replaceIfSame(path, 'text', 'ours', NEW)).toThrow('a link took its place');
  renameSync(folder, join(dir, 'gone'));
  symlinkSync(outside, folder);
  expect(isFreeOfLinks(path)).toBe(false);
  expect(() => replaceIfSame(path, 'text', 'ours', NEW)).toThrow('a link took its place');
  expect(readFileSync(join(outside, 'config.json'), 'utf8')).toBe('text');
  expect(readdirSync(outside)).toEqual(['config.json']);
});

test('a file that is too large, a pipe and a device are not read', () => {
  writeFileSync(file(), 'four');
  expect(readExactly(file(), 4)).toBe('four');
  expect(() => readExactly(file(), 3)).toThrow('it is larger than');
  execFileSync('mkfifo', [join(dir, 'pipe')]);
  expect(() => readExactly(join(dir, 'pipe'))).toThrow('it is not a regular file');
  expect(() => readExactly('/dev/zero')).toThrow('it is not a regular file');
  expect(() => readExactly('/proc/self/cmdline', 3)).toThrow('it is larger than');
});
