import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { HostileRepository } from './helpers/hostile-repository.ts';
import { until } from './helpers/processes.ts';
import { runCommand } from './helpers/run-command.ts';
import { CLI, startSidecar } from './helpers/start-sidecar.ts';
import { type TempProject, tempProject } from './helpers/temp-project.ts';
import { openWindow, type TestWindow } from './helpers/window.ts';

let project: TempProject;
let repository: HostileRepository;
let userHome: string;

beforeEach(() => {
  project = tempProject();
  const base = dirname(project.root);
  repository = new HostileRepository(base);
  userHome = join(base, 'user');
  mkdirSync(userHome);
});

afterEach(() => project.remove());

const env = () => ({ ...repository.env(), HOME: userHome, DEVDB_HOME: project.home });

/** Git as a careless program calls it: it springs the trap, which proves that the trap works. */
function askGit(folder: string): void {
  for (const args of [['check-ignore', '-q', './.mcp.json'], ['status']]) {
    try {
      repository.git(folder, ...args);
    } catch {
      // What it runs fails, and so does Git.
    }
  }
}

async function window(root: string, entry: 'stdio' | 'http'): Promise<TestWindow> {
  const settings = { mcpJson: { entry, inGit: false } };
  return openWindow({ home: project.home, env: env(), projects: [{ root, settings }] });
}

/** Everything that opens a folder: the window with either entry, `serve`, `doctor`, the end of each, uninstalling. */
async function openInEveryWay(root: string): Promise<void> {
  for (const entry of ['stdio', 'http'] as const) {
    const opened = await window(root, entry);
    const file = join(root, '.mcp.json');
    await until('the entry is decided', () => existsSync(file) || opened.told.length > 0);
    await opened.close();
    expect(existsSync(file)).toBe(false);
  }
  const served = await startSidecar({ home: project.home, root, env: env(), cwd: root });
  await served.stop();
  await runCommand(process.execPath, [CLI, 'doctor', '--project', root], { env: env(), cwd: root });
  const killed = await window(root, 'stdio');
  await until('the entry is decided', () => existsSync(join(root, '.mcp.json')) || killed.told.length > 0);
  await killed.kill();
  await runCommand(process.execPath, [CLI, 'uninstall', '--extension', join(userHome, 'gone')], {
    env: env(),
    cwd: root,
  });
  expect(existsSync(join(root, '.mcp.json'))).toBe(false);
}

describe('a committed folder that looks like a repository runs nothing', () => {
  it.each([
    ['lazy-fetch', 'the project itself', 'sub', 'sub'],
    ['lazy-fetch', 'a folder above the project', 'sub', 'sub/app'],
    ['lazy-fetch', 'a folder of the project', 'app/sub', 'app'],
    ['lazy-fetch', 'the top of a copy without Git', '../plain', '../plain'],
    ['settings', 'the project itself', 'sub', 'sub'],
    ['include', 'a folder above the project', 'sub', 'sub/app'],
  ] as const)('(%s) as %s', async (kind, _where, trap, opened) => {
    const [folder, root] = [join(repository.clone, trap), join(repository.clone, opened)];
    repository.bareLooking(folder, kind);
    mkdirSync(root, { recursive: true });
    askGit(folder);
    expect(repository.takeSprung()).not.toBe('');
    await openInEveryWay(root);
    expect(repository.takeSprung()).toBe('');
  });

  it.each(['lazy-fetch', 'settings'] as const)(
    '(%s) as the target of a .git file or link, or as .git',
    async (kind) => {
      const root = join(repository.clone, 'app');
      const trap = join(root, 'trap');
      mkdirSync(root);
      repository.bareLooking(trap, kind);
      writeFileSync(join(root, '.git'), 'gitdir: trap\n');
      writeFileSync(join(trap, 'config'), readFileSync(join(trap, 'config'), 'utf8').replace('= .\n', '= ..\n'));
      askGit(root);
      expect(repository.takeSprung()).not.toBe('');
      await openInEveryWay(root);
      rmSync(join(root, '.git'));
      symlinkSync('trap', join(root, '.git'));
      await openInEveryWay(root);
      rmSync(join(root, '.git'));
      renameSync(trap, join(root, '.git'));
      await openInEveryWay(root);
      expect(repository.takeSprung()).toBe('');
    },
  );
});

it('programs in the project named like those DevDB starts are not run, though PATH finds them first', async () => {
  const root = join(repository.clone, 'app');
  mkdirSync(root);
  const marker = join(root, 'ran');
  for (const folder of ['', 'node_modules/.bin'])
    for (const name of ['git', 'node', 'claude', 'pass']) {
      mkdirSync(join(root, folder), { recursive: true });
      writeFileSync(join(root, folder, name), `#!/bin/sh\ntouch '${marker}'\n`, { mode: 0o755 });
    }
  const path = `.:node_modules/.bin:${root}/node_modules/.bin::${repository.env()['PATH']}`;
  const opened = await openWindow({
    home: project.home,
    env: { ...env(), PATH: path },
    cwd: root,
    projects: [{ root }],
  });
  await until('the entry is there', () => existsSync(join(root, '.mcp.json')));
  await opened.close();
  await runCommand(process.execPath, [CLI, 'setup', 'claude', '--write'], { env: { ...env(), PATH: path }, cwd: root });
  expect(existsSync(marker)).toBe(false);
});

describe('a file of somebody else is not written', () => {
  const victim = () => join(dirname(project.root), 'victim');

  it.each(['stdio', 'http'] as const)('through .mcp.json, the exclude file or a .git file (%s)', async (entry) => {
    mkdirSync(victim());
    repository.git(victim(), 'init', '-q');
    writeFileSync(join(victim(), 'settings.json'), '{}');
    const exclude = join(victim(), '.git', 'info', 'exclude');
    const before = readFileSync(exclude, 'utf8');
    const links: readonly ((root: string) => void)[] = [
      (root) => symlinkSync(join(victim(), 'settings.json'), join(root, '.mcp.json')),
      (root) => writeFileSync(join(root, '.git'), `gitdir: ${join(victim(), '.git')}\n`),
      (root) => symlinkSync(join(victim(), '.git'), join(root, '.git')),
      (root) => {
        repository.git(root, 'init', '-q');
        rmSync(join(root, '.git', 'info', 'exclude'));
        symlinkSync(exclude, join(root, '.git', 'info', 'exclude'));
      },
      (root) => {
        repository.git(root, 'init', '-q');
        writeFileSync(join(root, '.git', 'commondir'), join(victim(), '.git'));
      },
    ];
    for (const [index, link] of links.entries()) {
      const root = join(repository.clone, `app${index}`);
      mkdirSync(root);
      link(root);
      const opened = await window(root, entry);
      await until(`it is reported (${index})`, () => opened.told.length > 0);
      await opened.close();
      expect(readFileSync(join(victim(), 'settings.json'), 'utf8')).toBe('{}');
      expect(readFileSync(exclude, 'utf8')).toBe(before);
      const token = readFileSync(join(project.home, 'token'), 'utf8').trim();
      const file = join(root, '.mcp.json');
      if (existsSync(file)) expect(readFileSync(file, 'utf8')).not.toContain(token);
    }
  });
});
