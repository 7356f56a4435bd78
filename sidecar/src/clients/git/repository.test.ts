import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { testWhere } from '../../../../fixtures/labs/needs.ts';
import { processorMs } from '../../../../fixtures/labs/processor-time.ts';
import { configValues } from './config-values.ts';
import { findRepository } from './repository.ts';

// Changing a file's owner takes root.
const itAsRoot = testWhere(process.getuid?.() === 0, 'a repository below a folder of another user', 'it takes root');
let base = '';
const env = { PATH: process.env['PATH'], GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' };
const settings = ['user.name=Ann', 'user.email=ann@example.com', 'protocol.file.allow=always'];
const git = (folder: string, ...args: readonly string[]) =>
  execFileSync('git', [...settings.flatMap((setting) => ['-c', setting]), ...args], {
    cwd: folder,
    env,
    encoding: 'utf8',
    stdio: 'pipe',
  });
const at = (...parts: readonly string[]) => join(base, ...parts);

function repository(...parts: readonly string[]): string {
  mkdirSync(at(...parts), { recursive: true });
  git(at(...parts), 'init', '-q');
  git(at(...parts), 'commit', '-q', '--allow-empty', '-m', 'first');
  return at(...parts);
}

beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'devdb-repository-')));
});

afterEach(() => rmSync(base, { recursive: true, force: true }));

describe('is found', () => {
  it('from its top, from a folder below, and behind a link to the folder', () => {
    const top = repository('top');
    mkdirSync(join(top, 'a', 'b'), { recursive: true });
    symlinkSync(join(top, 'a'), at('link'));
    const found = { workTree: top, gitDir: join(top, '.git'), commonDir: join(top, '.git'), hashBytes: 20 };
    for (const folder of [top, join(top, 'a', 'b'), at('link', 'b')]) expect(findRepository(folder)).toEqual(found);
  });

  it.each(['absolute', 'relative'])('for a linked working tree, whose back-link is %s', (kind) => {
    const top = repository('top');
    git(top, 'worktree', 'add', '-q', at('tree'));
    if (kind === 'relative') writeFileSync(join(top, '.git/worktrees/tree/gitdir'), '../../../../tree/.git\n');
    const common = join(top, '.git');
    const found = { workTree: at('tree'), gitDir: join(common, 'worktrees', 'tree'), commonDir: common, hashBytes: 20 };
    expect(findRepository(at('tree'))).toEqual(found);
  });

  it('for the trees of a bare repository, but not for the folder that holds both', () => {
    repository('first');
    mkdirSync(at('all'));
    git(base, 'clone', '-q', '--bare', 'first', at('all', '.bare'));
    writeFileSync(at('all', '.git'), 'gitdir: ./.bare\n');
    git(at('all'), 'worktree', 'add', '-q', 'main');
    expect(findRepository(at('all', 'main'))).toMatchObject({ commonDir: at('all', '.bare') });
    expect(findRepository(at('all'))).toBeUndefined();
  });

  it('for a submodule, and for a working tree of one', () => {
    const part = repository('part');
    const top = repository('top');
    git(top, 'submodule', '--quiet', 'add', part, 'sub');
    const modules = join(top, '.git', 'modules', 'sub');
    expect(findRepository(join(top, 'sub'))).toMatchObject({ workTree: join(top, 'sub'), commonDir: modules });
    git(join(top, 'sub'), 'worktree', 'add', '-q', at('tree'));
    expect(findRepository(at('tree'))).toMatchObject({
      gitDir: join(modules, 'worktrees', 'tree'),
      commonDir: modules,
    });
  });

  it('with names of SHA-256', () => {
    mkdirSync(at('top'));
    git(at('top'), 'init', '-q', '--object-format=sha256');
    expect(findRepository(at('top'))).toMatchObject({ hashBytes: 32 });
  });
});

describe('is not found', () => {
  it('where nothing is named .git, however much a folder looks like a repository', () => {
    const top = repository('top');
    cpSync(join(top, '.git'), at('looks'), { recursive: true });
    git(base, 'init', '-q', '--bare', 'bare');
    for (const folder of ['looks', 'bare', 'absent']) expect(findRepository(at(folder))).toBeUndefined();
    cpSync(join(top, '.git'), join(top, 'looks'), { recursive: true });
    expect(findRepository(join(top, 'looks'))?.gitDir).toBe(join(top, '.git'));
  });

  it('inside of a Git folder, and in an empty folder of that name', () => {
    expect(findRepository(join(repository('top'), '.git', 'info'))).toBeUndefined();
    mkdirSync(at('other', '.git'), { recursive: true });
    expect(findRepository(at('other'))).toBeUndefined();
  });
});

