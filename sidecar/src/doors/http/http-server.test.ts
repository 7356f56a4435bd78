import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AppError } from '@devdb/shared/errors';
import { MAX_BODY_BYTES } from '@devdb/shared/limits';
import {
  call,
  gateOf,
  gateway,
  type OpenDoor,
  openDoor,
  ROOT,
  rawCall,
  TOKEN,
  type Tool,
} from '../../../test/helpers/http-door.ts';
import { AnswerRoom } from '../../dispatch/answer-room.ts';
import { Secret } from '../../host/secret.ts';
import { proveToken } from '../../host/token.ts';
import { openHttp } from './http-server.ts';

const tools: Record<string, Tool> = {
  'get-tables': () => ({ tables: ['users'] }),
  'run-query': (input) => ({ columns: [], rows: [], rowCount: 0, truncated: false, input }),
};
const SMALL = { headersMs: 300, bodyMs: 600, idleMs: 400, closeGraceMs: 300 };
let door: OpenDoor;

beforeEach(async () => {
  door = await openDoor(tools, { timing: SMALL });
});
afterEach(() => door.close());

const errorOf = (code: string) =>
  expect.objectContaining({ code, error: expect.any(String), message: expect.any(String) });
const head = (line: string, ...headers: string[]): string =>
  `${[line, `Host: 127.0.0.1:${door.port}`, ...headers].join('\r\n')}\r\n\r\n`;
const authorized = `Authorization: Bearer ${TOKEN}`;

