import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { SETUP_CLIENTS, type SetupClient } from '@devdb/shared/protocol/setup-clients';
import { Secret } from '../../host/secret.ts';
import { clientFile } from './clients.ts';
import { type SetupOptions, setup } from './configuration.ts';
import { fitNode } from './fit-node.ts';

const TOKEN = 'c0ffee'.repeat(10);

let userHome: string;
let launcher: string;

beforeEach(() => {
  userHome = realpathSync(mkdtempSync(join(tmpdir(), 'devdb-setup-')));
  launcher = join(userHome, '.devdb', 'bin', 'devdb-mcp.cjs');
  mkdirSync(dirname(launcher), { recursive: true });
  writeFileSync(launcher, '');
});

afterEach(() => rmSync(userHome, { recursive: true, force: true }));

function options(client: SetupClient, more: Partial<SetupOptions> = {}): SetupOptions {
  return {
    client,
    write: true,
    launcher,
    node: { command: 'node' },
    platform: 'linux',
    userHome,
    env: { PATH: '' },
    signal: AbortSignal.timeout(10_000),
    ...more,
  };
}

function pathOf(client: SetupClient): string {
  return clientFile(client, options(client)).path;
}

const http = { projectRoot: '/Ü/app', port: 50_007, token: new Secret(TOKEN) };

describe.each(SETUP_CLIENTS)('devdb setup %s', (client) => {
  it('prints where and what, and changes nothing', async () => {
    const { exitCode, stdout, stderr } = await setup(options(client, { write: false }));
    expect(exitCode).toBe(0);
    expect(stdout).toContain(pathOf(client));
    expect(stdout).toContain(launcher);
    expect(stderr).toBe('');
    expect(existsSync(pathOf(client))).toBe(false);
  });

  it('writes its own file when there is none, and accepts it afterwards', async () => {
    expect(await setup(options(client))).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining('now has devdb'),
    });
    const first = readFileSync(pathOf(client), 'utf8');
    expect(first).toContain(launcher);
    expect(statSync(pathOf(client)).mode & 0o777).toBe(0o600);
    expect(await setup(options(client))).toMatchObject({ stdout: expect.stringContaining('nothing was changed') });
    expect(readFileSync(pathOf(client), 'utf8')).toBe(first);
  });

  it('leaves a file that does not parse alone and says where', async () => {
    mkdirSync(dirname(pathOf(client)), { recursive: true });
    writeFileSync(pathOf(client), '{\n"x": \n');
    const { exitCode, stderr } = await setup(options(client));
    expect(exitCode).toBe(1);
    expect(stderr).toContain(`${pathOf(client)}:`);
    expect(stderr).toContain('was left unchanged');
    expect(readFileSync(pathOf(client), 'utf8')).toBe('{\n"x": \n');
  });

  it('never shows the token; prints a variable in its place', async () => {
    const { stdout } = await setup(options(client, { write: false, http }));
    expect(stdout).not.toContain(TOKEN);
    expect(stdout).toContain('DEVDB_TOKEN');
    expect(stdout).toContain('http://127.0.0.1:50007/mcp');
    expect(stdout).toContain('%2F%C3%9C%2Fapp');
    expect(stdout).toContain('sends the token to whatever listens on that port');
  });

  it('writes the token for HTTP, but into no Git working tree', async () => {
    const { exitCode: wrote, stdout } = await setup(options(client, { http }));
    expect(wrote).toBe(0);
    expect(stdout).toContain('sends the token to whatever listens on that port');
    expect(readFileSync(pathOf(client), 'utf8')).toContain(`Bearer ${TOKEN}`);
    rmSync(pathOf(client));
    mkdirSync(join(userHome, '.git'));
    const { exitCode, stderr } = await setup(options(client, { http }));
    expect(exitCode).toBe(1);
    expect(stderr).toContain('Git working tree');
    expect(existsSync(pathOf(client))).toBe(false);
  });
});

