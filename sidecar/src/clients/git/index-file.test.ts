import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { isListed } from './index-file.ts';
import { Undecided } from './undecided.ts';

let tree = '';
const env = { PATH: process.env['PATH'], GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' };
const git = (...args: readonly string[]) =>
  execFileSync('git', ['-c', 'user.name=Ann', '-c', 'user.email=ann@example.com', ...args], {
    cwd: tree,
    env,
    encoding: 'utf8',
    stdio: 'pipe',
  });
const index = () => join(tree, '.git', 'index');
const listed = (path: string, hashBytes = 20) => isListed({ gitDir: join(tree, '.git'), hashBytes }, path);

function write(...paths: readonly string[]): void {
  for (const path of paths) {
    mkdirSync(dirname(join(tree, path)), { recursive: true });
    writeFileSync(join(tree, path), path);
  }
}

beforeEach(() => {
  tree = realpathSync(mkdtempSync(join(tmpdir(), 'devdb-index-')));
});

afterEach(() => rmSync(tree, { recursive: true, force: true }));

const NAMES = ['.mcp.json', 'a', 'a b/c', `${'long/'.repeat(30)}name`, 'é/ü.json', 'sub/.mcp.json', 'sub/.mcp.jso'];
const ABSENT = ['.mcp.jso', 'sub', 'a b', 'sub/.mcp.json2', 'x/.mcp.json', 'mcp.json'];

it('nothing is listed before the first `git add`', () => {
  git('init', '-q');
  expect(listed('.mcp.json')).toBe(false);
});

describe.each(['sha1', 'sha256'] as const)('an index of %s', (format) => {
  const hashBytes = format === 'sha1' ? 20 : 32;

  it.each([2, 3, 4])('of version %i lists what Git lists', (version) => {
    git('init', '-q', `--object-format=${format}`);
    git('config', 'index.version', String(version === 3 ? 2 : version));
    write(...NAMES);
    git('add', '.');
    // Needs a flag that version 2 has no room for.
    if (version === 3) git('update-index', '--skip-worktree', 'a');
    expect(readFileSync(index()).readUInt32BE(4)).toBe(version);
    for (const name of NAMES) expect([name, listed(name, hashBytes)]).toEqual([name, true]);
    for (const name of ABSENT) expect([name, listed(name, hashBytes)]).toEqual([name, false]);
  });
});

it('lists intent-to-add entries and conflicts', () => {
  git('init', '-q');
  write('new', 'both');
  git('add', '--intent-to-add', 'new');
  git('add', 'both');
  git('commit', '-q', '-m', 'first', 'both');
  git('checkout', '-q', '-b', 'other');
  writeFileSync(join(tree, 'both'), 'theirs');
  git('commit', '-q', '-m', 'theirs', 'both');
  git('checkout', '-q', '-');
  writeFileSync(join(tree, 'both'), 'ours');
  git('commit', '-q', '-m', 'ours', 'both');
  expect(() => git('merge', 'other')).toThrow();
  expect([listed('new'), listed('both')]).toEqual([true, true]);
});

it('lists a name in another letter case or Unicode form, which a disk may treat as equal', () => {
  git('init', '-q');
  write('.MCP.json', 'caf\u00e9/x');
  git('add', '.');
  expect([listed('.mcp.json'), listed('cafe\u0301/x')]).toEqual([true, true]);
});

it('reads both parts of a split index, and does not guess when one is missing', () => {
  git('init', '-q');
  git('config', 'core.splitIndex', 'true');
  git('config', 'splitIndex.maxPercentChange', '100');
  write('.mcp.json');
  git('add', '.');
  git('update-index', '--split-index');
  write('later');
  git('add', 'later');
  const [shared = ''] = readdirSync(join(tree, '.git')).filter((name) => name.startsWith('sharedindex.'));
  expect(readFileSync(index()).includes('.mcp.json')).toBe(false);
  expect([listed('.mcp.json'), listed('later'), listed('other')]).toEqual([true, true, false]);
  rmSync(join(tree, '.git', shared));
  expect(listed('later')).toBe(true);
  expect(() => listed('.mcp.json')).toThrow(Undecided);
});

it('does not guess about a folder that a sparse index leaves out', () => {
  git('init', '-q');
  write('top', 'in/a', 'out/a', 'out/deep/.mcp.json');
  git('add', '.');
  git('commit', '-q', '-m', 'all');
  git('sparse-checkout', 'set', '--cone', '--sparse-index', 'in');
  expect(existsSync(join(tree, 'out'))).toBe(false);
  expect(git('ls-files', '--sparse')).toContain('out/\n');
  expect([listed('in/a'), listed('in/b'), listed('top'), listed('outer')]).toEqual([true, false, true, false]);
  expect(() => listed('out/deep/.mcp.json')).toThrow('it is sparse');
});

it("reads an index without a checksum, and skips Git's other data in the file", () => {
  git('init', '-q');
  for (const setting of ['feature.manyFiles', 'core.untrackedCache', 'index.skipHash']) git('config', setting, 'true');
  write(...NAMES);
  git('add', '.');
  git('commit', '-q', '-m', 'all');
  git('update-index', '--untracked-cache');
  expect(git('status', '--porcelain')).toBe('');
  expect([listed('.mcp.json'), listed('.mcp.jso')]).toEqual([true, false]);
});

it('never misses a listed file in a damaged index', () => {
  git('init', '-q');
  write(...NAMES);
  git('add', '.');
  const whole = readFileSync(index());
  const change = fc.record({ at: fc.nat(whole.length - 1), to: fc.nat(255), cut: fc.boolean() });
  fc.assert(
    fc.property(change, ({ at, to, cut }) => {
      const bytes = Buffer.from(cut ? whole.subarray(0, at) : whole);
      if (!cut) bytes[at] = to;
      writeFileSync(index(), bytes);
      // A changed name or entry count makes it a different index.
      const isAnother = !cut && !bytes.includes('a b/c\0');
      try {
        if (!isAnother) expect(listed('a b/c')).toBe(true);
      } catch (error) {
        expect(error).toBeInstanceOf(Undecided);
      }
    }),
    { numRuns: 600 },
  );
});

it.each([
  ['no index at all', Buffer.from('something else, long enough')],
  ['another version', Buffer.from('DIRC\0\0\0\x05\0\0\0\0', 'latin1')],
  [
    'more entries than bytes',
    Buffer.concat([Buffer.from('DIRC\0\0\0\x02', 'latin1'), Buffer.alloc(4, 0xff), Buffer.alloc(99)]),
  ],
  [
    'a part that changes the meaning',
    Buffer.concat([Buffer.from('DIRC\0\0\0\x02\0\0\0\0abcd\0\0\0\0', 'latin1'), Buffer.alloc(20)]),
  ],
])('does not guess about %s', (_what, bytes) => {
  git('init', '-q');
  writeFileSync(index(), bytes);
  expect(() => listed('.mcp.json')).toThrow(Undecided);
});