describe('authorization', () => {
  it.each(['evil.example', 'evil.example:80', '127.0.0.1', '127.0.0.1:1', '127.0.0.1.evil.example'])(
    'refuses the Host %j',
    async (host) => {
      const answer = await call(door.port, '/health', { headers: { host } });
      expect([answer.status, answer.json]).toEqual([403, errorOf('E_FORBIDDEN')]);
    },
  );

  it.each([
    ['HTTP/1.1', 'GET /health HTTP/1.1\r\nConnection: close\r\n\r\n'],
    ['an empty Host', 'GET /health HTTP/1.1\r\nHost:\r\nConnection: close\r\n\r\n'],
    ['HTTP/1.0', 'GET /health HTTP/1.0\r\n\r\n'],
  ])('refuses %s without a Host, in JSON', async (_version, bytes) => {
    const answer = await rawCall(door.port, bytes);
    expect(answer).toMatch(/^HTTP\/1.1 403 /);
    expect(answer).toContain('"code":"E_FORBIDDEN"');
  });

  it.each(['127.0.0.1', 'localhost', '[::1]', 'LOCALHOST'])('serves the Host %s with its own port', async (name) => {
    const answer = await call(door.port, '/health', { headers: { host: `${name}:${door.port}` } });
    expect(answer.status).toBe(200);
  });

  it.each(['http://evil.example', 'null', 'http://localhost', 'http://127.0.0.1:1', ''])(
    'refuses the Origin %j before the token is checked',
    async (origin) => {
      const answer = await call(door.port, '/tables', { headers: { origin, authorization: undefined } });
      expect([answer.status, answer.json]).toEqual([403, errorOf('E_FORBIDDEN')]);
    },
  );

  it('serves its own loopback origin', async () => {
    const answer = await call(door.port, '/tables', { headers: { origin: `http://localhost:${door.port}` } });
    expect(answer.status).toBe(200);
  });

  it.each([
    undefined,
    '',
    'Bearer',
    TOKEN,
    `Basic ${TOKEN}`,
    `Bearer ${TOKEN}0`,
    `Bearer ${TOKEN.slice(0, -1)}0`,
    `Bearer ${'\u00e9'.repeat(64)}`,
  ])('asks for the token when Authorization is %j', async (authorization) => {
    const answer = await call(door.port, '/tables', { headers: { authorization } });
    expect([answer.status, answer.json]).toEqual([401, errorOf('E_UNAUTHORIZED')]);
    expect(answer.headers['www-authenticate']).toBe('Bearer');
  });

  it('also asks a stranger for the token where there is no route', async () => {
    const answer = await call(door.port, '/nowhere', { headers: { authorization: undefined } });
    expect(answer.status).toBe(401);
  });

  it('serves a caller that names this project', async () => {
    const headers = { 'x-devdb-project-root': encodeURIComponent(ROOT) };
    expect((await call(door.port, '/tables', { headers })).status).toBe(200);
    // Another encoding of the same path.
    const other = { 'x-devdb-project-root': encodeURI(ROOT) };
    expect((await call(door.port, '/tables', { headers: other })).status).toBe(200);
  });

  it('serves its own project under every spelling, through a link only with the token', async () => {
    const base = realpathSync(mkdtempSync(join(tmpdir(), 'devdb-http-')));
    const root = join(base, 'shöp');
    mkdirSync(root);
    symlinkSync(root, join(base, 'link'), 'dir');
    const own = await openDoor({}, { gate: { ...gateOf(tools), projectRoot: root } });
    const asked = async (path: string, path2 = '/tables', more = {}): Promise<number> => {
      const headers = { 'x-devdb-project-root': encodeURIComponent(path), ...more };
      return (await call(own.port, path2, { headers })).status;
    };
    try {
      for (const same of [`${root}/`, `${root}/missing/..`, `/${root}`, join(base, 'link')]) {
        expect([same, await asked(same)]).toEqual([same, 200]);
      }
      for (const other of [base, join(root, 'missing'), 'shöp', `${root}\0`]) {
        expect([other, await asked(other)]).toEqual([other, 421]);
      }
      const stranger = { authorization: undefined };
      expect(await asked(`${root}/`, '/health', stranger)).toBe(200);
      expect(await asked(join(base, 'link'), '/health', stranger)).toBe(421);
    } finally {
      await own.close();
      rmSync(base, { recursive: true });
    }
  });

  it('answers 400 to a project root that is not encoded', async () => {
    const lines = [authorized, 'Connection: close', `X-DevDB-Project-Root: ${ROOT}`];
    expect(await rawCall(door.port, head('GET /tables HTTP/1.1', ...lines))).toMatch(/^HTTP\/1.1 400 /);
  });

  it.each([0, 1])('refuses two Hosts when its own is number %i', async (at) => {
    const hosts = ['Host: evil.example', 'Host: evil.example'].with(at, `Host: 127.0.0.1:${door.port}`);
    const bytes = ['GET /health HTTP/1.1', ...hosts, 'Connection: close'].join('\r\n');
    expect(await rawCall(door.port, `${bytes}\r\n\r\n`)).toMatch(/^HTTP\/1.1 403 /);
  });

  it('answers 421 to a caller that names another project, without naming its own', async () => {
    const answer = await call(door.port, '/tables', { headers: { 'x-devdb-project-root': '%2Fprojects' } });
    expect([answer.status, answer.json]).toEqual([421, errorOf('E_WRONG_PROJECT')]);
    expect(answer.text).not.toContain('sh');
  });

  it.each(['%', '%zz', '%C3%28', '/caf%E9'])('answers 400 to the malformed project root %j', async (root) => {
    const answer = await call(door.port, '/tables', { headers: { 'x-devdb-project-root': root } });
    expect([answer.status, answer.json]).toEqual([400, errorOf('E_INVALID_PARAMS')]);
  });
});

