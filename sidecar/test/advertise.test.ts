import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { claudeUserScope, setUpClaude } from '@devdb/shared/protocol/advertise-methods';
import { setProjects } from '@devdb/shared/protocol/sidecar-methods';
import { type NpmInstall, npmInstall } from './helpers/npm-cache.ts';
import { until } from './helpers/processes.ts';
import { runCommand } from './helpers/run-command.ts';
import { startSidecar } from './helpers/start-sidecar.ts';
import { type TempProject, tempProject } from './helpers/temp-project.ts';
import { openWindow, type TestWindow, windowSettings } from './helpers/window.ts';

const FETCH_MS = 300_000;

let project: TempProject;
let userHome: string;
const open: TestWindow[] = [];

beforeEach(() => {
  project = tempProject();
  userHome = join(dirname(project.root), 'user');
  mkdirSync(join(userHome, '.claude'), { recursive: true });
  project.database('shop.sqlite', 'CREATE TABLE users (id INTEGER)');
});

afterEach(async () => {
  await Promise.all(open.splice(0).map((window) => window.kill()));
  project.remove();
});

const env = () => ({ HOME: userHome, PATH: `${dirname(process.execPath)}:${process.env['PATH']}` });
const fileOf = (root = project.root) => join(root, '.mcp.json');
const devdb = (root = project.root) => {
  const file = fileOf(root);
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).mcpServers?.devdb : undefined;
};
const entered = (root = project.root) => until(`${root} has its entry`, () => devdb(root) !== undefined);
const gone = (root = project.root) => until(`${root} has no .mcp.json`, () => !existsSync(fileOf(root)));

type Settings = Parameters<typeof windowSettings>[0];

async function windowOn(roots: readonly string[], settings: Settings = {}, more: Record<string, string> = {}) {
  const projects = roots.map((root) => ({ root, settings: settings ?? {} }));
  const window = await openWindow({ home: project.home, env: { ...env(), ...more }, projects });
  open.push(window);
  return window;
}

describe('.mcp.json of a window', () => {
  it('exists in every folder, follows the folders, and is removed with the pipe', async () => {
    const [one, other] = [project.another('one').root, project.another('other').root];
    const window = await windowOn([project.root, one]);
    await Promise.all([entered(), entered(one)]);
    const settings = windowSettings();
    await window.call(setProjects, {
      projects: [project.root, other].map((root) => ({ root, settings })),
    });
    await Promise.all([gone(one), entered(other)]);
    await window.call(setProjects, {
      projects: [
        { root: project.root, settings: { ...settings, mcpJson: { entry: 'http', inGit: false } } },
        { root: other, settings: { ...settings, mcpJson: { entry: 'off', inGit: false } } },
      ],
    });
    await until('the entry is one for HTTP', () => devdb()?.type === 'http');
    await gone(other);
    expect(await window.close()).toBe(0);
    expect(existsSync(fileOf())).toBe(false);
  });

  it('is overwritten by the next window after a sidecar was killed, and removed with that window', async () => {
    const text = '{\n\t"mcpServers": { "mine": { "command": "x" } }\n}';
    writeFileSync(fileOf(), text);
    const killed = await windowOn([project.root], { mcpJson: { entry: 'http', inGit: false } });
    await entered();
    await killed.kill();
    expect(devdb().type).toBe('http');
    const next = await windowOn([project.root]);
    await until('the entry is one for stdio', () => devdb()?.type === 'stdio');
    await next.close();
    expect(readFileSync(fileOf(), 'utf8')).toBe(text);
  });

  it('stays while another window or a headless sidecar serves the folder', async () => {
    const [first, second] = [await windowOn([project.root]), await windowOn([project.root])];
    await entered();
    await first.close();
    expect(devdb()).toBeDefined();
    const headless = await startSidecar({ home: project.home, root: project.root, env: env() });
    await second.close();
    expect(devdb()).toBeDefined();
    await headless.stop();
    expect(existsSync(fileOf())).toBe(false);
  });

  it('is restored when several windows come and go at once', async () => {
    const text = '{"mcpServers":{"mine":{"command":"x"}}}\n';
    writeFileSync(fileOf(), text);
    const windows = await Promise.all([1, 2, 3, 4].map(() => windowOn([project.root])));
    await entered();
    await Promise.all(windows.map((window) => window.close()));
    expect(readFileSync(fileOf(), 'utf8')).toBe(text);
    expect(readdirSync(project.root).sort()).toEqual(['.mcp.json', 'shop.sqlite']);
  });

  it('is not written by a headless sidecar', async () => {
    const headless = await startSidecar({ home: project.home, root: project.root, env: env() });
    expect(existsSync(fileOf())).toBe(false);
    await headless.stop();
    expect(existsSync(fileOf())).toBe(false);
  });

  it("that cannot be read is reported to the editor's user", async () => {
    writeFileSync(fileOf(), '{ "mcpServers": ');
    const window = await windowOn([project.root]);
    await until('it is reported', () => window.told.length > 0);
    expect(window.told).toEqual([expect.stringContaining(`${fileOf()}:1 was left unchanged`)]);
    await window.close();
    expect(readFileSync(fileOf(), 'utf8')).toBe('{ "mcpServers": ');
  });
});

