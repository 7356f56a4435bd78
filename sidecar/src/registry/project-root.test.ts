import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, posix } from 'node:path';
import * as fc from 'fast-check';
import { canonicalRoot, lexicalRoot } from './project-root.ts';

let dir = '';

beforeAll(() => {
  dir = realpathSync(mkdtempSync(join(tmpdir(), 'devdb-root-')));
  mkdirSync(join(dir, 'a', 'b c', 'äöü 日本'), { recursive: true });
  symlinkSync(join(dir, 'a'), join(dir, 'link'));
  symlinkSync(join(dir, 'loop'), join(dir, 'loop'));
  symlinkSync(join(dir, 'nowhere'), join(dir, 'dangling'));
});

afterAll(() => rmSync(dir, { recursive: true, force: true }));

test.each([
  ['itself', 'a', 'a'],
  ['a trailing slash', 'a/', 'a'],
  ['several slashes', 'a///b c//', 'a/b c'],
  ['dots', './a/./b c/..', 'a'],
  ['a way through what does not exist', 'a/missing/..', 'a'],
  ['a symlink', 'link', 'a'],
  ['a folder below a symlink', 'link/b c', 'a/b c'],
  ['other letters', 'a/b c/äöü 日本', 'a/b c/äöü 日本'],
])('a root given with %s is the same root', (_how, given, root) => {
  expect(canonicalRoot(`${dir}/${given}`)).toEqual({ ok: true, root: join(dir, root) });
});

test.each(['', '.', '..', 'a', './a', '~', '~/a', 'C:\\projects\\a', 'file:///a', '\\\\server\\share'])(
  '%j is relative',
  (path) => {
    expect(canonicalRoot(path)).toEqual({ ok: false, why: 'relative' });
  },
);

test.each([
  ['nothing is there', () => join(dir, 'absent')],
  ['a link points nowhere', () => join(dir, 'dangling')],
  ['a link points at itself', () => join(dir, 'loop')],
  ['it has a NUL byte', () => `${dir}/a\0`],
  ['it is longer than the system allows', () => `${dir}/${'x'.repeat(100_000)}`],
  ['it goes through a file', () => join(dir, 'file', 'a')],
  ['its name is not UTF-8, and longer in UTF-8 than a name may be', linkToLongName],
])('a root is missing when %s', (_why, path) => {
  writeFileSync(join(dir, 'file'), '');
  expect(canonicalRoot(path())).toEqual({ ok: false, why: 'missing' });
});

function linkToLongName(): string {
  const bad = Buffer.concat([Buffer.from(`${dir}/`), Buffer.alloc(200, 0xff)]);
  mkdirSync(bad);
  symlinkSync(bad, join(dir, 'to-long'));
  return join(dir, 'to-long');
}

test('a name that is not UTF-8 never means another folder', () => {
  const bad = Buffer.concat([Buffer.from(`${dir}/`), Buffer.from([0xff])]);
  mkdirSync(bad);
  symlinkSync(bad, join(dir, 'to-bad'));
  expect(canonicalRoot(join(dir, 'to-bad'))).toEqual({ ok: false, why: 'missing' });
  mkdirSync(join(dir, '\ufffd'));
  expect(canonicalRoot(join(dir, 'to-bad'))).toEqual({ ok: false, why: 'missing' });
  expect(canonicalRoot(join(dir, '\ufffd'))).toEqual({ ok: true, root: join(dir, '\ufffd') });
});

test('any string gives an answer, and a root maps to itself', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string({ unit: 'binary' }),
        fc.string().map((text) => `/${text}`),
      ),
      (path) => {
        const found = canonicalRoot(path);
        if (found.ok) expect(canonicalRoot(found.root)).toEqual(found);
        else expect(found.why).toBe(posix.isAbsolute(path) ? 'missing' : 'relative');
      },
    ),
  );
});

test('steps that cancel out change nothing', () => {
  const step = fc.constantFrom('/.', '//', '/x/..', '/b c/..', '/ä/../.');
  fc.assert(
    fc.property(fc.array(step), (steps) => {
      expect(canonicalRoot(`${dir}/a${steps.join('')}`)).toEqual({ ok: true, root: join(dir, 'a') });
    }),
  );
});

describe('on Windows', () => {
  test.each([
    ['c:\\Projects\\a', 'C:\\Projects\\a'],
    ['C:/Projects/a/', 'C:\\Projects\\a'],
    ['c:\\Projects\\missing\\..\\a\\', 'C:\\Projects\\a'],
    ['c:\\', 'C:\\'],
    ['\\\\server\\share\\a\\', '\\\\server\\share\\a'],
    ['\\\\server\\share', '\\\\server\\share'],
  ])('%s is written %s', (given, written) => {
    expect(lexicalRoot(given, 'win32')).toBe(written);
  });

  test.each(['', 'a', '\\a', '/a', 'c:', 'c:a', '..\\a'])('%j is relative', (path) => {
    expect(lexicalRoot(path, 'win32')).toBeUndefined();
  });
});
