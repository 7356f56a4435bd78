import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { SHUTDOWN_GRACE_MS } from '@devdb/shared/limits';
import { testWhere } from '../../fixtures/labs/needs.ts';
import { homeAt } from '../src/host/home.ts';
import { TurnSeeker } from '../src/registry/file-lock.ts';
import { httpClient, rest, stdioClient } from './helpers/clients.ts';
import { driverDir } from './helpers/driver-dir.ts';
import { until } from './helpers/processes.ts';
import { CLI, DIST, type RunningSidecar, startSidecar } from './helpers/start-sidecar.ts';
import { type TempProject, tempProject } from './helpers/temp-project.ts';

let project: TempProject;
const running: RunningSidecar[] = [];

beforeEach(() => {
  project = tempProject();
  project.database('app.db', "CREATE TABLE t(who TEXT); INSERT INTO t VALUES ('first project')");
  // Parallel suites have other homes and do not know each other's ports, so each gets its own range.
  const lastUsed = new Date().toISOString();
  mkdirSync(project.home, { recursive: true });
  writeFileSync(join(project.home, 'ports.json'), JSON.stringify({ [project.root]: { port: corner(), lastUsed } }));
});

/** Below the ports of outgoing connections, where an ended connection holds its port for a minute. */
const corner = () => 20_000 + Math.floor(Math.random() * 10_000);

afterEach(async () => {
  await Promise.all(running.splice(0).map((sidecar) => sidecar.stop()));
  project.remove();
});

async function serve(root = project.root, ...args: string[]): Promise<RunningSidecar> {
  const sidecar = await startSidecar({ home: project.home, root, args });
  running.push(sidecar);
  return sidecar;
}

const registry = (): unknown => JSON.parse(readFileSync(join(project.home, 'mcp.json'), 'utf8'));

function devdb(...args: string[]) {
  return devdbWith({ DEVDB_HOME: project.home }, ...args);
}

function devdbWith(env: Readonly<Record<string, string>>, ...args: string[]) {
  return spawnSync(process.execPath, [CLI, ...args], { env: { ...process.env, ...env }, encoding: 'utf8' });
}

test('the first project gets 50001 or the next free port, the second another, and one stdio client reaches both', async () => {
  const other = project.another('other');
  other.database('b.db', "CREATE TABLE t(who TEXT); INSERT INTO t VALUES ('second project')");
  rmSync(join(project.home, 'ports.json'));
  const [first, second] = [await serve(), await serve(other.root)];
  expect(first.port).toBeGreaterThanOrEqual(50_001);
  expect(second.port).not.toBe(first.port);
  expect(registry()).toEqual({ [project.root]: first.port, [other.root]: second.port });
  const client = await stdioClient(project.home);
  for (const [root, who] of [
    [project.root, 'first project'],
    [other.root, 'second project'],
  ] as const) {
    const answer = await client.call('run-query', { projectRoot: root, query: 'SELECT who FROM t' });
    expect(answer.envelope.data).toMatchObject({ rows: [[who]] });
  }
  await client.close();
});

test('closing removes the entry, and reopening gives the same port', async () => {
  const first = await serve();
  expect(await first.stop()).toBe(0);
  expect(registry()).toEqual({});
  const again = await serve();
  expect(again.port).toBe(first.port);
});

test('closing its terminal ends it as Ctrl-C does', async () => {
  const sidecar = await serve();
  expect(await sidecar.stop('SIGHUP')).toBe(0);
  expect(registry()).toEqual({});
});

test('a crash leaves the entry, and reopening gives the same port', async () => {
  const first = await serve();
  await first.stop('SIGKILL');
  expect(registry()).toEqual({ [project.root]: first.port });
  expect((await serve()).port).toBe(first.port);
});

