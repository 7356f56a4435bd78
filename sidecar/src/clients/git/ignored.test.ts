import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { processorMs } from '../../../../fixtures/labs/processor-time.ts';
import { isIgnoredIn } from './ignored.ts';

let tree = '';
const env = { PATH: process.env['PATH'], GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' };
const git = (args: readonly string[], input = '') =>
  execFileSync('git', [...args], { cwd: tree, env, input, encoding: 'latin1', stdio: 'pipe' });
const gitDir = () => join(tree, '.git');
const isIgnored = (path: string) =>
  isIgnoredIn({ workTree: tree, gitDir: gitDir(), commonDir: gitDir(), hashBytes: 20 }, path);

/** The paths that Git ignores. */
function leftOut(paths: readonly string[]): string[] {
  const asked = paths.map((path) => `./${path}\0`).join('');
  const input = Buffer.from(asked, 'utf8').toString('latin1');
  try {
    const said = git(['check-ignore', '--no-index', '--stdin', '-z'], input);
    return Buffer.from(said, 'latin1')
      .toString('utf8')
      .split('\0')
      .filter(Boolean)
      .map((path) => path.slice(2));
  } catch (error) {
    if (typeof error === 'object' && error !== null && 'status' in error && error.status === 1) return [];
    throw error;
  }
}

function write(path: string, bytes: string): void {
  mkdirSync(dirname(join(tree, path)), { recursive: true });
  writeFileSync(join(tree, path), bytes, 'latin1');
}

function begin(): void {
  tree = realpathSync(mkdtempSync(join(tmpdir(), 'devdb-ignored-')));
  git(['init', '-q']);
}

beforeEach(begin);
afterEach(() => rmSync(tree, { recursive: true, force: true }));

const PATHS = [
  'ba',
  'b.a',
  'a/a',
  'a/ba',
  'a/ab',
  'ab/a',
  'a/b/a',
  'b/a/b',
  'a/ /b',
  'b/ä',
  'ab/a-b/b.a',
  'a/[b]',
  '!a',
];
const pieces = fc.constantFrom(
  ...[
    'a',
    'b',
    'ab',
    '.',
    '-',
    '*',
    '**',
    '***',
    '?',
    '/',
    '/',
    '\\',
    '\\/',
    '!',
    '#',
    ' ',
    '\\ ',
    '[',
    ']',
    '[ab]',
    '[!a]',
  ],
  ...[
    '[^b]',
    '[a-b]',
    '[]a]',
    '[[:alpha:]]',
    '[[:punct:]]',
    '[[:nonsense:]]',
    '[[:al]',
    '[\\a]',
    '\u00c3\u00a4',
    '\u00c3',
    '\r',
  ],
);
const line = fc.array(pieces, { minLength: 1, maxLength: 6 }).map((parts) => parts.join(''));
const file = fc.array(line, { maxLength: 5 }).map((lines) => lines.join('\n'));

it('agrees with Git about any rules in any of the places for rules', () => {
  fc.assert(
    fc.property(file, file, file, (exclude, top, below) => {
      write('.git/info/exclude', exclude);
      write('.gitignore', top);
      write('a/.gitignore', below);
      for (const path of PATHS) mkdirSync(dirname(join(tree, path)), { recursive: true });
      expect(PATHS.filter(isIgnored)).toEqual(leftOut(PATHS));
    }),
    { numRuns: 400 },
  );
});

it.each([
  ['a folder that a deeper file takes in again', { '.gitignore': 'a/b', 'a/.gitignore': '!b' }],
  ['a file in a folder that is left out stays out', { '.gitignore': 'a/\n!a/b' }],
  ['a mark at the beginning', { '.gitignore': '\u00ef\u00bb\u00bfa' }],
  ['a NUL', { '.gitignore': 'a\0b\nb' }],
  ['stars behind plain letters', { '.gitignore': 'a/a**\n!a/b**' }],
])('agrees with Git about %s', (_what, files) => {
  for (const path of PATHS) mkdirSync(dirname(join(tree, path)), { recursive: true });
  for (const [path, text] of Object.entries(files)) write(path, text);
  expect(PATHS.filter(isIgnored)).toEqual(leftOut(PATHS));
});

it('a rule that another letter case would undo does not count, since a disk may ignore case', () => {
  write('.gitignore', 'data\n!DATA\n');
  expect(isIgnored('data')).toBe(false);
  write('.gitignore', 'DATA\n');
  expect(isIgnored('data')).toBe(false);
});

describe('is not certainly ignored', () => {
  it('with a rules file that is a link, a folder, or too large', () => {
    write('.git/info/exclude', '*\n');
    expect(isIgnored('a')).toBe(true);
    symlinkSync('/dev/zero', join(tree, '.gitignore'));
    expect(isIgnored('a')).toBe(false);
    rmSync(join(tree, '.gitignore'));
    mkdirSync(join(tree, '.gitignore'));
    expect(isIgnored('a')).toBe(false);
    rmSync(join(tree, '.gitignore'), { recursive: true });
    write('.gitignore', '#'.repeat(600 * 1024));
    expect(isIgnored('a')).toBe(false);
  });

  it('with rules made to be slow, within seconds', () => {
    const slow = `${'*a'.repeat(2000)}b\n`;
    write('.gitignore', `a\n${slow.repeat(100)}`);
    const began = processorMs();
    expect(isIgnored('a'.repeat(250))).toBe(false);
    expect(isIgnored(`${`${'a'.repeat(250)}/`.repeat(15)}a`)).toBe(false);
    expect(isIgnored('a/'.repeat(2000))).toBe(false);
    expect(processorMs() - began).toBeLessThan(5000);
  });
});
