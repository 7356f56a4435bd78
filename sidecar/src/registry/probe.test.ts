import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTcpServer, type Server as TcpServer } from 'node:net';
import { Secret } from '../host/secret.ts';
import { proveToken } from '../host/token.ts';
import { RELOAD_OVERLAP_MS } from './limits.ts';
import { mayLeave, probeFor } from './probe.ts';

const token = new Secret('t');
const { signal } = new AbortController();
const servers: (Server | TcpServer)[] = [];

afterEach(async () => {
  await Promise.all(
    servers.splice(0).map((server) => {
      if ('closeAllConnections' in server) server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    }),
  );
});

function listening(server: Server | TcpServer): Promise<number> {
  servers.push(server);
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      resolve(typeof address === 'object' && address ? address.port : 0);
    });
  });
}

const serving = (answer: RequestListener) => listening(createServer(answer));

function sidecar(root: string, kind: string, secret = token): RequestListener {
  return (request, response) => {
    expect(request.headers.authorization).toBeUndefined();
    const nonce = new URL(request.url ?? '', 'http://x').searchParams.get('nonce') ?? '';
    response.end(
      JSON.stringify({ kind, proof: proveToken(secret, nonce, root, request.socket.localPort ?? 0), more: 1 }),
    );
  };
}

test.each(['window', 'headless'])('a sidecar of this project that proves itself is open: %s', async (kind) => {
  const port = await serving(sidecar('/ä b', kind));
  expect(await probeFor('/ä b', token)(port, signal)).toEqual({ state: 'open', kind });
});

test.each<[string, RequestListener]>([
  ['of another project', sidecar('/other', 'window')],
  ['of another user', sidecar('/a', 'window', new Secret('other'))],
  ['of a kind that is not known', sidecar('/a', 'other')],
  ['that is none', (_request, response) => response.end('<html>')],
  ['that refuses', (_request, response) => response.writeHead(421).end('{"code":"E_WRONG_PROJECT"}')],
])('a sidecar %s is not this project', async (_which, answer) => {
  expect(await probeFor('/a', token)(await serving(answer), signal)).toEqual({ state: 'gone' });
});

test('a port without a listener is gone', async () => {
  const port = await serving(sidecar('/a', 'window'));
  await new Promise((resolve) => servers.pop()?.close(resolve));
  expect(await probeFor('/a', token)(port, signal)).toEqual({ state: 'gone' });
});

test.each<[string, () => Promise<number>]>([
  ['says nothing', () => serving(() => undefined)],
  ['hangs up', () => listening(createTcpServer((socket) => socket.destroy()))],
  ['does not stop talking', () => serving((_request, response) => response.end('x'.repeat(1_000_000)))],
])('one who %s is unclear', async (_what, start) => {
  expect(await probeFor('/a', token)(await start(), signal)).toEqual({ state: 'unclear' });
});

test('asking ends with the signal', async () => {
  const stop = new AbortController();
  const port = await serving(() => stop.abort());
  await expect(probeFor('/a', token)(port, stop.signal)).rejects.toMatchObject({ name: 'AbortError' });
});

test('a holder of another kind is known to stay, one of the same kind once a reload would be over', async () => {
  const probe = probeFor('/a', token);
  const port = await serving(sidecar('/a', 'window'));
  expect(await mayLeave('window', probe, { port, waitedMs: 0 }, signal)).toBe(true);
  expect(await mayLeave('window', probe, { port, waitedMs: RELOAD_OVERLAP_MS }, signal)).toBe(false);
  expect(await mayLeave('headless', probe, { port, waitedMs: 0 }, signal)).toBe(false);
});
