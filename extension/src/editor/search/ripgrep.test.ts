import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeUnless } from '../../../../fixtures/labs/needs.ts';
import { cachedVsCode } from '../../../../fixtures/labs/vscode/install.ts';
import { FoundPaths } from './found.ts';
import { findRipgrep, runRipgrep } from './ripgrep.ts';
import { listArgs, searchArgs } from './ripgrep-args.ts';

const lab = cachedVsCode();
const appRoot = 'notRun' in lab ? '' : lab.appRoot;

let base: string;
let root: string;

beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'devdb-search-')));
  root = join(base, 'project');
  mkdirSync(join(root, 'src'), { recursive: true });
});
afterEach(() => rmSync(base, { recursive: true }));

function write(file: string, text: string | Buffer): void {
  mkdirSync(join(root, file, '..'), { recursive: true });
  writeFileSync(join(root, file), text);
}

test('a program of that name elsewhere, or one that cannot be run, is not taken', () => {
  expect(findRipgrep(root)).toBeUndefined();
  const bin = join(root, 'node_modules', '@vscode', 'ripgrep', 'bin');
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, 'rg'), '#!/bin/sh\n');
  chmodSync(join(bin, 'rg'), 0o644);
  expect(findRipgrep(root)).toBeUndefined();
});

describeUnless('notRun' in lab ? lab.notRun : undefined, "the editor's ripgrep", () => {
  async function run(args: readonly string[], signal = new AbortController().signal): Promise<string[]> {
    const program = findRipgrep(appRoot);
    if (program === undefined) throw new Error('The editor of the lab brings no ripgrep.');
    const paths = new FoundPaths();
    await runRipgrep({ program, folder: root, args, signal, onPath: paths.add });
    return [...paths.found.paths];
  }

  const search = (text: string, excluded: readonly string[] = []) => run(searchArgs({ root, excluded }, text));

  test.each([
    '--help',
    '-e',
    '--pre=sh',
    '-f/etc/passwd',
    '$(id)',
    'a.c',
    '[x](y)*+?|\\',
    'it\'s "quoted"',
    'größe 文 😀',
    ' ',
  ])('finds %j as it stands, and nothing that only looks like it', async (text) => {
    write('src/has.txt', `before${text}after\n`);
    write('src/other.txt', 'abc\n');
    expect(await search(text)).toEqual(['src/has.txt']);
  });

  test('a text of several lines is found with either line end', async () => {
    write('unix.txt', 'one (1)\ntwo\n');
    write('dos.txt', 'one (1)\r\ntwo\r\n');
    write('other.txt', 'one (1)\nthree\n');
    expect(await search('(1)\ntwo')).toEqual(['dos.txt', 'unix.txt']);
    expect(await search('(1)\r\ntwo')).toEqual(['dos.txt', 'unix.txt']);
  });

  test('.gitignore holds without a repository, and no folder above has a say', async () => {
    writeFileSync(join(base, '.gitignore'), '*\n');
    write('.gitignore', 'dist/\n*.log\n');
    for (const file of ['dist/a.js', 'x.log', 'src/a.js', '.hidden/a.js', '.git/config']) write(file, 'needle');
    expect(await search('needle')).toEqual(['.hidden/a.js', 'src/a.js']);
    expect(await run(listArgs({ root, excluded: ['src', 'bad [glob'] }))).toEqual(['.gitignore', '.hidden/a.js']);
  });

  test('binary files are left out, and names may hold anything', async () => {
    write('data.bin', Buffer.from('needle\0needle'));
    write('with space\nand line.txt', 'needle');
    write('-n.txt', 'needle');
    write('utf16.txt', Buffer.from('\ufeffneedle', 'utf16le'));
    expect(await search('needle')).toEqual(['-n.txt', 'utf16.txt', 'with space\nand line.txt']);
  });

  test('a configuration that the environment names is not read', async () => {
    write('rc', '--pre=false\n--invert-match\n');
    write('a.txt', 'needle\n');
    process.env['RIPGREP_CONFIG_PATH'] = join(root, 'rc');
    try {
      expect(await search('needle')).toEqual(['a.txt']);
    } finally {
      delete process.env['RIPGREP_CONFIG_PATH'];
    }
  });

  test('a search that ended before it began starts nothing, and one that ends in the middle rejects', async () => {
    await expect(run(['--files'], AbortSignal.abort(new Error('over')))).rejects.toThrow('over');
    for (let file = 0; file < 300; file += 1) write(`many/${file}.txt`, 'x');
    const program = findRipgrep(appRoot) ?? '';
    const leaving = new AbortController();
    const running = runRipgrep({
      program,
      folder: root,
      args: listArgs({ root, excluded: [] }),
      signal: leaving.signal,
      onPath: () => {
        leaving.abort(new Error('left'));
        return true;
      },
    });
    await expect(running).rejects.toThrow('left');
  });

  test('enough is enough: the search ends, and that is no failure', async () => {
    for (let file = 0; file < 300; file += 1) write(`many/${file}.txt`, 'x');
    const seen: string[] = [];
    await runRipgrep({
      program: findRipgrep(appRoot) ?? '',
      folder: root,
      args: listArgs({ root, excluded: [] }),
      signal: new AbortController().signal,
      onPath: (path) => seen.push(path) < 5,
    });
    expect(seen).toHaveLength(5);
  });
});
