import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeUnless } from '../../fixtures/labs/needs.ts';
import { type ContainerDaemon, containerDaemon } from '../src/detection/container-daemon.ts';
import { type DetectionResult, detect } from '../src/detection/detect.ts';
import { DETECTORS } from '../src/detection/index.ts';
import type { LogEvent } from '../src/host/log.ts';
import { FixtureProject } from './helpers/fixture-project.ts';

// A real HTTP server on a real socket, which says what Docker would.
const notHere = process.platform === 'win32' ? 'Windows has no such sockets' : undefined;

let project: FixtureProject;
let folder: string;
let socket: string;
let server: Server | undefined;
let questions: string[];

beforeEach(() => {
  project = new FixtureProject();
  folder = mkdtempSync(join(tmpdir(), 'devdb-docker-'));
  socket = join(folder, 'd.sock');
  questions = [];
});
afterEach(async () => {
  server?.closeAllConnections();
  await new Promise<void>((resolve) => (server === undefined ? resolve() : server.close(() => resolve())));
  server = undefined;
  project.remove();
  rmSync(folder, { recursive: true, force: true });
});

async function listen(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<void> {
  const listening = createServer((request, response) => {
    questions.push(`${request.method} ${decodeURIComponent(request.url ?? '')}`);
    answer(request, response);
  });
  server = listening;
  await new Promise<void>((resolve) => listening.listen(socket, resolve));
}

type Labels = Readonly<Record<string, string>>;

interface Port {
  readonly IP?: string;
  readonly PrivatePort: number;
  readonly PublicPort?: number;
  readonly Type: string;
}

const publishedAt = (port: number, IP = '127.0.0.1', inside = 5432): Port => ({
  IP,
  PrivatePort: inside,
  PublicPort: port,
  Type: 'tcp',
});

async function running(...containers: readonly { readonly Labels: Labels; readonly Ports: readonly Port[] }[]) {
  await listen((_request, response) => response.end(JSON.stringify(containers)));
}

const compose = (service: string, more: Labels = {}): Labels => ({
  'com.docker.compose.service': service,
  'com.docker.compose.project.working_dir': project.root,
  ...more,
});

const logged: unknown[] = [];
const log: LogEvent = (event, facts) => void logged.push([event, facts]);

async function look(daemon: Partial<ContainerDaemon> = {}, root = project.root): Promise<DetectionResult> {
  const containers = { sockets: [socket], timeoutMs: 60_000, ...daemon };
  const options = { projectRoot: root, detectors: DETECTORS, now: Date.now, log, containers };
  return await detect(options, AbortSignal.timeout(60_000));
}

async function targets(daemon?: Partial<ContainerDaemon>): Promise<readonly string[]> {
  return (await look(daemon)).found.map(({ id, shown }) => `${id} ${shown}`);
}

const FLOATING =
  'services:\n  db:\n    image: postgres\n    ports: ["5432"]\n    environment: {POSTGRES_PASSWORD: x}\n';

describeUnless(notHere, 'the ports of running containers', () => {
  it('reach a compose service whose port no file fixes, with one question that changes nothing', async () => {
    project.write('compose.yml', FLOATING);
    project.write('.env', 'DATABASE_URL=postgres://u:p@db/shop\n');
    await running({ Labels: compose('db'), Ports: [publishedAt(49_153, '0.0.0.0'), publishedAt(49_153, '::')] });
    expect(await targets()).toEqual(['env:DATABASE_URL 127.0.0.1:49153/shop', 'compose:db 127.0.0.1:49153/postgres']);
    expect(questions).toEqual([
      'GET /containers/json?filters={"label":["com.docker.compose.service"],"status":["running"]}',
    ]);
  });

  it('are not asked for where files fix every port', async () => {
    project.write('compose.yml', FLOATING.replace('"5432"', '"5433:5432"'));
    await running({ Labels: compose('db'), Ports: [publishedAt(49_153)] });
    expect(await targets()).toEqual(['compose:db 127.0.0.1:5433/postgres']);
    expect(questions).toEqual([]);
    expect((await look()).askedContainers).toBe(false);
  });

  it('are those of this project alone, by its real path or the one that it was opened by', async () => {
    project.write('compose.yml', FLOATING);
    const link = join(folder, 'link');
    symlinkSync(project.root, link);
    await running({
      Labels: compose('db', { 'com.docker.compose.project.working_dir': link }),
      Ports: [publishedAt(49_153)],
    });
    expect((await look({}, link)).found.map(({ shown }) => shown)).toEqual(['127.0.0.1:49153/postgres']);
    expect((await look()).found).toEqual([]);
  });

  it.each<[string, () => Labels, Port]>([
    [
      'of another folder',
      () => compose('db', { 'com.docker.compose.project.working_dir': '/elsewhere' }),
      publishedAt(1),
    ],
    [
      'of a folder above',
      () => compose('db', { 'com.docker.compose.project.working_dir': join(project.root, '..') }),
      publishedAt(1),
    ],
    ['of another service', () => compose('db2'), publishedAt(1)],
    ['without a folder', () => ({ 'com.docker.compose.service': 'db' }), publishedAt(1)],
    [
      'from a file for test runs',
      () => compose('db', { 'com.docker.compose.project.config_files': '/x/compose.test.yml' }),
      publishedAt(1),
    ],
    ['on the address of a network', () => compose('db'), publishedAt(1, '192.168.1.7')],
    ['of another port', () => compose('db'), publishedAt(1, '127.0.0.1', 8080)],
    ['without a published port', () => compose('db'), { PrivatePort: 5432, Type: 'tcp' }],
    ['of another protocol', () => compose('db'), { ...publishedAt(1), Type: 'udp' }],
  ])('are not taken from a container %s', async (_what, labels, port) => {
    project.write('compose.yml', FLOATING);
    await running({ Labels: labels(), Ports: [port] });
    const { found, skipped } = await look();
    expect(found).toEqual([]);
    expect(skipped.map(({ reason }) => reason)).toEqual([
      expect.stringContaining('gets a free port only when it runs'),
    ]);
  });

  it('are not taken where two containers claim to be the service', async () => {
    project.write('compose.yml', FLOATING);
    await running(
      { Labels: compose('db'), Ports: [publishedAt(49_153)] },
      { Labels: compose('db'), Ports: [publishedAt(49_154)] },
    );
    expect(await targets()).toEqual([]);
  });

  it('tell the development database from that of test runs by the compose files they came from', async () => {
    project.write('compose.yml', FLOATING);
    project.write('docker-compose.test.yml', FLOATING);
    const from = (name: string): Labels =>
      compose('db', { 'com.docker.compose.project.config_files': join(project.root, name) });
    await running(
      { Labels: from('docker-compose.test.yml'), Ports: [publishedAt(49_154)] },
      { Labels: from('compose.yml'), Ports: [publishedAt(49_153)] },
    );
    const { found } = await look();
    expect(found.map(({ shown, neverDefault }) => `${shown} ${neverDefault ?? 'default'}`)).toEqual([
      '127.0.0.1:49153/postgres default',
      '127.0.0.1:49154/postgres tests',
    ]);
  });

  it('reach the database of DDEV, Lando and wp-env', async () => {
    project.write('.ddev/config.yaml', 'name: site\ndatabase: {type: mariadb, version: "10.11"}\n');
    project.write('.lando.yml', 'services:\n  store:\n    type: postgres:14\n    portforward: true\n');
    project.write('.wp-env.json', '{}');
    const digest = createHash('md5').update(join(project.root, '.wp-env.json')).digest('hex');
    const service = (name: string): Labels => ({ 'com.docker.compose.service': name });
    const wordpress = { 'com.docker.compose.project.working_dir': `/home/u/.wp-env/site-${digest}` };
    await running(
      {
        Labels: { ...service('db'), 'com.ddev.site-name': 'site', 'com.ddev.approot': project.root },
        Ports: [publishedAt(32_770, '127.0.0.1', 3306)],
      },
      {
        Labels: {
          ...service('store'),
          'io.lando.container': 'TRUE',
          'io.lando.src': `${project.root}/.lando.yml,${project.root}/.lando.local.yml`,
        },
        Ports: [publishedAt(32_771)],
      },
      { Labels: { ...service('mysql'), ...wordpress }, Ports: [publishedAt(32_772, '0.0.0.0', 3306)] },
      { Labels: { ...service('tests-mysql'), ...wordpress }, Ports: [publishedAt(32_773, '0.0.0.0', 3306)] },
    );
    const { found } = await look();
    expect(found.map(({ id, shown, neverDefault = 'default' }) => `${id} ${shown} ${neverDefault}`)).toEqual([
      'ddev:db 127.0.0.1:32770/db default',
      'lando:store 127.0.0.1:32771/database default',
      'wp-env:wordpress 127.0.0.1:32772/wordpress default',
      'wp-env:tests-wordpress 127.0.0.1:32773/tests-wordpress tests',
    ]);
    expect(questions).toHaveLength(1);
  });

  it.each<[string, (response: ServerResponse) => void]>([
    ['no JSON', (response) => response.end('<html>')],
    ['a list of something else', (response) => response.end('[{"Labels": [1], "Ports": "x"}]')],
    ['an error', (response) => response.writeHead(500).end('[]')],
    ['another place', (response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end()],
    [
      'half of it',
      (response) => void response.writeHead(200, { 'content-length': '9' }).write('[', () => response.destroy()),
    ],
    ['more than is read', (response) => response.end(`["${'x'.repeat(3 * 1024 * 1024)}"]`)],
    [
      'a port that is none',
      (response) => response.end(JSON.stringify([{ Labels: compose('db'), Ports: [publishedAt(70_000)] }])),
    ],
  ])('are unknown where the answer is %s, which the log has', async (_what, answer) => {
    project.write('compose.yml', FLOATING);
    await listen((_request, response) => answer(response));
    logged.length = 0;
    expect(await targets()).toEqual([]);
    expect(logged).toEqual([['containers unknown', { socket, error: expect.anything() }]]);
  });

  it.each<[string, (response: ServerResponse) => void]>([
    ['nothing', () => undefined],
    ['without an end', (response) => void response.writeHead(200).write('[')],
  ])('are unknown when the time is over, where the daemon says %s', async (_what, answer) => {
    project.write('compose.yml', FLOATING);
    await listen((_request, response) => answer(response));
    expect(await targets({ timeoutMs: 50 })).toEqual([]);
    expect(questions.length).toBeLessThan(2);
  });

  it('are unknown where the socket is a file, or is not there', async () => {
    project.write('compose.yml', FLOATING);
    writeFileSync(socket, '');
    expect(await targets()).toEqual([]);
    expect(await targets({ sockets: [join(folder, 'none.sock')] })).toEqual([]);
  });

  it('are asked for again after a while, since no file changes with them', async () => {
    project.write('compose.yml', FLOATING);
    let port = 49_153;
    await listen((_request, response) =>
      response.end(JSON.stringify([{ Labels: compose('db'), Ports: [publishedAt(port)] }])),
    );
    let now = Date.now() + 60_000;
    const book = project.book({ now: () => now, containers: { sockets: [socket], timeoutMs: 60_000 } });
    const target = async () => (await book.list(AbortSignal.timeout(60_000))).connections[0]?.target;
    expect(await target()).toBe('127.0.0.1:49153/postgres');
    port = 49_154;
    expect(await target()).toBe('127.0.0.1:49153/postgres');
    now += 6_000;
    expect(await target()).toBe('127.0.0.1:49154/postgres');
  });
});

describe('the container daemon', () => {
  const sockets = (env: Readonly<Record<string, string>>) => containerDaemon(env, false)?.sockets;

  describeUnless(notHere, 'on a system with sockets', () => {
    it('is looked for at the usual places of Docker and Podman, with and without root', () => {
      expect(sockets({ HOME: '/home/u', XDG_RUNTIME_DIR: '/run/user/7' })).toEqual([
        '/var/run/docker.sock',
        '/run/podman/podman.sock',
        '/run/user/7/docker.sock',
        '/run/user/7/podman/podman.sock',
        '/home/u/.docker/run/docker.sock',
        '/home/u/.orbstack/run/docker.sock',
        '/home/u/.colima/default/docker.sock',
      ]);
      expect(sockets({ DOCKER_HOST: 'unix:///run/user/7/docker.sock' })).toEqual(['/run/user/7/docker.sock']);
    });

    it('is asked inside a container only where the user names its socket', () => {
      expect(containerDaemon({ HOME: '/home/u' }, true)).toBeUndefined();
      expect(containerDaemon({ DOCKER_HOST: 'unix:///d.sock' }, true)?.sockets).toEqual(['/d.sock']);
    });
  });

  it.each(['tcp://127.0.0.1:2375', 'ssh://me@host', 'unix://relative.sock', 'npipe:////./pipe/docker', 'x'])(
    'is not asked where DOCKER_HOST leads to %s',
    (host) => {
      expect(containerDaemon({ DOCKER_HOST: host }, false)).toBeUndefined();
    },
  );

  it.each(['off', 'OFF', '0', 'false', 'no'])('is switched off by DEVDB_CONTAINERS=%s', (value) => {
    expect(containerDaemon({ DEVDB_CONTAINERS: value, HOME: '/home/u' }, false)).toBeUndefined();
  });
});