test('if the port was taken meanwhile, the next one is used silently, and both files are updated', async () => {
  const first = await serve();
  await first.stop();
  const squatter = createServer().listen(first.port, '127.0.0.1');
  await once(squatter, 'listening');
  try {
    const second = await serve();
    expect(second.port).not.toBe(first.port);
    expect(registry()).toEqual({ [project.root]: second.port });
    expect(JSON.parse(readFileSync(join(project.home, 'ports.json'), 'utf8'))).toMatchObject({
      [project.root]: { port: second.port },
    });
  } finally {
    squatter.close();
  }
});

test('the same after a crash, when the program on the port accepts connections and says nothing', async () => {
  const first = await serve();
  await first.stop('SIGKILL');
  const squatter = createServer().listen(first.port, '127.0.0.1');
  await once(squatter, 'listening');
  try {
    const second = await serve();
    expect(registry()).toEqual({ [project.root]: second.port });
  } finally {
    squatter.close();
  }
});

test.each([
  ['is gone', (at: number) => `/gone/${at}`, 0],
  ['was not open for 30 days', (at: number) => (at === 0 ? project.home : join(project.home, String(at))), 31],
])('a port only remembered by a project which %s is free for others', async (_which, root, days) => {
  // All of the first ports, since parallel suites hold some of them.
  const lastUsed = new Date(Date.now() - days * 24 * 60 * 60_000).toISOString();
  const first = Number(process.env['DEVDB_FIRST_PORT'] ?? 50_001);
  const remembered = Array.from({ length: 300 }, (_, at) => [root(at), { port: first + at, lastUsed }] as const);
  if (days > 0) for (const [folder] of remembered) mkdirSync(folder, { recursive: true });
  writeFileSync(join(project.home, 'ports.json'), JSON.stringify(Object.fromEntries(remembered)));
  expect((await serve()).port).toBeLessThan(first + 300);
});

test('a stale entry whose port now serves another project is an error, never the other project', async () => {
  const other = project.another('other');
  other.database('b.db', "CREATE TABLE t(who TEXT); INSERT INTO t VALUES ('second project')");
  const second = await serve(other.root);
  const stale = { [project.root]: second.port, [other.root]: second.port };
  writeFileSync(join(project.home, 'mcp.json'), JSON.stringify(stale, null, 2));
  const client = await stdioClient(project.home);
  const answer = await client.call('run-query', { projectRoot: project.root, query: 'SELECT who FROM t' });
  expect(answer.isError).toBe(true);
  expect(answer.text.split('\n')[0]).toBe(`Error: MCP server not running for project: ${project.root}`);
  expect(JSON.stringify(answer)).not.toContain('second project');
  await client.close();
});

test('the same project under another spelling is the same project', async () => {
  await serve();
  const link = join(project.home, 'link');
  symlinkSync(project.root, link);
  const client = await stdioClient(project.home);
  for (const root of [`${project.root}/`, `${project.root}/missing/..`, link, `${link}//`]) {
    expect((await client.call('get-tables', { projectRoot: root })).text).toBe('["t"]');
  }
  await client.close();
});

test('a folder whose name contains a separator that readers take for a line break is served', async () => {
  const root = join(project.root, 'a\u2028b');
  mkdirSync(root);
  const odd = await startSidecar({ home: project.home, root });
  expect(odd.projectRoot).toBe(root);
  await odd.stop();
});

test('the last of two for one project wins, and when it leaves the other is back in the registry', async () => {
  const first = await serve();
  const second = await serve();
  expect(registry()).toEqual({ [project.root]: second.port });
  await second.stop();
  await until('the first is back', () => JSON.stringify(registry()) === JSON.stringify({ [project.root]: first.port }));
});

test("one that has to wait for the home's lock when it ends still removes its entry", async () => {
  const sidecar = await serve();
  const turn = new TurnSeeker(homeAt(project.home).lock, driverDir(join(project.home, 'driver')));
  await until('the turn is ours', () => turn.take());
  const stopped = sidecar.stop();
  // Longer than the hard stop of a process that hangs.
  const alone = new Promise((resolve) => setTimeout(resolve, SHUTDOWN_GRACE_MS + 1_000));
  await Promise.race([alone, stopped]);
  turn.close();
  expect(await stopped).toBe(0);
  expect(registry()).toEqual({});
});