describe('devdb setup --write', () => {
  it('follows a link and keeps the mode of its target', async () => {
    const real = join(userHome, 'dotfiles.json');
    writeFileSync(real, '{ "mcpServers": { "other": { "command": "x" } } }');
    chmodSync(real, 0o644);
    mkdirSync(join(userHome, '.cursor'));
    symlinkSync(real, pathOf('cursor'));
    await setup(options('cursor'));
    expect(lstatSync(pathOf('cursor')).isSymbolicLink()).toBe(true);
    expect(statSync(real).mode & 0o777).toBe(0o644);
    expect(JSON.parse(readFileSync(real, 'utf8'))).toEqual({
      mcpServers: { other: { command: 'x' }, devdb: { command: 'node', args: [launcher] } },
    });
  });

  it('leaves a link out of the home and its target alone', async () => {
    const outside = mkdtempSync(join(tmpdir(), 'devdb-setup-outside-'));
    try {
      const target = join(outside, 'mcp.json');
      writeFileSync(target, '{}');
      mkdirSync(join(userHome, '.cursor'));
      symlinkSync(target, pathOf('cursor'));
      const { exitCode, stderr } = await setup(options('cursor'));
      expect({ exitCode, stderr }).toEqual({
        exitCode: 1,
        stderr: expect.stringContaining('a link that leads out of'),
      });
      expect(readFileSync(target, 'utf8')).toBe('{}');
    } finally {
      rmSync(outside, { recursive: true });
    }
  });

  it("starts Claude Code in the home, not in the working directory's project", async () => {
    const bin = join(userHome, 'bin');
    mkdirSync(bin);
    writeFileSync(join(bin, 'claude'), `#!/bin/sh\npwd > '${join(userHome, 'cwd')}'\n`, { mode: 0o755 });
    await setup(options('claude', { env: { PATH: `${bin}:/usr/bin:/bin` } }));
    expect(readFileSync(join(userHome, 'cwd'), 'utf8').trim()).toBe(realpathSync(userHome));
  });

  it('reports a dangling link', async () => {
    mkdirSync(join(userHome, '.cursor'));
    symlinkSync(join(userHome, 'gone'), pathOf('cursor'));
    expect(await setup(options('cursor'))).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('link') });
  });

  it('lets Claude Code add the server itself where it is installed, and replaces an older entry', async () => {
    const bin = join(userHome, 'bin');
    const calls = join(userHome, 'calls');
    mkdirSync(bin);
    writeFileSync(join(bin, 'claude'), `#!/bin/sh\necho "$@" >> '${calls}'\n`, { mode: 0o755 });
    const claude = options('claude', { env: { PATH: `${bin}:/usr/bin:/bin` } });
    expect((await setup(claude)).exitCode).toBe(0);
    writeFileSync(pathOf('claude'), '{ "mcpServers": { "devdb": { "type": "http" } } }');
    await setup(claude);
    const add = `mcp add --scope user devdb -- node ${launcher}`;
    expect(readFileSync(calls, 'utf8')).toBe(`${add}\nmcp remove --scope user devdb\n${add}\n`);
  });

  it("passes on Claude Code's message when it refuses", async () => {
    const bin = join(userHome, 'bin');
    mkdirSync(bin);
    writeFileSync(join(bin, 'claude'), '#!/bin/sh\necho "no such scope" >&2\nexit 3\n', { mode: 0o755 });
    const { exitCode, stderr } = await setup(options('claude', { env: { PATH: `${bin}:/usr/bin:/bin` } }));
    expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: 'claude mcp add failed: no such scope' });
  });
});

it('reports a launcher that does not exist yet', async () => {
  rmSync(launcher);
  expect((await setup(options('cursor', { write: false }))).stderr).toContain('does not exist yet');
});

it('quotes a path with spaces for the shell', async () => {
  const { stdout } = await setup(options('claude', { write: false, launcher: "/home/o'x y/devdb-mcp.cjs" }));
  expect(stdout).toContain(`claude mcp add --scope user devdb -- node '/home/o'\\''x y/devdb-mcp.cjs'`);
});

it.each([
  ['darwin', '/Users/me', {}, '/Users/me/Library/Application Support/Code/User/mcp.json'],
  ['linux', '/home/me', {}, '/home/me/.config/Code/User/mcp.json'],
  ['win32', 'C:\\Users\\me', { APPDATA: 'D:\\Roaming' }, 'D:\\Roaming\\Code\\User\\mcp.json'],
] as const)('knows where VS Code keeps its servers on %s', (platform, home, env, path) => {
  expect(clientFile('vscode', { platform, userHome: home, env }).path).toBe(path);
});

describe('fitNode', () => {
  const signal = AbortSignal.timeout(10_000);
  const editor = { execPath: '/editor/code', isElectron: true };

  function withNode(version: string): { PATH: string } {
    const bin = join(userHome, version);
    mkdirSync(bin);
    writeFileSync(join(bin, 'node'), `#!/bin/sh\necho ${version}\n`, { mode: 0o755 });
    return { PATH: `${bin}:/usr/bin:/bin` };
  }

  it('takes node from PATH when it is new enough', async () => {
    expect(await fitNode(withNode('v18.0.0'), editor, signal)).toEqual({ command: 'node' });
  });

  it.each(['v16.20.0', 'nonsense'])('takes the editor’s own in place of %s', async (version) => {
    const env = { ELECTRON_RUN_AS_NODE: '1' };
    expect(await fitNode(withNode(version), editor, signal)).toEqual({ command: '/editor/code', env });
  });

  it('takes the running one when there is none on PATH', async () => {
    expect(await fitNode({ PATH: userHome }, { execPath: '/n', isElectron: false }, signal)).toEqual({ command: '/n' });
  });
});
