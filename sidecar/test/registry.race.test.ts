import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { homeAt } from '../src/host/home.ts';
import { readToken } from '../src/host/token.ts';
import { HomeLock } from '../src/registry/home-lock.ts';
import { probeFor } from '../src/registry/probe.ts';
import { readRegistry } from '../src/registry/read-registry.ts';
import { type FixtureChild, startChild } from './helpers/children.ts';
import { driverDir } from './helpers/driver-dir.ts';

jest.setTimeout(180_000);

const children: FixtureChild[] = [];
let dir = '';
let driver = '';
const readers: { stop(): unknown }[] = [];

beforeEach(() => {
  dir = realpathSync(mkdtempSync(join(tmpdir(), 'devdb-registry-')));
  driver = driverDir(join(dir, 'driver'));
});

afterEach(async () => {
  for (const reader of readers.splice(0)) reader.stop();
  await Promise.all(children.splice(0).map((child) => child.kill()));
  rmSync(dir, { recursive: true, force: true });
});

const home = () => homeAt(join(dir, 'home'));

function project(name: string): string {
  const root = join(dir, name);
  mkdirSync(root, { recursive: true });
  return root;
}

function open(root: string, kind = 'window', ...fixedPort: string[]): FixtureChild {
  const child = startChild('holds-port.ts', [home().dir, driver, root, kind, ...fixedPort]);
  children.push(child);
  return child;
}

async function portOf(child: FixtureChild): Promise<number> {
  const port = await child.next('port');
  if (typeof port !== 'number') throw new Error(`said ${String(port)}`);
  return port;
}

function listen(port: number): Promise<Server> {
  const server = createServer();
  return new Promise((resolve, reject) => {
    server.once('error', reject).listen(port, '127.0.0.1', () => resolve(server));
  });
}

/** Resolves when the registry has this port for the root; the test's own timeout is the limit. */
async function until(root: string, port: number | undefined): Promise<number> {
  const start = performance.now();
  while (readRegistry(home())[root] !== port) await new Promise((resolve) => setImmediate(resolve));
  return performance.now() - start;
}

/**
 * Whether only `owner` can hold a given port: none of the other processes, and no stranger. The ports are in the
 * system's range for outgoing connections, where an ended connection holds its port for a minute.
 */
async function isFree(told: unknown, inUse: ReadonlySet<number>, owner: number): Promise<boolean> {
  if (typeof told !== 'number' || told === owner) return told === owner;
  if (inUse.has(told)) return false;
  try {
    const server = await listen(told);
    await new Promise((resolve) => server.close(resolve));
    return true;
  } catch {
    return false;
  }
}

/** The ports that processes must have now: their previous ones, unless those are taken. */
function expected(now: readonly number[], before: readonly unknown[], inUse: ReadonlySet<number>): Promise<unknown[]> {
  return Promise.all(now.map(async (port, at) => ((await isFree(before[at], inUse, port)) ? before[at] : port)));
}

/** Reads the registry continuously; a state that does not parse or contains a port twice is a failure. */
function readAllTheTime(): { stop(): { reads: number; problems: string[] } } {
  const problems: string[] = [];
  let reads = 0;
  let on = true;
  const read = () => {
    if (!on) return;
    try {
      const ports = Object.values(readRegistry(home()));
      if (new Set(ports).size < ports.length) problems.push(`shared: ${ports.join(' ')}`);
      reads += 1;
    } catch (error) {
      problems.push(String(error));
    }
    setTimeout(read, 1);
  };
  read();
  const reader = {
    stop: () => {
      on = false;
      return { reads, problems };
    },
  };
  readers.push(reader);
  return reader;
}

