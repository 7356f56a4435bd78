import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { AdvertiseLab, type LabProcess } from '../../../test/helpers/advertise-lab.ts';
import { gitFacts } from '../git/git-facts.ts';

/** As a client's file refers to it. */
const VARIABLE = `\${DEVDB_TOKEN}`;

let lab: AdvertiseLab;
let window: LabProcess;

beforeEach(async () => {
  lab = new AdvertiseLab();
  window = await lab.process();
});

afterEach(() => lab.remove());

const facts = (file = lab.file) => gitFacts(file);
const excludeFile = () => join(lab.root, '.git', 'info', 'exclude');
const changes = (folder = lab.root) => lab.gitIn(folder, 'status', '--porcelain', '--untracked-files=all');
const devdb = (file = lab.file) => JSON.parse(readFileSync(file, 'utf8')).mcpServers.devdb;

function commit(...paths: string[]): void {
  lab.git('add', '--force', ...paths);
  lab.git('commit', '-q', '-m', 'work');
}

describe('in a repository', () => {
  beforeEach(() => {
    lab.git('init', '-q');
  });

  it('an untracked file is kept out of Git while it exists, and everything is restored afterwards', async () => {
    const before = readFileSync(excludeFile(), 'utf8');
    await window.show();
    expect(changes()).toBe('');
    expect(readFileSync(excludeFile(), 'utf8')).toBe(`${before}/.mcp.json\n`);
    await window.hide();
    expect(readFileSync(excludeFile(), 'utf8')).toBe(before);
    expect(existsSync(lab.file)).toBe(false);
  });

  it('the line is written once, however often the project is opened and by how many processes', async () => {
    const other = await lab.process();
    await window.show();
    await other.show();
    await other.show({ entry: 'http' });
    expect(readFileSync(excludeFile(), 'utf8').match(/mcp\.json/g)).toHaveLength(1);
    await window.hide();
    expect(changes()).toBe('');
    await other.hide();
    expect(readFileSync(excludeFile(), 'utf8')).not.toContain('mcp.json');
  });

  it("a user's line stays, even without a newline after it", async () => {
    writeFileSync(excludeFile(), 'build\n/.mcp.json');
    await window.show();
    await window.hide();
    expect(readFileSync(excludeFile(), 'utf8')).toBe('build\n/.mcp.json');
    writeFileSync(excludeFile(), 'build');
    await window.show();
    expect(readFileSync(excludeFile(), 'utf8')).toBe('build\n/.mcp.json\n');
    await window.hide();
    expect(readFileSync(excludeFile(), 'utf8')).toBe('build');
  });

  it('lines added meanwhile stay', async () => {
    await window.show();
    writeFileSync(excludeFile(), `${readFileSync(excludeFile(), 'utf8')}later\n`);
    await window.hide();
    expect(readFileSync(excludeFile(), 'utf8')).toMatch(/later\n$/);
    expect(readFileSync(excludeFile(), 'utf8')).not.toContain('mcp.json');
  });

  it('an already ignored file needs no line', async () => {
    lab.write('.gitignore', '.mcp.json\n');
    const before = readFileSync(excludeFile(), 'utf8');
    await window.show();
    expect(readFileSync(excludeFile(), 'utf8')).toBe(before);
    expect(devdb()).toBeDefined();
  });

  it('the folder of the exclude file may be missing', async () => {
    rmSync(dirname(excludeFile()), { recursive: true });
    await window.show();
    expect(changes()).toBe('');
    await window.hide();
    expect(existsSync(excludeFile())).toBe(false);
  });

  it('an exclude file that cannot be written is logged, and the entry is written', async () => {
    chmodSync(excludeFile(), 0o444);
    await window.show();
    expect(devdb()).toBeDefined();
    expect(window.events.map(({ event }) => event)).toContain('git-exclude-left-alone');
  });

  it('a tracked file is left alone', async () => {
    lab.write('.mcp.json', '{}\n');
    commit('.mcp.json');
    await window.show();
    expect(changes()).toBe('');
    expect(window.events).toContainEqual({
      event: 'mcp-json-left-alone',
      facts: expect.objectContaining({ why: expect.stringContaining('Git tracks it') }),
    });
    await window.hide();
    expect(changes()).toBe('');
  });

  it('a tracked file is written on request, and restored afterwards', async () => {
    lab.write('.mcp.json', '{\n  "mcpServers": {}\n}\n');
    commit('.mcp.json');
    await window.show({ inGit: true });
    expect(devdb()).toBeDefined();
    await window.hide();
    expect(changes()).toBe('');
  });

  it('a tracked file is restored when that is no longer requested', async () => {
    lab.write('.mcp.json', '{\n  "mcpServers": {}\n}\n');
    commit('.mcp.json');
    await window.show({ inGit: true });
    await window.show({ inGit: false });
    expect(changes()).toBe('');
  });

  it('a file committed while the project was open is left as committed', async () => {
    await window.show();
    commit('.mcp.json');
    await window.hide();
    expect(changes()).toBe('');
    expect(devdb()).toBeDefined();
    expect(readFileSync(excludeFile(), 'utf8')).not.toContain('mcp.json');
  });

  it('a file that the user wants in Git is not kept out of it', async () => {
    const before = readFileSync(excludeFile(), 'utf8');
    await window.show();
    expect(changes()).toBe('');
    await window.show({ inGit: true });
    expect(changes()).toBe('?? .mcp.json\n');
    expect(readFileSync(excludeFile(), 'utf8')).toBe(before);
  });

  it.each(['sub', 'a [b] *c', 'ä ö', '!x', '#y'])('a project below its top, in %j', async (name) => {
    const root = join(lab.root, name);
    mkdirSync(root);
    await window.show({ root });
    expect(devdb(join(root, '.mcp.json'))).toBeDefined();
    expect(changes()).toBe('');
    await window.advertiser.hide(root);
    expect(readFileSync(excludeFile(), 'utf8')).not.toContain('mcp.json');
  });

  it('working trees of one repository share the line, and the last one removes it', async () => {
    lab.write('a', '');
    commit('a');
    const tree = join(lab.base, 'tree');
    lab.git('worktree', 'add', '-q', tree);
    await window.show();
    await window.show({ root: tree });
    expect([changes(), changes(tree)]).toEqual(['', '']);
    await window.hide();
    expect(changes(tree)).toBe('');
    await window.advertiser.hide(tree);
    expect(readFileSync(excludeFile(), 'utf8')).not.toContain('mcp.json');
    expect([changes(), changes(tree)]).toEqual(['', '']);
  });

  it('a submodule has its own exclude file', async () => {
    lab.write('a', '');
    commit('a');
    const parent = join(lab.base, 'parent');
    mkdirSync(parent);
    lab.gitIn(parent, 'init', '-q');
    lab.gitIn(parent, 'submodule', '--quiet', 'add', lab.root, 'part');
    lab.gitIn(parent, 'commit', '-q', '-m', 'part');
    const root = join(parent, 'part');
    await window.show({ root });
    expect(readFileSync(join(parent, '.git/modules/part/info/exclude'), 'utf8')).toContain('/.mcp.json\n');
    expect([changes(root), changes(parent)]).toEqual(['', '']);
    await window.advertiser.hide(root);
    expect([changes(root), changes(parent)]).toEqual(['', '']);
  });

  it('its Git folder may be elsewhere if that points back at the folder', async () => {
    rmSync(join(lab.root, '.git'), { recursive: true });
    const gitDir = join(lab.base, 'elsewhere');
    lab.git('init', '-q', '--separate-git-dir', gitDir);
    lab.git('config', 'core.worktree', lab.root);
    await window.show();
    expect(readFileSync(join(gitDir, 'info', 'exclude'), 'utf8')).toContain('/.mcp.json\n');
    expect(changes()).toBe('');
  });

  it('a Git folder elsewhere that does not point back is not written, and the user sees why', async () => {
    const other = join(lab.base, 'other');
    mkdirSync(other);
    lab.gitIn(other, 'init', '-q');
    rmSync(join(lab.root, '.git'), { recursive: true });
    lab.write('.git', `gitdir: ${join(other, '.git')}\n`);
    const before = readFileSync(join(other, '.git', 'info', 'exclude'), 'utf8');
    await window.show({ entry: 'http' });
    expect(readFileSync(join(other, '.git', 'info', 'exclude'), 'utf8')).toBe(before);
    expect(existsSync(lab.file)).toBe(false);
    expect(window.problems.map(({ message }) => message)).toEqual([
      expect.stringMatching(/does not name this folder as its working tree.*Devdb\.mcpJson\.inGit/),
    ]);
    await window.show({ entry: 'http', inGit: true });
    expect(devdb().headers.Authorization).toBe(`Bearer ${VARIABLE}`);
    await window.hide();
    expect(readFileSync(join(other, '.git', 'info', 'exclude'), 'utf8')).toBe(before);
  });

  it('an exclude file that is a link is left alone, the user sees why, and no token is written', async () => {
    const outside = join(lab.base, 'outside');
    writeFileSync(outside, '# theirs\n');
    rmSync(excludeFile());
    symlinkSync(outside, excludeFile());
    await window.show({ entry: 'http' });
    expect(devdb().headers.Authorization).toBe(`Bearer ${VARIABLE}`);
    expect(window.problems.map(({ message }) => message)).toContainEqual(
      expect.stringContaining(`DevDB did not add /.mcp.json to ${excludeFile()}: it is a link`),
    );
    await window.hide();
    expect(readFileSync(outside, 'utf8')).toBe('# theirs\n');
  });

  it("a link as the exclude file's folder leads nowhere outside either", async () => {
    const outside = join(lab.base, 'outside');
    mkdirSync(outside);
    rmSync(dirname(excludeFile()), { recursive: true });
    symlinkSync(outside, dirname(excludeFile()));
    await window.show();
    expect(devdb()).toBeDefined();
    await window.hide();
    expect(readdirSync(outside)).toEqual([]);
  });

  it('an exclude file that became a link meanwhile is left alone', async () => {
    await window.show();
    const outside = join(lab.base, 'outside');
    writeFileSync(outside, readFileSync(excludeFile()));
    const text = readFileSync(outside, 'utf8');
    rmSync(excludeFile());
    symlinkSync(outside, excludeFile());
    await window.hide();
    expect(readFileSync(outside, 'utf8')).toBe(text);
    expect(existsSync(lab.file)).toBe(false);
  });

  it('a link to a file tracked by a nested repository is not written through', async () => {
    const dotfiles = join(lab.root, 'dotfiles');
    mkdirSync(dotfiles);
    writeFileSync(join(dotfiles, 'mcp.json'), '{}');
    lab.gitIn(dotfiles, 'init', '-q');
    lab.gitIn(dotfiles, 'add', '.');
    symlinkSync(join(dotfiles, 'mcp.json'), lab.file);
    await window.show();
    expect(readFileSync(join(dotfiles, 'mcp.json'), 'utf8')).toBe('{}');
  });

  it('a literal token goes into a file that Git ignores, and no other', async () => {
    await window.show({ entry: 'http' });
    expect(lab.read()).toContain(lab.token());
    await window.hide();
    // A repository's own rules override the exclude file.
    lab.write('.gitignore', '!.mcp.json\n');
    await window.show({ entry: 'http' });
    expect(lab.read()).not.toContain(lab.token());
    expect(devdb().headers.Authorization).toBe(`Bearer ${VARIABLE}`);
    expect(window.problems.map(({ message }) => message)).toEqual([expect.stringContaining('DEVDB_TOKEN')]);
    await window.hide();
    lab.write('.mcp.json', '{}');
    commit('.mcp.json');
    await window.show({ entry: 'http', inGit: true });
    expect(lab.read()).toContain(VARIABLE);
    expect(lab.read()).not.toContain(lab.token());
  });

  it('no hook or monitor named by the repository is run', async () => {
    const trap = lab.write('trap.sh', `#!/bin/sh\ntouch '${join(lab.base, 'sprung')}'\n`, 0o755);
    lab.git('config', 'core.fsmonitor', trap);
    lab.git('config', 'core.hooksPath', lab.root);
    lab.write('post-index-change', readFileSync(trap), 0o755);
    await window.show();
    await window.hide();
    expect(existsSync(join(lab.base, 'sprung'))).toBe(false);
  });

  it('needs no Git on the machine', async () => {
    const bare = await lab.process({ ...lab.env, PATH: lab.base });
    await bare.show({ entry: 'http' });
    expect(lab.read()).toContain(lab.token());
    expect(changes()).toBe('');
    await bare.hide();
    lab.write('.mcp.json', '{}');
    commit('.mcp.json');
    await bare.show();
    expect(lab.read()).toBe('{}');
  });
});

it('a bare repository and the inside of a Git folder are not working trees', async () => {
  lab.git('init', '-q', '--bare');
  expect(facts()).toEqual({ kind: 'none' });
  await window.show();
  expect(devdb()).toBeDefined();
  const other = join(lab.base, 'other');
  mkdirSync(other);
  lab.gitIn(other, 'init', '-q');
  expect(facts(join(other, '.git', '.mcp.json'))).toEqual({ kind: 'none' });
});

it('an invalid .git leaves tracking unknown: the file is left alone, and the user sees why', async () => {
  lab.write('.git', 'nonsense');
  expect(facts()).toEqual({ kind: 'unknown', why: expect.stringContaining('leads to no repository') });
  lab.write('.mcp.json', '{}');
  await window.show();
  expect(lab.read()).toBe('{}');
  expect(window.problems).toHaveLength(1);
});
