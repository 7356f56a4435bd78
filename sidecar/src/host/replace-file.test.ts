import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isLink, readExactly, replaceIfSame, targetOf } from './replace-file.ts';

let dir = '';
const file = () => join(dir, 'config.json');
const NEW = { newMode: 0o600 };

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'devdb-replace-'));
});

afterEach(() => rmSync(dir, { recursive: true, force: true }));

test('a file that somebody changed meanwhile is left to them, and nothing lies beside it', () => {
  writeFileSync(file(), 'theirs');
  expect(replaceIfSame(file(), 'what was read', 'ours', NEW)).toBe(false);
  expect(replaceIfSame(file(), undefined, 'ours', NEW)).toBe(false);
  expect(readFileSync(file(), 'utf8')).toBe('theirs');
  expect(readdirSync(dir)).toEqual(['config.json']);
});

test('a file that is gone meanwhile does not come back', () => {
  expect(replaceIfSame(file(), 'what was read', 'ours', NEW)).toBe(false);
  expect(readdirSync(dir)).toEqual([]);
});

test('a new file has its mode, one that was there keeps its own whatever the umask', () => {
  expect(replaceIfSame(file(), undefined, 'new', NEW)).toBe(true);
  expect(statSync(file()).mode & 0o777).toBe(0o600);
  chmodSync(file(), 0o666);
  expect(replaceIfSame(file(), 'new', 'newer', NEW)).toBe(true);
  expect(statSync(file()).mode & 0o777).toBe(0o666);
  expect(replaceIfSame(file(), 'newer', 'secret', { ...NEW, maskMode: 0o7700 })).toBe(true);
  expect(statSync(file()).mode & 0o777).toBe(0o600);
});

test('a file keeps its owner, also when root writes it', () => {
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

test('a link leads to its target, and one into nothing nowhere', () => {
  const link = join(dir, 'link');
  symlinkSync(file(), link);
  expect([isLink(link), targetOf(link)]).toEqual([true, undefined]);
  writeFileSync(file(), '');
  expect(targetOf(link)).toBe(targetOf(file()));
  expect([isLink(file()), targetOf(join(dir, 'absent'))]).toEqual([false, join(dir, 'absent')]);
});