test('50 processes open and close at once, some killed in the middle: nothing lost, nothing shared, always parses', async () => {
  const roots = Array.from({ length: 50 }, (_, at) => project(`project ${at} äöü`));
  const reader = readAllTheTime();
  const open50 = roots.map((root) => open(root));
  // Every fifth is killed when its neighbour is ready: before, during or after its own claim, as it happens.
  const killed = open50.filter((_, at) => at % 5 === 0);
  const kept = open50.filter((_, at) => at % 5 !== 0);
  const keptRoots = roots.filter((_, at) => at % 5 !== 0);
  let [ports] = await Promise.all([
    Promise.all(kept.map(portOf)),
    ...killed.map(async (child, at) => {
      const neighbour = kept[at * 4];
      while (neighbour && neighbour.said.length === 0) await new Promise((resolve) => setTimeout(resolve, 1));
      await child.kill();
    }),
  ]);
  expect(new Set(ports).size).toBe(ports.length);
  expect(readRegistry(home())).toMatchObject(Object.fromEntries(keptRoots.map((root, at) => [root, ports[at]])));

  // All of them close and reopen at once, twice: each gets its own port back.
  for (let round = 0; round < 2; round += 1) {
    for (const child of kept) child.write('reopen');
    const reopened = await Promise.all(kept.map(portOf));
    expect(reopened).toEqual(await expected(reopened, ports, new Set(reopened)));
    ports = reopened;
  }
  expect(readRegistry(home())).toMatchObject(Object.fromEntries(keptRoots.map((root, at) => [root, ports[at]])));

  // A killed one that had reported its port gets it back,
  const restarted = await Promise.all(roots.filter((_, at) => at % 5 === 0).map((root) => portOf(open(root))));
  const before = killed.map((child) => child.said.find((fact) => 'port' in fact)?.['port']);
  const inUse = new Set([...ports, ...restarted]);
  expect(inUse.size).toBe(50);
  // unless another bound it between the death and the restart, having chosen before it was remembered.
  expect(restarted).toEqual(await expected(restarted, before, inUse));

  const codes = await Promise.all(children.filter((child) => !killed.includes(child)).map((child) => child.end()));
  expect(new Set(codes)).toEqual(new Set([0]));
  expect(readRegistry(home())).toEqual({});
  const { reads, problems } = reader.stop();
  expect(problems).toEqual([]);
  expect(reads).toBeGreaterThan(100);
  expect(children.flatMap((child) => child.said.filter((fact) => !('port' in fact)))).toEqual([]);
  expect(readdirSync(home().dir).sort()).toEqual(['lock', 'mcp.json', 'ports.json', 'token']);
});

test('processes that start at once agree on one token', async () => {
  const roots = Array.from({ length: 12 }, (_, at) => project(`p${at}`));
  const ports = await Promise.all(roots.map((root) => portOf(open(root))));
  const token = readToken(home());
  if (!token) throw new Error('no token');
  expect(token.open()).toMatch(/^[0-9a-f]{64}$/);
  const { signal } = new AbortController();
  const holders = await Promise.all(roots.map((root, at) => probeFor(root, token)(ports[at] ?? 0, signal)));
  expect(holders).toEqual(roots.map(() => ({ state: 'open', kind: 'window' })));
});

test('a project gets its port back after a crash and after a close', async () => {
  const root = project('a');
  const first = open(root);
  const port = await portOf(first);
  await first.kill();
  expect(readRegistry(home())).toEqual({ [root]: port });
  const second = open(root);
  expect(await portOf(second)).toBe(port);
  await second.end();
  expect(readRegistry(home())).toEqual({});
  expect(await portOf(open(root))).toBe(port);
});

test('a project whose port was taken meanwhile gets the next one, and no client is sent to the wrong project', async () => {
  const [one, other] = [project('one'), project('other')];
  const first = open(one);
  const port = await portOf(first);
  await first.kill();
  // The other project gets the port by its own setting, although it is remembered.
  await portOf(open(other, 'window', String(port)));
  expect(readRegistry(home())).toEqual({ [other]: port });
  const next = await portOf(open(one));
  expect(next).not.toBe(port);
  expect(readRegistry(home())).toEqual({ [one]: next, [other]: port });
});

test('a taken fixed port is reported once, and the next one is used', async () => {
  const stranger = await listen(0);
  const address = stranger.address();
  const taken = typeof address === 'object' && address ? address.port : 0;
  const child = open(project('a'), 'window', String(taken));
  const port = await portOf(child);
  expect(port).toBeGreaterThanOrEqual(50_001);
  expect(child.said).toEqual([{ fixedPortTaken: taken }, { port }]);
  await new Promise((resolve) => stranger.close(resolve));
});