describe('Claude Code in the project', () => {
  let claude: NpmInstall;

  beforeAll(async () => {
    claude = await npmInstall('@anthropic-ai/claude-code', '2.1.327');
  }, FETCH_MS);

  beforeEach(() => {
    writeFileSync(join(userHome, '.claude', 'settings.json'), '{"enableAllProjectMcpServers":true}');
  });

  const list = async (more: Record<string, string> = {}, cwd = project.root) =>
    (await runCommand(claude.bin('claude'), ['mcp', 'list'], { cwd, env: { ...env(), NO_COLOR: '1', ...more } }))
      .stdout;

  it('is connected over stdio', async () => {
    await windowOn([project.root]);
    await entered();
    expect(await list()).toMatch(/devdb: node .*devdb-mcp\.cjs.*✔ Connected/);
  });

  it('is connected over HTTP', async () => {
    await windowOn([project.root], { mcpJson: { entry: 'http', inGit: false } });
    await entered();
    expect(await list()).toMatch(/devdb: http:\/\/127\.0\.0\.1:\d+\/mcp \(HTTP\).*✔ Connected/);
  });

  it('is connected over HTTP through a variable where Git tracks the file', async () => {
    const git = (...args: string[]) => execFileSync('git', args, { cwd: project.root });
    git('init', '-q');
    writeFileSync(fileOf(), '{}');
    git('add', '.mcp.json');
    await windowOn([project.root], { mcpJson: { entry: 'http', inGit: true } });
    await entered();
    const token = readFileSync(join(project.home, 'token'), 'utf8').trim();
    expect(readFileSync(fileOf(), 'utf8')).not.toContain(token);
    expect(await list({ DEVDB_TOKEN: token })).toMatch(/devdb: http:.*✔ Connected/);
  });

  it("is connected on the sidecar's own runtime where PATH has no node", async () => {
    // Everything Claude Code itself needs, except node.
    const bin = join(dirname(project.root), 'bin');
    mkdirSync(bin);
    for (const name of ['sh', 'env', 'ps', 'cat', 'git', 'which']) symlinkSync(`/usr/bin/${name}`, join(bin, name));
    await windowOn([project.root], {}, { PATH: bin });
    await entered();
    expect(devdb().command).toBe(process.execPath);
    expect(await list({ PATH: bin })).toMatch(/devdb: .*node.* .*devdb-mcp\.cjs.*✔ Connected/);
    // How an editor's binary is made to run as Node.
    const entry = { ...devdb(), env: { ELECTRON_RUN_AS_NODE: '1' } };
    writeFileSync(fileOf(), JSON.stringify({ mcpServers: { devdb: entry } }));
    expect(await list({ PATH: bin })).toMatch(/devdb: .*✔ Connected/);
  });

  it.each(['its folder', 'a working tree of its repository'])(
    'does not see it where %s has a local entry, and the user learns it',
    async (where) => {
      const inGit = (...args: string[]) =>
        execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@b', ...args], { cwd: project.root });
      const tree = join(dirname(project.root), 'tree');
      if (where !== 'its folder') {
        inGit('init', '-q');
        inGit('commit', '-q', '--allow-empty', '-m', 'first');
        inGit('worktree', 'add', '-q', tree);
        mkdirSync(join(tree, 'part'));
      }
      const cwd = where === 'its folder' ? project.root : join(tree, 'part');
      const add = ['mcp', 'add', '--scope', 'local', 'devdb', '--', 'node', '-e', '0'];
      await runCommand(claude.bin('claude'), add, { cwd, env: env() });
      const window = await windowOn([project.root]);
      await until('it is reported', () => window.told.length > 0);
      expect(window.told).toEqual([expect.stringContaining('claude mcp remove --scope local devdb')]);
      expect(await list()).toMatch(/devdb: node -e 0/);
      await runCommand(claude.bin('claude'), ['mcp', 'remove', '--scope', 'local', 'devdb'], {
        cwd: project.root,
        env: env(),
      });
      expect(await list()).toMatch(/devdb: node .*devdb-mcp\.cjs.*✔ Connected/);
    },
  );
});