describe('/health', () => {
  const bare = { authorization: undefined };

  it('tells anyone that DevDB is here, and no path', async () => {
    const answer = await call(door.port, '/health', { headers: bare });
    expect(answer.json).toEqual({ status: 'ok', name: 'DevDB', apiVersion: 1, version: '9.9.9', kind: 'headless' });
  });

  it('shows the project and the process to holders of the token', async () => {
    const answer = await call(door.port, '/health');
    expect(answer.json).toMatchObject({ projectRoot: ROOT, pid: process.pid, kind: 'headless' });
  });

  it('proves to callers that name the project that it has the token, without showing it', async () => {
    const headers = { ...bare, 'x-devdb-project-root': encodeURIComponent(ROOT) };
    const answer = await call(door.port, '/health?nonce=abc-1', { headers });
    const proof = proveToken(new Secret(TOKEN), 'abc-1', ROOT, door.port);
    expect(answer.json).toMatchObject({ projectRoot: ROOT, proof });
    expect(answer.text).not.toContain(TOKEN);
  });

  it('answers 421 for another project, 401 to a wrong token, 400 to a bad nonce, 405 to a POST', async () => {
    const other = { ...bare, 'x-devdb-project-root': '%2Fother' };
    expect((await call(door.port, '/health?nonce=a', { headers: other })).status).toBe(421);
    expect((await call(door.port, '/health', { headers: { authorization: 'Bearer no' } })).status).toBe(401);
    expect((await call(door.port, `/health?nonce=${'a'.repeat(129)}`)).json).toEqual(errorOf('E_INVALID_PARAMS'));
    expect((await call(door.port, '/health?nonce=')).status).toBe(400);
    const posted = await call(door.port, '/health', { method: 'POST' });
    expect([posted.status, posted.headers.allow]).toEqual([405, 'GET, HEAD']);
  });
});

describe('the shape of a request', () => {
  it.each([
    '/',
    '/nowhere',
    '/tables/',
    '/tables/a',
    '/tables/a/b/schema',
    '/tables//schema',
    '/tools/',
    '/tools/a/b',
    '/Tables',
    '//tables',
    '/mcp/',
    '/mcp/x/y',
    '/health/',
    '*',
  ])('answers 404 in JSON on %s', async (path) => {
    const answer = await call(door.port, path);
    expect([answer.status, answer.json]).toEqual([404, errorOf('E_NOT_FOUND')]);
    expect(answer.headers['content-type']).toBe('application/json');
  });

  it.each([
    ['POST', '/tables', 'GET, HEAD'],
    ['DELETE', '/tables/a/schema', 'GET, HEAD'],
    ['GET', '/query', 'POST'],
    ['PUT', '/tools/get-tables', 'POST'],
    ['GET', '/asks/1', 'POST'],
    ['PATCH', '/mcp', 'GET, POST, DELETE'],
  ])('answers 405 to %s %s', async (method, path, allow) => {
    const answer = await call(door.port, path, { method });
    expect([answer.status, answer.json, answer.headers.allow]).toEqual([405, errorOf('E_METHOD_NOT_ALLOWED'), allow]);
  });

  it.each([
    [{ 'content-type': undefined }],
    [{ 'content-type': 'text/plain' }],
    [{ 'content-type': 'application/x-www-form-urlencoded' }],
    [{ 'content-type': 'application/json; charset=utf-16' }],
    [{ 'content-type': 'application/jsonp' }],
    [{ 'content-encoding': 'gzip' }],
  ])('answers 415 to a POST with %j', async (headers) => {
    const answer = await call(door.port, '/query', { headers, body: '{"query":"SELECT 1"}' });
    expect([answer.status, answer.json]).toEqual([415, errorOf('E_UNSUPPORTED_MEDIA_TYPE')]);
  });

  it.each(['application/json; charset=utf-8', 'Application/JSON;charset="UTF-8"', 'application/json;'])(
    'takes the content type %s',
    async (type) => {
      const headers = { 'content-type': type };
      expect((await call(door.port, '/query', { headers, body: '{"query":"SELECT 1"}' })).status).toBe(200);
    },
  );

  it.each(['{', '', 'undefined', '{"query":}', "{'query':1}"])('answers 400 to the body %j', async (body) => {
    const headers = { 'content-type': 'application/json' };
    const answer = await call(door.port, '/query', { method: 'POST', headers, body });
    expect([answer.status, answer.json]).toEqual([400, errorOf('E_INVALID_PARAMS')]);
  });

  it('refuses a body that is not UTF-8 instead of changing the statement', async () => {
    const body = Buffer.concat([Buffer.from('{"query":"SELECT \''), Buffer.from([0xe9]), Buffer.from('\'"}')]);
    expect((await call(door.port, '/query', { body })).json).toEqual(errorOf('E_INVALID_PARAMS'));
  });

  it('answers 413 to a body announced as too long, and the client sees the answer', async () => {
    const body = Buffer.alloc(MAX_BODY_BYTES + 1, 0x20);
    const answer = await call(door.port, '/query', { body });
    expect([answer.status, answer.json, answer.headers.connection]).toEqual([
      413,
      errorOf('E_BODY_TOO_LARGE'),
      'close',
    ]);
  });

  it('answers 413 to a body that becomes too long, and the client sees the answer', async () => {
    const chunk = `${(64 * 1024).toString(16)}\r\n${'x'.repeat(64 * 1024)}\r\n`;
    const start = head(
      'POST /query HTTP/1.1',
      authorized,
      'Content-Type: application/json',
      'Transfer-Encoding: chunked',
    );
    const answer = await rawCall(door.port, start + chunk.repeat(MAX_BODY_BYTES / (64 * 1024) + 10));
    expect(answer).toMatch(/^HTTP\/1.1 413 /);
    expect(answer).toContain('E_BODY_TOO_LARGE');
  });

  it('accepts a body as long as the limit', async () => {
    const query = 'x'.repeat(MAX_BODY_BYTES - '{"query":""}'.length);
    expect((await call(door.port, '/query', { body: JSON.stringify({ query }) })).status).toBe(200);
  });

  it('asks for an announced body only when it will be read', async () => {
    const lines = ['Content-Type: application/json', 'Expect: 100-continue', 'Connection: close'];
    const refused = await rawCall(
      door.port,
      head('POST /query HTTP/1.1', authorized, ...lines, `Content-Length: ${MAX_BODY_BYTES + 1}`),
    );
    expect(refused).toMatch(/^HTTP\/1.1 413 /);
    const body = '{"query":"SELECT 1"}';
    const served = await rawCall(
      door.port,
      head('POST /query HTTP/1.1', authorized, ...lines, `Content-Length: ${body.length}`) + body,
    );
    expect(served).toMatch(/^HTTP\/1.1 100 Continue\r\n\r\nHTTP\/1.1 200 /);
  });

  it('answers HEAD like GET, without the body', async () => {
    const answer = await call(door.port, '/tables', { method: 'HEAD' });
    expect([answer.status, answer.headers['content-length'], answer.text]).toEqual([200, '20', '']);
  });
});

