import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ChangingFile } from './changing-file.ts';

let dir = '';
let reads = 0;
const path = () => join(dir, 'ports.json');

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'devdb-changing-'));
  reads = 0;
});

afterEach(() => {
  jest.useRealTimers();
  rmSync(dir, { recursive: true, force: true });
});

function opened(): ChangingFile<unknown> {
  const read = (): unknown => {
    reads += 1;
    return JSON.parse(readFileSync(path(), 'utf8'));
  };
  return new ChangingFile(path(), { read, absent: 'absent' });
}

/** As the files of the home are written. */
function replace(text: string): void {
  writeFileSync(`${path()}.new`, text);
  renameSync(`${path()}.new`, path());
}

/** Only an old file can be told apart from one that is about to change again. */
function aMinuteLater(): void {
  jest.useFakeTimers({ now: Date.now() + 60_000, doNotFake: ['performance'] });
}

it('sees each of many changes that follow at once, although the size stays', () => {
  const file = opened();
  for (let n = 100; n < 400; n += 1) {
    replace(String(n));
    expect([file.current(), file.current()]).toEqual([n, n]);
  }
});

it('is read once while it does not change, and again after each change', () => {
  const file = opened();
  replace('1');
  aMinuteLater();
  expect([file.current(), file.current(), file.current(), reads]).toEqual([1, 1, 1, 1]);
  replace('2');
  expect([file.current(), file.current(), reads]).toEqual([2, 2, 2]);
  writeFileSync(path(), ' 3');
  expect([file.current(), reads]).toEqual([3, 3]);
});

it('is gone when it is gone, and back when it is back', () => {
  const file = opened();
  expect([file.current(), reads]).toEqual(['absent', 0]);
  replace('1');
  aMinuteLater();
  expect(file.current()).toBe(1);
  rmSync(path());
  expect(file.current()).toBe('absent');
  replace('1');
  expect([file.current(), reads]).toEqual([1, 2]);
});

it('fails as often as it is read while it is damaged, and never tells what it said before', () => {
  const file = opened();
  replace('1');
  aMinuteLater();
  expect(file.current()).toBe(1);
  replace('{');
  for (const _again of [1, 2]) expect(() => file.current()).toThrow(SyntaxError);
  replace('2');
  expect(file.current()).toBe(2);
});