describe('Claude Code in every project', () => {
  let claude: NpmInstall;

  beforeAll(async () => {
    claude = await npmInstall('@anthropic-ai/claude-code', '2.1.327');
  }, FETCH_MS);

  const config = () => join(userHome, '.claude.json');
  /** Installed for the whole machine; programs in a project's packages do not count. */
  const withClaude = () => {
    const bin = join(userHome, 'bin');
    mkdirSync(bin);
    symlinkSync(claude.bin('claude'), join(bin, 'claude'));
    return { PATH: `${bin}:${env().PATH}` };
  };
  const list = async () =>
    (await runCommand(claude.bin('claude'), ['mcp', 'list'], { cwd: userHome, env: { ...env(), NO_COLOR: '1' } }))
      .stdout;

  it('is set up by its own command where that is on PATH', async () => {
    const window = await windowOn([project.root], {}, withClaude());
    expect(await window.call(claudeUserScope, {})).toEqual({ state: 'none' });
    const { done, message } = await window.call(setUpClaude, {});
    expect({ done, message }).toEqual({ done: true, message: expect.stringContaining('claude mcp add --scope user') });
    expect(await window.call(claudeUserScope, {})).toEqual({ state: 'ours' });
    expect(await list()).toMatch(/devdb: node .*devdb-mcp\.cjs.*✔ Connected/);
    expect((await window.call(setUpClaude, {})).message).toContain('nothing was changed');
  });

  it("is set up in its file where there is no command, and the file's content is backed up beside it", async () => {
    const text = '{"numStartups":3,"mcpServers":{"a":{"type":"stdio","command":"x"}},"projects":{"/x":{}}}';
    writeFileSync(config(), text, { mode: 0o600 });
    const window = await windowOn([project.root]);
    expect(await window.call(setUpClaude, {})).toMatchObject({ done: true });
    const after = JSON.parse(readFileSync(config(), 'utf8'));
    expect(after).toMatchObject({ numStartups: 3, projects: { '/x': {} } });
    expect(Object.keys(after.mcpServers)).toEqual(['a', 'devdb']);
    expect(readFileSync(`${config()}.devdb-backup`, 'utf8')).toBe(text);
    expect(await list()).toMatch(/devdb: node .*devdb-mcp\.cjs.*✔ Connected/);
  });

  it('is left unchanged where its file does not parse or has another server of the name', async () => {
    const window = await windowOn([project.root]);
    writeFileSync(config(), '{ "mcpServers": ');
    expect(await window.call(claudeUserScope, {})).toEqual({ state: 'unreadable' });
    expect(await window.call(setUpClaude, {})).toEqual({
      done: false,
      message: expect.stringContaining(`${config()}:1 was left unchanged`),
    });
    expect(readFileSync(config(), 'utf8')).toBe('{ "mcpServers": ');
    const other = '{"mcpServers":{"devdb":{"command":"my-own"}}}';
    writeFileSync(config(), other);
    expect(await window.call(claudeUserScope, {})).toEqual({ state: 'other' });
    expect(await window.call(setUpClaude, {})).toMatchObject({ done: false });
    expect(readFileSync(config(), 'utf8')).toBe(other);
  });

  it('is not installed', async () => {
    rmSync(join(userHome, '.claude'), { recursive: true });
    const window = await windowOn([project.root]);
    expect(await window.call(claudeUserScope, {})).toEqual({ state: 'no-claude' });
  });
});