test('a registry that does not parse is moved aside and rebuilt', async () => {
  mkdirSync(project.home, { recursive: true });
  writeFileSync(join(project.home, 'mcp.json'), '{ "half');
  const sidecar = await serve();
  expect(registry()).toEqual({ [project.root]: sidecar.port });
  const aside = readdirSync(project.home).filter((name) => name.startsWith('mcp.json.broken'));
  expect(aside).toHaveLength(1);
  expect(readFileSync(join(project.home, aside[0] ?? ''), 'utf8')).toBe('{ "half');
});

test('the home is readable by its user alone', async () => {
  await serve();
  expect(statSync(project.home).mode & 0o777).toBe(0o700);
  for (const name of ['mcp.json', 'ports.json', 'token']) {
    expect([name, statSync(join(project.home, name)).mode & 0o777]).toEqual([name, 0o600]);
  }
  expect(existsSync(join(project.home, 'bin', 'devdb-mcp.cjs'))).toBe(true);
});

test('it keeps serving when the folder it was started from is deleted', async () => {
  const bundle = join(project.home, '..', 'bundle');
  cpSync(DIST, bundle, { recursive: true });
  const sidecar = await startSidecar({ home: project.home, root: project.root, cli: join(bundle, 'cli.js') });
  running.push(sidecar);
  rmSync(bundle, { recursive: true });
  expect((await rest(sidecar, 'GET', '/tables')).body).toEqual({ tables: ['t'] });
  const overHttp = await httpClient(sidecar);
  expect((await overHttp.call('get-tables', {})).text).toBe('["t"]');
  await overHttp.close();
});

test('a missing project root and a wrong command line end with 2 and say what is wrong', () => {
  expect(devdb('serve', '--project', join(project.root, 'no'))).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('no such folder'),
  });
  expect(devdb('serve')).toMatchObject({ status: 2, stderr: expect.stringContaining('--project DIR is missing') });
  expect(devdb('serve', '--project', project.root, '--writes', 'maybe')).toMatchObject({ status: 2 });
  expect(devdb('serve', '--project', project.root, '--port', '0')).toMatchObject({ status: 2 });
  expect(devdb('nonsense')).toMatchObject({ status: 2, stderr: expect.stringContaining('unknown command') });
  expect(devdb('setup', 'emacs')).toMatchObject({ status: 2 });
  for (const words of [['doctor', '--project', project.root], ['status'], ['trust', '--project', project.root]]) {
    expect(devdb(...words, 'extra')).toMatchObject({
      status: 2,
      stdout: '',
      stderr: expect.stringContaining("'extra'"),
    });
  }
});

test('a home that is not a folder is reported with what to do, without a stack', () => {
  const file = join(project.root, 'app.db');
  const { status, stderr } = devdbWith({ DEVDB_HOME: file }, 'serve', '--project', project.root);
  expect([status, stderr.trim().split('\n')]).toEqual([1, [expect.stringContaining(`DevDB cannot use ${file}`)]]);
  expect(stderr).toContain('DEVDB_HOME can name another');
});

test('a home given by a relative path is relative to the working directory', async () => {
  const cwd = join(project.home, '..');
  const sidecar = await startSidecar({
    home: join(cwd, 'relative'),
    root: project.root,
    cwd,
    env: { DEVDB_HOME: 'relative' },
  });
  running.push(sidecar);
  expect((await rest(sidecar, 'GET', '/tables')).body).toEqual({ tables: ['t'] });
  const env = { ...process.env, DEVDB_HOME: 'relative' };
  const { stdout } = spawnSync(process.execPath, [CLI, 'setup', 'cursor'], { cwd, env, encoding: 'utf8' });
  expect(stdout).toContain(JSON.stringify(join(cwd, 'relative', 'bin', 'devdb-mcp.cjs')));
});

