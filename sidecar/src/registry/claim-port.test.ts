import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { driverDir } from '../../test/helpers/driver-dir.ts';
import { homeAt } from '../host/home.ts';
import { candidates, claimPort, firstPortOf } from './claim-port.ts';
import { HomeLock } from './home-lock.ts';
import { PORT_RETRY_MS, RELOAD_OVERLAP_MS } from './limits.ts';
import { RegistryFile } from './registry-file.ts';

const lastUsed = '2026-03-01T00:00:00.000Z';

const nothing = { entries: {}, remembered: {} };
const noneGone = async () => new Set<string>();

const from = (fixedPort?: number) => ({ firstPort: firstPortOf({}), fixedPort });

async function all(...given: Parameters<typeof candidates>): Promise<number[]> {
  const ports: number[] = [];
  for await (const port of candidates(...given)) ports.push(port);
  return ports;
}

describe('the order in which ports are tried', () => {
  test('starts at 50001', async () => {
    expect((await all('/a', from(), nothing, noneGone)).slice(0, 3)).toEqual([50_001, 50_002, 50_003]);
  });

  test('has the fixed one before the entry, the entry before the remembered one, and that before free ones', async () => {
    const state = { entries: { '/a': 50_008 }, remembered: { '/a': { port: 50_009, lastUsed } } };
    expect((await all('/a', from(40_000), state, noneGone)).slice(0, 4)).toEqual([40_000, 50_008, 50_009, 50_001]);
  });

  test('skips what other projects have or remember, and uses that last', async () => {
    const state = { entries: { '/c': 50_003 }, remembered: { '/b': { port: 50_001, lastUsed } } };
    const ports = await all('/a', from(), state, noneGone);
    expect(ports.slice(0, 3)).toEqual([50_002, 50_004, 50_005]);
    expect(ports.slice(-2)).toEqual([50_001, 50_003]);
    expect(new Set(ports).size).toBe(65_535 - 50_000);
  });
});

test.each([
  ['52001', 52_001],
  ['', 50_001],
  ['80', 50_001],
  ['65536', 50_001],
  ['many', 50_001],
])('the search begins where DEVDB_FIRST_PORT says: %j', (text, port) => {
  expect(firstPortOf({ DEVDB_FIRST_PORT: text })).toBe(port);
});

test('a port remembered by a project whose folder is gone is free for others', async () => {
  const remembered = {
    '/a': { port: 50_003, lastUsed },
    '/b': { port: 50_001, lastUsed },
    '/c': { port: 50_002, lastUsed },
  };
  const asked: string[] = [];
  const gone = async (roots: readonly string[]) => {
    asked.push(...roots);
    return new Set(['/b']);
  };
  expect((await all('/a', from(), { entries: {}, remembered }, gone)).slice(0, 3)).toEqual([50_003, 50_001, 50_003]);
  expect(asked).toEqual(['/b', '/c']);
});

describe('claiming', () => {
  // Apart from those that sidecars of other suites take.
  const firstPort = 49_001;
  let dir = '';
  let registry: RegistryFile;
  const never = new AbortController().signal;
  const servers: Server[] = [];

  beforeAll(() => {
    dir = mkdtempSync(join(tmpdir(), 'devdb-claim-'));
    driverDir(dir);
  });

  beforeEach(() => {
    const home = homeAt(mkdtempSync(join(dir, 'home-')));
    const onBroken = () => undefined;
    registry = new RegistryFile({ home, lock: new HomeLock({ home, bundleDir: dir }), onBroken });
  });

  afterEach(async () => {
    await Promise.all(servers.splice(0).map((server) => new Promise((resolve) => server.close(resolve))));
  });

  afterAll(() => rmSync(dir, { recursive: true, force: true }));

  function listen(port: number): Promise<Server> {
    const server = createServer();
    return new Promise((resolve, reject) => {
      server.once('error', reject).listen(port, '127.0.0.1', () => {
        servers.push(server);
        resolve(server);
      });
    });
  }

  function failing(code: string): Promise<never> {
    return Promise.reject(Object.assign(new Error(code), { code }));
  }

  test('a port that the system refuses counts as taken', async () => {
    const listened: number[] = [];
    const { port } = await claimPort({
      registry,
      projectRoot: '/a',
      firstPort,
      listen: (wanted) => {
        listened.push(wanted);
        return wanted < 49_003 ? failing(wanted === 49_001 ? 'EACCES' : 'EADDRINUSE') : listen(wanted);
      },
      signal: never,
    });
    expect(port).toBe(listened.at(-1));
    expect(listened.slice(0, 3)).toEqual([49_001, 49_002, 49_003]);
  });

  test('a listener that fails for another reason is an error', async () => {
    const claiming = claimPort({
      registry,
      projectRoot: '/a',
      firstPort,
      listen: () => failing('EMFILE'),
      signal: never,
    });
    await expect(claiming).rejects.toMatchObject({ code: 'EMFILE' });
  });

  test('the port that a predecessor releases is taken within the time of a reload', async () => {
    const { port, server } = await claimPort({ registry, projectRoot: '/a', firstPort, listen, signal: never });
    await registry.claim('/a', port, never);
    let tries = 0;
    const successor = claimPort({
      registry,
      projectRoot: '/a',
      firstPort,
      listen: (wanted) => {
        tries += 1;
        if (tries === 3) server.close();
        return listen(wanted);
      },
      signal: never,
    });
    expect((await successor).port).toBe(port);
    expect(tries).toBe(3);
  });

  test('a holder known to stay is not waited for', async () => {
    const { port } = await claimPort({ registry, projectRoot: '/a', firstPort, listen, signal: never });
    await registry.claim('/a', port, never);
    const tried: number[] = [];
    const second = await claimPort({
      registry,
      projectRoot: '/a',
      firstPort,
      listen: (wanted) => {
        tried.push(wanted);
        return listen(wanted);
      },
      mayLeave: async () => false,
      signal: never,
    });
    expect(second.port).not.toBe(port);
    expect(tried.filter((one) => one === port)).toHaveLength(1);
  });

  test('a holder found to stay only after a while is not waited for any longer', async () => {
    const { port } = await claimPort({ registry, projectRoot: '/a', firstPort, listen, signal: never });
    await registry.claim('/a', port, never);
    const asked: number[] = [];
    const second = await claimPort({
      registry,
      projectRoot: '/a',
      firstPort,
      listen,
      mayLeave: async (_port, waitedMs) => {
        asked.push(waitedMs);
        return waitedMs < RELOAD_OVERLAP_MS;
      },
      signal: never,
    });
    expect(second.port).not.toBe(port);
    expect(asked).toHaveLength(2);
    expect(asked[1]).toBeLessThan(PORT_RETRY_MS);
  });

  test('waiting for a predecessor ends with the signal', async () => {
    const { port } = await claimPort({ registry, projectRoot: '/a', firstPort, listen, signal: never });
    await registry.claim('/a', port, never);
    const stop = new AbortController();
    const waiting = claimPort({ registry, projectRoot: '/a', firstPort, listen, signal: stop.signal });
    setImmediate(() => stop.abort());
    await expect(waiting).rejects.toMatchObject({ name: 'AbortError' });
  });
});