describe('connections', () => {
  it('answers pipelined requests in order', async () => {
    const get = (path: string, ...more: string[]): string => head(`GET ${path} HTTP/1.1`, authorized, ...more);
    const text = await rawCall(door.port, get('/tables') + get('/nowhere') + get('/health', 'Connection: close'));
    expect(text.match(/HTTP\/1.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 404', 'HTTP/1.1 200']);
  });

  it('keeps a connection for the next request', async () => {
    const text = await rawCall(
      door.port,
      head('GET /nowhere HTTP/1.1', authorized) + head('GET /tables HTTP/1.1', authorized, 'Connection: close'),
    );
    expect(text.match(/HTTP\/1.1 \d+/g)).toEqual(['HTTP/1.1 404', 'HTTP/1.1 200']);
  });

  it.each([
    ['what is no HTTP', 'hello\r\n\r\n', 400],
    ['a header that does not end', `GET /health HTTP/1.1\r\nX: ${'x'.repeat(32 * 1024)}`, 431],
    ['an unfinished header, after a time', 'GET /health HTTP/1.1\r\nHost: 127.', 408],
  ])('answers in JSON to %s', async (_what, bytes, status) => {
    const answer = await rawCall(door.port, bytes);
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(JSON.parse(answer.split('\r\n\r\n')[1] ?? '')).toEqual(
      expect.objectContaining({ message: expect.any(String), code: expect.stringMatching(/^E_/) }),
    );
  });

  it('ends a connection that sends nothing, and one that stops sending', async () => {
    expect(await rawCall(door.port, '')).toMatch(/^(HTTP\/1.1 408 |$)/);
    expect(await rawCall(door.port, head('GET /health HTTP/1.1'))).toMatch(/^HTTP\/1.1 200 /);
  });

  it('ends a trickling header', async () => {
    // The whole request has plenty of time, so only the header timeout can end it.
    const own = await openDoor(tools, { timing: { ...SMALL, bodyMs: 60_000 } });
    const started = performance.now();
    const socket = connect(own.port, '127.0.0.1');
    const closed = new Promise((resolve) => socket.on('close', resolve));
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk.toString();
    });
    socket.on('error', () => undefined);
    socket.write('GET /health HTTP/1.1\r\n');
    const timer = setInterval(() => socket.write('X: y\r\n'), 20);
    await closed;
    clearInterval(timer);
    await own.close();
    expect(text).toMatch(/^HTTP\/1.1 408 /);
    expect(performance.now() - started).toBeLessThan(3_000);
  });

  it('ends a request whose body does not come', async () => {
    const lines = [authorized, 'Content-Type: application/json', 'Content-Length: 100'];
    expect(await rawCall(door.port, `${head('POST /query HTTP/1.1', ...lines)}{"query"`)).toMatch(/^HTTP\/1.1 408 /);
  });

  it('answers 400 to a body that ends early', async () => {
    const lines = [authorized, 'Content-Type: application/json', 'Content-Length: 100'];
    expect(await rawCall(door.port, `${head('POST /query HTTP/1.1', ...lines)}{"query"`, true)).toMatch(
      /^HTTP\/1.1 400 /,
    );
  });

  it('does not let garbage answer for the call before it', async () => {
    const aborted = gateway<unknown>();
    const own = await openDoor({
      'get-tables': (_input, { signal }) =>
        new Promise((_resolve, reject) =>
          signal.addEventListener('abort', () => {
            aborted.open(signal.reason);
            reject(signal.reason);
          }),
        ),
    });
    const start = `GET /tables HTTP/1.1\r\nHost: 127.0.0.1:${own.port}\r\n${authorized}\r\n\r\n`;
    expect(await rawCall(own.port, `${start}garbage\r\n\r\n`)).toBe('');
    expect(await aborted.promise).toMatchObject({ code: 'E_CANCELLED' });
    await own.close();
  });

  it('is not a proxy', async () => {
    const answer = await rawCall(door.port, 'CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example:443\r\n\r\n');
    expect(answer).toMatch(/^HTTP\/1.1 405 /);
    expect(answer).toContain('E_METHOD_NOT_ALLOWED');
  });

  it('does not upgrade', async () => {
    const lines = [authorized, 'Connection: Upgrade, close', 'Upgrade: websocket'];
    expect(await rawCall(door.port, head('GET /tables HTTP/1.1', ...lines))).toMatch(/^HTTP\/1.1 200 /);
  });
});

