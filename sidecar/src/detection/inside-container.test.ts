import { createServer } from 'node:net';
import type { Finding } from './detector.ts';
import { insideContainer, isInsideContainer } from './inside-container.ts';

function service(host: string, port: number, by = 'compose'): Finding {
  const target = { host, port, user: 'u', password: undefined, database: 'd', options: {} };
  return {
    id: 'compose:infra/db',
    name: 'd',
    kind: 'postgres',
    target,
    source: { file: 'compose.yml', by },
    priority: 1,
  };
}

async function openPort(): Promise<{ readonly port: number; readonly close: () => Promise<void> }> {
  const server = createServer((socket) => socket.destroy());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  const close = (): Promise<void> => new Promise((resolve) => server.close(() => resolve()));
  return { port: address.port, close };
}

it('keeps the published port of a service where that answers', async () => {
  const { port, close } = await openPort();
  const finding = service('127.0.0.1', port);
  expect(await insideContainer(finding)).toBe(finding);
  await close();
});

it('takes the name of the service and its own port where nothing answers', async () => {
  const { port, close } = await openPort();
  await close();
  expect((await insideContainer(service('127.0.0.1', port))).target).toMatchObject({ host: 'db', port: 5432 });
});

it('asks no host but loopback, and changes nothing that is no compose service', async () => {
  const asked: string[] = [];
  const never = (target: { readonly host: string }): Promise<boolean> => {
    asked.push(target.host);
    return Promise.resolve(false);
  };
  const other = service('example.org', 5432, 'database-url');
  expect(await insideContainer(other, never)).toBe(other);
  expect(asked).toEqual([]);
  expect((await insideContainer(service('192.0.2.1', 5432))).target).toMatchObject({ host: 'db' });
});

it.each([
  ['Docker', {}, '/.dockerenv'],
  ['Podman', {}, '/run/.containerenv'],
  ['Codespaces', { CODESPACES: 'true' }, ''],
  ['a development container of VS Code', { REMOTE_CONTAINERS: 'true' }, ''],
  ['a development container of its command line', { DEVCONTAINER: 'true' }, ''],
])('recognizes a container of %s', (_what, env, left) => {
  expect(isInsideContainer(env, (path) => path === left)).toBe(true);
});

it('takes an ordinary machine for none', () => {
  expect(isInsideContainer({ CODESPACES: '', HOME: '/home/u' }, () => false)).toBe(false);
});