describe('is left undecided', () => {
  let victim = '';

  beforeEach(() => {
    victim = repository('victim');
    mkdirSync(at('project'));
  });

  const pointTo = (text: string) => writeFileSync(at('project', '.git'), `gitdir: ${text}\n`);
  const find = () => findRepository(at('project'));

  it('for a .git file that names somebody else’s repository', () => {
    for (const text of [join(victim, '.git'), '../victim/.git']) {
      pointTo(text);
      expect(find).toThrow('does not name this folder');
    }
  });

  it('for one that names a made-up tree whose common folder is somebody else’s', () => {
    mkdirSync(at('project', 'fake'));
    writeFileSync(at('project', 'fake', 'HEAD'), 'ref: refs/heads/main\n');
    writeFileSync(at('project', 'fake', 'commondir'), join(victim, '.git'));
    writeFileSync(at('project', 'fake', 'gitdir'), at('project', '.git'));
    pointTo('fake');
    expect(find).toThrow('does not name this folder');
    rmSync(at('project', '.git'));
    renameSync(at('project', 'fake'), at('project', '.git'));
    expect(find).toThrow('does not name this folder');
  });

  it('for one that names a tree that the repository has elsewhere', () => {
    git(victim, 'worktree', 'add', '-q', at('tree'));
    pointTo(join(victim, '.git', 'worktrees', 'tree'));
    expect(find).toThrow('does not name this folder');
  });

  it('for a submodule’s folder named by another submodule’s file', () => {
    git(victim, 'submodule', '--quiet', 'add', repository('part'), 'sub');
    pointTo(join(victim, '.git', 'modules', 'sub'));
    expect(find).toThrow('does not name this folder');
  });

  it('for a link to somebody else’s repository, or a dangling one', () => {
    symlinkSync(join(victim, '.git'), at('project', '.git'));
    expect(find).toThrow('does not name this folder');
    rmSync(at('project', '.git'));
    symlinkSync('nowhere', at('project', '.git'));
    expect(find).toThrow('a dangling link');
  });

  it('for a repository whose working tree is another folder', () => {
    const top = repository('top');
    git(top, 'config', 'core.worktree', victim);
    expect(() => findRepository(top)).toThrow('does not name this folder');
  });

  it('for too large files, pipes and garbage in its place', () => {
    writeFileSync(at('project', '.git'), 'gitdir: '.padEnd(1_000_000, 'x'));
    expect(find).toThrow('is larger than');
    for (const text of ['', 'gitdir:', 'gitdir: \n', 'gitdir: nowhere\n', 'gitdir: a\0b\n', `gitdir: ${base}\n`]) {
      writeFileSync(at('project', '.git'), text);
      expect(find).toThrow('leads to no repository');
    }
    rmSync(at('project', '.git'));
    execFileSync('mkfifo', [at('project', '.git')]);
    expect(find).toThrow('not a regular file');
  });

  itAsRoot('for a folder above that belongs to another user', () => {
    mkdirSync(join(victim, 'sub'));
    execFileSync('chown', ['-R', '65534', join(victim, '.git')]);
    expect(() => findRepository(join(victim, 'sub'))).toThrow('belongs to another user');
  });
});

describe('a configuration', () => {
  it.each([
    ['[core]\n\tworktree = ../a b \n', '../a b'],
    ['[CORE] WorkTree=x # why\n', 'x'],
    ['[core]\nworktree = "a;b" ; why', 'a;b'],
    ['[core]\nworktree = a\\\nb\n', 'ab'],
    ['[core]\nworktree = "C:\\\\x\\"y"\r\n', 'C:\\x"y'],
    ['[core]\nworktree', 'true'],
    ['[core "x"]\nworktree = y\n[other]\nworktree = y', undefined],
    ['[core]\nworktree = a\n[core]\nworktree = b\n', 'b'],
  ])('%j has the value %j', (text, value) => {
    expect(configValues(text).get('core.worktree')).toBe(value);
    mkdirSync(at('x'));
    writeFileSync(at('x', 'config'), text);
    const read = () => git(at('x'), 'config', '-f', 'config', '--includes', 'core.worktree').replace(/\n$/, '');
    if (value !== undefined && value !== 'true') expect(read()).toBe(value);
  });

  it('is read in linear time', () => {
    const began = processorMs();
    for (const part of ['[', '[a ', '\\', '"', ' ', 'a', '[a"', '\\\n', 'a=\n'])
      configValues(part.repeat((512 * 1024) / part.length));
    expect(processorMs() - began).toBeLessThan(5000);
  });
});