test('a successor waits for its predecessor and keeps its port: a reload', async () => {
  const root = project('a');
  const first = open(root);
  const port = await portOf(first);
  const second = open(root);
  // The successor has chosen only once it has found the port taken; whether the first ends before or after must not
  // matter.
  const [code, kept] = await Promise.all([first.end(), portOf(second)]);
  expect([code, kept]).toEqual([0, port]);
  expect(readRegistry(home())).toEqual({ [root]: port });
});

test('the last window wins; when it closes or crashes, the other one is back within 2 seconds', async () => {
  const root = project('a');
  const first = open(root);
  const firstPort = await portOf(first);
  for (const leave of ['end', 'kill'] as const) {
    const second = open(root);
    const secondPort = await portOf(second);
    expect(secondPort).not.toBe(firstPort);
    expect(readRegistry(home())).toEqual({ [root]: secondPort });
    await second[leave]();
    expect(await until(root, firstPort)).toBeLessThan(2_000);
  }
});

test('a headless sidecar never displaces a live window, and takes over when the window is gone', async () => {
  const root = project('a');
  const window = open(root);
  const windowPort = await portOf(window);
  const headless = open(root, 'headless');
  const headlessPort = await portOf(headless);
  expect(readRegistry(home())).toEqual({ [root]: windowPort });
  await window.end();
  expect(await until(root, headlessPort)).toBeLessThan(2_000);
  const again = await portOf(open(root));
  expect(readRegistry(home())).toEqual({ [root]: again });
});

test.each([
  ['deleted', (file: string) => rmSync(file)],
  ['damaged', (file: string) => writeFileSync(file, '{"half')],
  ['replaced by an older one', (file: string) => writeFileSync(file, '{}\n')],
])('a registry that was %s is whole again within 2 seconds', async (_how, harm) => {
  const [one, other] = [project('one'), project('other')];
  const [onePort, otherPort] = [await portOf(open(one)), await portOf(open(other))];
  harm(home().registry);
  const start = performance.now();
  for (;;) {
    try {
      await Promise.all([until(one, onePort), until(other, otherPort)]);
      break;
    } catch {
      // Still damaged.
    }
  }
  expect(performance.now() - start).toBeLessThan(2_000);
});

test('the content of a damaged registry is kept beside it and reported', async () => {
  mkdirSync(home().dir, { recursive: true });
  writeFileSync(home().registry, '{"half');
  const child = open(project('a'));
  await portOf(child);
  const kept = readdirSync(home().dir).find((name) => name.startsWith('mcp.json.broken-'));
  expect(kept).toBeDefined();
  expect(readFileSync(join(home().dir, kept ?? ''), 'utf8')).toBe('{"half');
  expect(child.said[0]).toEqual({ broken: home().registry, movedTo: join(home().dir, kept ?? '') });
});

test('a lock whose holder was killed is free at once', async () => {
  mkdirSync(home().dir, { recursive: true });
  const holder = startChild('holds-file.ts', [home().lock, driver, 'alone']);
  children.push(holder);
  expect(await holder.next('held')).toBe(true);
  const lock = new HomeLock({ home: home(), bundleDir: driver });
  let inside = false;
  const run = lock.run(new AbortController().signal, () => {
    inside = true;
  });
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(inside).toBe(false);
  await holder.kill();
  await run;
  expect(inside).toBe(true);
});

test('a process that dies during a write leaves the registry as it was, and no other process waits for it', async () => {
  const [one, other] = [project('one'), project('other')];
  const onePort = await portOf(open(one));
  const dying = startChild('dies-in-write.ts', [home().dir, driver]);
  children.push(dying);
  await new Promise((resolve) => dying.process.once('close', resolve));
  expect(readRegistry(home())).toEqual({ [one]: onePort });
  const otherPort = await portOf(open(other));
  expect(readRegistry(home())).toEqual({ [one]: onePort, [other]: otherPort });
  expect(readdirSync(home().dir).sort()).toEqual(['lock', 'mcp.json', 'ports.json', 'token']);
});

test('the folder is for its owner alone, and so is every file in it', async () => {
  await portOf(open(project('a')));
  const modes = readdirSync(home().dir).map((name) => statSync(join(home().dir, name)).mode & 0o777);
  expect(statSync(home().dir).mode & 0o777).toBe(0o700);
  expect(new Set(modes)).toEqual(new Set([0o600]));
});