describe('listening and closing', () => {
  it('listens only on 127.0.0.1', async () => {
    const { promise, open } = gateway<string>();
    connect(door.port, '::1')
      .on('error', () => open('refused'))
      .on('connect', () => open('connected'));
    expect(await promise).toBe('refused');
  });

  it('reports a taken port and takes the next one', async () => {
    const other: Server = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const address = other.address();
    const taken = typeof address === 'object' && address ? address.port : 0;
    const doors = openHttp({
      gate: gateOf({}),
      token: new Secret(TOKEN),
      version: '1',
      kind: 'window',
      answers: new AnswerRoom(),
      log: () => undefined,
    });
    await expect(doors.listen(taken)).rejects.toMatchObject({ code: 'EADDRINUSE' });
    const server = await doors.listen(0);
    expect(server.listening).toBe(true);
    await doors.close();
    await new Promise((resolve) => other.close(resolve));
  });

  it('ends running calls with an answer, idle connections at once, and may be closed twice', async () => {
    const started = gateway();
    const own = await openDoor({
      'get-tables': (_input, { signal }) => {
        started.open();
        return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
      },
    });
    const idle = connect(own.port, '127.0.0.1');
    const idleClosed = new Promise((resolve) => idle.on('close', resolve));
    idle.write(`GET /health HTTP/1.1\r\nHost: 127.0.0.1:${own.port}\r\n\r\n`);
    await new Promise((resolve) => idle.once('data', resolve));
    const answer = call(own.port, '/tables');
    await started.promise;
    await Promise.all([own.close(), own.close()]);
    await idleClosed;
    expect((await answer).json).toEqual(errorOf('E_CANCELLED'));
    expect((await answer).status).toBe(499);
    await expect(call(own.port, '/health')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });

  it.each([
    ['nothing', ''],
    ['half a request', 'GET /health HTTP/1.1\r\nHost: 127'],
  ])('does not wait for a connection on which %s has come', async (_what, bytes) => {
    const own = await openDoor(tools);
    const socket = connect(own.port, '127.0.0.1');
    const gone = new Promise((resolve) => socket.on('close', resolve));
    await new Promise((resolve) => socket.once('connect', resolve));
    if (bytes !== '') await new Promise((resolve) => socket.write(bytes, resolve));
    // Another connection's answer: by then the server has accepted the first one.
    await call(own.port, '/health');
    const begun = performance.now();
    await own.close();
    await gone;
    expect(performance.now() - begun).toBeLessThan(1_000);
  });

  it('does not wait for a body still being sent', async () => {
    const own = await openDoor(tools);
    const socket = connect(own.port, '127.0.0.1');
    const gone = new Promise((resolve) => socket.on('close', resolve));
    const lines = [`Host: 127.0.0.1:${own.port}`, authorized, 'Content-Type: application/json', 'Content-Length: 100'];
    socket.write(`POST /query HTTP/1.1\r\n${[...lines, 'Expect: 100-continue'].join('\r\n')}\r\n\r\n`);
    // The server asks for the body, and waits for it from here on.
    await new Promise((resolve) => socket.once('data', resolve));
    const begun = performance.now();
    await own.close();
    await gone;
    expect(performance.now() - begun).toBeLessThan(1_000);
  });

  it('does not wait for a call that does not settle', async () => {
    const started = gateway();
    const own = await openDoor(
      {
        'get-tables': () => {
          started.open();
          return new Promise(() => undefined);
        },
      },
      { timing: SMALL },
    );
    const answer = call(own.port, '/tables').catch((error: Error) => error.message);
    await started.promise;
    await own.close();
    expect(await answer).toBe('socket hang up');
  });

  it('answers 500 without anything of a foreign error, and logs it', async () => {
    const own = await openDoor({}, { openMcp: () => Promise.reject(new Error('secret at /home/x')) });
    const answer = await call(own.port, '/mcp');
    await own.close();
    expect([answer.status, answer.json]).toEqual([500, errorOf('E_INTERNAL')]);
    expect(answer.text).not.toContain('secret');
    expect(own.logged).toEqual([{ event: 'http-failed', facts: { error: expect.any(Error) } }]);
  });

  it('aborts the call of a client that goes away', async () => {
    const started = gateway();
    const aborted = gateway<unknown>();
    const own = await openDoor({
      'get-tables': (_input, { signal }) => {
        started.open();
        signal.addEventListener('abort', () => aborted.open(signal.reason));
        return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
      },
    });
    const gone = new AbortController();
    const answer = call(own.port, '/tables', { signal: gone.signal }).catch((error: Error) => error.name);
    await started.promise;
    gone.abort();
    expect(await answer).toBe('AbortError');
    expect(await aborted.promise).toBeInstanceOf(AppError);
    await own.close();
  });
});
