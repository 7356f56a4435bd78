import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findProgram, forgetProjectPrograms } from './programs.ts';

let dir = '';
const program = (...path: string[]): string => {
  const file = join(dir, ...path);
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, '');
  chmodSync(file, 0o755);
  return file;
};
const path = (...folders: string[]) => ({ PATH: folders.join(':') });

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'devdb-programs-'));
});

afterEach(() => rmSync(dir, { recursive: true, force: true }));

it('is the first executable file of that name in an absolute folder of PATH', () => {
  const [first, second] = [program('a', 'tool'), program('b', 'tool')];
  expect(findProgram('tool', path(join(dir, 'a'), join(dir, 'b')))).toBe(first);
  chmodSync(first, 0o644);
  mkdirSync(join(dir, 'c', 'tool'), { recursive: true });
  expect(findProgram('tool', path(join(dir, 'a'), join(dir, 'c'), join(dir, 'b')))).toBe(second);
  expect(findProgram('other', path(join(dir, 'a')))).toBeUndefined();
  expect(findProgram('tool', {})).toBeUndefined();
});

it("is never found in the working directory, nor among a project's packages", () => {
  program('tool');
  program('node_modules', '.bin', 'tool');
  const before = process.cwd();
  try {
    process.chdir(dir);
    for (const folder of ['', '.', './', 'node_modules/.bin', '../', join(dir, 'node_modules', '.bin')])
      expect([folder, findProgram('tool', path(folder))]).toEqual([folder, undefined]);
  } finally {
    process.chdir(before);
  }
});

it('is an .exe on Windows, whatever the variable is called, and never a batch file', () => {
  const env = { Path: '.;C:relative;bin;C:\\p\\node_modules\\.bin;C:\\tools' };
  const asked: string[] = [];
  const isThere = (file: string) => asked.push(file) > 0;
  expect(findProgram('tool', env, 'win32', isThere)).toBe('C:\\tools\\tool.exe');
  expect(findProgram('tool.cmd', env, 'win32', isThere)).toBe('C:\\tools\\tool.cmd.exe');
  expect(asked).toHaveLength(2);
});

it('the environment of children has only absolute folders, and no options for another Node', () => {
  const env: Record<string, string | undefined> = {
    PATH: `.::/usr/bin:node_modules/.bin:/p/node_modules/.bin:/bin`,
    NODE_OPTIONS: '--require ./x.js',
    HOME: '/h',
  };
  forgetProjectPrograms(env, 'linux');
  expect(env).toEqual({ PATH: '/usr/bin:/bin', HOME: '/h' });
  const windows: Record<string, string | undefined> = { Path: 'bin;C:\\Windows;.' };
  forgetProjectPrograms(windows, 'win32');
  expect(windows).toEqual({ Path: 'C:\\Windows', NoDefaultCurrentDirectoryInExePath: '1' });
});