const through = (shell: string) =>
  spawnSync('bash', ['-c', shell, 'bash', process.execPath, CLI], {
    env: { ...process.env, DEVDB_HOME: project.home },
    encoding: 'utf8',
  });

test('a reader that closes early is not a failure, and lost output is one', async () => {
  // The reader is certainly gone before the command starts.
  expect(through('(sleep 0.3; exec "$1" "$2" --help) | true; echo $PIPESTATUS')).toMatchObject({
    stdout: '0\n',
    stderr: '',
  });
});

const withFullDevice = testWhere(existsSync('/dev/full'), 'output that cannot be written', 'there is no /dev/full');

withFullDevice('output that cannot be written is reported, and ends with 1', () => {
  const full = through('"$1" "$2" --help > /dev/full; echo $?');
  expect(full).toMatchObject({ stdout: '1\n', stderr: expect.stringContaining('the output could not be written') });
  expect(full.stderr).not.toContain('    at ');
});

test('--help of each command ends with 0, and --version is the version of the package', () => {
  for (const name of ['mcp', 'serve', 'doctor', 'status', 'setup', 'trust']) {
    expect(devdb(name, '--help')).toMatchObject({ status: 0, stdout: expect.stringContaining(`devdb ${name}`) });
  }
  const manifest: unknown = JSON.parse(readFileSync(join(__dirname, '..', 'package.json'), 'utf8'));
  expect(devdb('--version')).toMatchObject({ status: 0, stdout: `${Object(manifest).version}\n` });
});

test('status and doctor report the open project', async () => {
  const sidecar = await serve();
  const status: unknown = JSON.parse(devdb('status', '--json').stdout);
  expect(status).toMatchObject({
    projects: [{ projectRoot: project.root, port: sidecar.port, pid: sidecar.pid, alive: true }],
  });
  const doctor = devdb('doctor', '--project', project.root, '--json');
  expect(doctor.status).toBe(0);
  expect(JSON.parse(doctor.stdout)).toMatchObject({ ok: true, sidecar: { state: 'alive', port: sidecar.port } });
  expect(devdb('doctor', '--project', project.root).stdout).toContain('app.db');
});

test.each([
  ['info', false],
  ['debug', true],
])('at the level %s the line of a call contains its SQL: %s', async (level, held) => {
  const sidecar = await startSidecar({ home: project.home, root: project.root, env: { DEVDB_LOG_LEVEL: level } });
  running.push(sidecar);
  await rest(sidecar, 'POST', '/query', { query: "SELECT 'a value' FROM t" });
  await sidecar.stop();
  const log = sidecar.stderr() + readFileSync(join(project.home, 'logs', 'sidecar.log'), 'utf8');
  expect(log).toContain('"tool":"run-query"');
  expect(log.includes('a value')).toBe(held);
});

test('a taken fixed port is reported once, and the next free one is used', async () => {
  const squatter = createServer().listen(0, '127.0.0.1');
  await once(squatter, 'listening');
  const address = squatter.address();
  const taken = typeof address === 'object' && address !== null ? address.port : 0;
  try {
    const sidecar = await serve(project.root, '--port', String(taken));
    expect(sidecar.port).not.toBe(taken);
    expect(sidecar.stderr().match(/fixed-port-taken/g)).toHaveLength(1);
  } finally {
    squatter.close();
  }
});

test('SIGINT while it starts ends it without a stack', async () => {
  const child = spawn(process.execPath, [CLI, 'serve', '--project', project.root], {
    env: { ...process.env, DEVDB_HOME: project.home },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stderr = '';
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  child.kill('SIGINT');
  await once(child, 'exit');
  expect(stderr).not.toContain('    at ');
});
