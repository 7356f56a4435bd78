import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { isErrorCode } from '@devdb/shared/errors';
import { allTools } from '@devdb/shared/tools';
import fc from 'fast-check';
import * as z from 'zod';
import { ROOT, TOKEN } from './helpers/http-door.ts';

const RUNS = 400;
const MIB = 1024 * 1024;

const startSchema = z.object({ port: z.int() });
const stateSchema = z.object({
  heapBytes: z.number(),
  rssBytes: z.number(),
  unexpected: z.array(z.string()),
  inside: z.array(z.string()),
});

let child: ChildProcess;
let port = 0;

beforeAll(async () => {
  child = fork(join(__dirname, 'helpers', 'http-door-child.ts'), { execArgv: ['--expose-gc'] });
  const [started] = await once(child, 'message');
  port = startSchema.parse(started).port;
});
afterAll(async () => {
  const ended = once(child, 'exit');
  child.kill();
  await ended;
});

async function state(): Promise<z.infer<typeof stateSchema>> {
  const answered = once(child, 'message');
  child.send('state');
  return stateSchema.parse((await answered)[0]);
}

interface Got {
  readonly status: number;
  readonly type: string;
  readonly text: string;
}

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body: string | Uint8Array;
}

function send({ method, path, headers, body }: Sent): Promise<Got> {
  return new Promise((resolve, reject) => {
    const req = request({ host: '127.0.0.1', port, method, path, headers, agent: false }, (res) => {
      const chunks: Buffer[] = [];
      res.on('data', (chunk: Buffer) => chunks.push(chunk)).on('error', reject);
      res.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        resolve({ status: res.statusCode ?? 0, type: String(res.headers['content-type'] ?? ''), text });
      });
    });
    req.on('error', reject).end(body);
  });
}

const bodySchema = z.object({ code: z.custom(isErrorCode), error: z.string(), message: z.string() });
const envelopeSchema = z.object({
  ok: z.literal(false),
  error: z.object({ code: z.custom(isErrorCode), message: z.string() }),
});
const rpcErrorSchema = z.object({ jsonrpc: z.literal('2.0'), error: z.object({ code: z.int(), message: z.string() }) });
const failure = z.union([bodySchema, envelopeSchema, rpcErrorSchema]);

/** The allowed answers to any input: JSON, an error of a known form, no page, no stack. */
function isFair({ status, type, text }: Got): void {
  expect(text).not.toMatch(/\n\s+at .+:\d+:\d+|<html|node_modules/i);
  if (status === 202) return;
  expect(type).toMatch(/^(application\/(json|x-ndjson)|text\/event-stream)/);
  if (status < 400) return;
  expect(failure.safeParse(JSON.parse(text))).toMatchObject({ success: true });
}

const authorized = { authorization: `Bearer ${TOKEN}` };
const json = { ...authorized, 'content-type': 'application/json' };
const names = allTools.map(({ name }) => name);
const jsonText = fc.oneof(
  fc.json(),
  fc
    .record({ query: fc.anything(), limit: fc.anything() }, { requiredKeys: [] })
    .map((value) => JSON.stringify(value) ?? ''),
);
const headerValue = fc.string({
  unit: fc.integer({ min: 0x20, max: 0x7e }).map((c) => String.fromCharCode(c)),
  maxLength: 60,
});

it('answers any input of any tool with a code', async () => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...names), jsonText, fc.boolean(), async (name, body, lines) => {
      const headers = { ...json, ...(lines && { accept: 'application/x-ndjson' }) };
      const got = await send({ method: 'POST', path: `/tools/${name}`, headers, body });
      isFair(got);
    }),
    { numRuns: RUNS },
  );
});

it('answers any bytes as a body with a code', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('/query', '/tools/run-query', '/asks/1', '/mcp'),
      fc.uint8Array({ maxLength: 300 }),
      async (path, body) => {
        const got = await send({ method: 'POST', path, headers: json, body });
        isFair(got);
        expect(got.status).toBeGreaterThanOrEqual(400);
        expect(got.status).toBeLessThan(500);
      },
    ),
    { numRuns: RUNS },
  );
});

it('answers any path and method with a code', async () => {
  const segment = fc.oneof(fc.string(), fc.string({ unit: 'binary' })).map((s) => {
    const wellFormed = s.toWellFormed();
    return encodeURIComponent(wellFormed);
  });
  const path = fc.oneof(
    fc.array(segment, { maxLength: 4 }).map((parts) => `/${parts.join('/')}`),
    segment.map((s) => `/tables/${s}/schema`),
    segment.map((s) => `/health?nonce=${s}`),
    fc.stringMatching(/^\/[!-~]{0,40}$/),
  );
  const method = fc.constantFrom('GET', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH', 'TRACE', 'PROPFIND', 'M-SEARCH');
  await fc.assert(
    fc.asyncProperty(method, path, async (verb, where) => {
      isFair(await send({ method: verb, path: where, headers: authorized, body: '' }));
    }),
    { numRuns: RUNS },
  );
});

it('answers any headers with a code, and admits no request without the token', async () => {
  const name = fc.constantFrom(
    'host',
    'origin',
    'authorization',
    'content-type',
    'accept',
    'expect',
    'x-devdb-project-root',
    'x-devdb-client-id',
    'x-devdb-client-name',
    'x-devdb-can-ask',
    'x-devdb-default-timeout',
    'mcp-session-id',
    'mcp-protocol-version',
    'last-event-id',
    'cookie',
    'range',
  );
  await fc.assert(
    fc.asyncProperty(
      fc.dictionary(name, headerValue),
      fc.constantFrom('/tables', '/mcp', '/tools/get-tables', '/health'),
      async (headers, path) => {
        const got = await send({ method: 'POST', path, headers: { ...headers }, body: '{}' });
        isFair(got);
        expect(got.status).toBeGreaterThanOrEqual(400);
        isFair(await send({ method: 'POST', path, headers: { ...json, ...headers }, body: '{}' }));
      },
    ),
    { numRuns: RUNS },
  );
});

it('serves only its own project, whatever root is named', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(
        headerValue,
        fc.string().map((s) => encodeURIComponent(s.toWellFormed())),
      ),
      async (root) => {
        const got = await send({
          method: 'GET',
          path: '/tools',
          headers: { ...authorized, 'x-devdb-project-root': root },
          body: '',
        });
        isFair(got);
        if (root.trim() === encodeURIComponent(ROOT)) expect(got.status).toBe(200);
        else expect([400, 421]).toContain(got.status);
      },
    ),
    { numRuns: RUNS },
  );
});

it('answers any message of a session as JSON-RPC', async () => {
  const open = {
    jsonrpc: '2.0',
    id: 0,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'f', version: '1' } },
  };
  const accept = { ...json, accept: 'application/json, text/event-stream' };
  const session = await new Promise<string>((resolve, reject) => {
    const req = request({ host: '127.0.0.1', port, method: 'POST', path: '/mcp', headers: accept }, (res) => {
      res.resume();
      resolve(String(res.headers['mcp-session-id']));
    });
    req.on('error', reject).end(JSON.stringify(open));
  });
  let id = 0;
  const method = fc.oneof(
    fc.constantFrom(
      'tools/call',
      'tools/list',
      'ping',
      'initialize',
      'server/discover',
      'notifications/cancelled',
      'resources/list',
    ),
    fc.string(),
  );
  await fc.assert(
    fc.asyncProperty(method, fc.anything(), fc.boolean(), async (name, params, isRequest) => {
      id += 1;
      const body = JSON.stringify({ jsonrpc: '2.0', ...(isRequest && { id }), method: name, params });
      const got = await send({ method: 'POST', path: '/mcp', headers: { ...accept, 'mcp-session-id': session }, body });
      isFair(got);
      if (got.type.startsWith('text/event-stream')) expect(got.text).toContain(`"id":${id}`);
    }),
    { numRuns: RUNS },
  );
});

/** The answer to bytes that may not be HTTP at all; empty when the other side just closed. */
function exchange(bytes: Uint8Array | string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
    });
    // A reset is as good an end as any: what counts is what was said before.
    socket.on('error', () => socket.destroy());
    socket.on('close', () => resolve(text));
    socket.end(bytes);
  });
}

it('answers any bytes on the wire with HTTP and JSON, or closes', async () => {
  const line = fc.stringMatching(/^[ -~]{0,60}$/);
  const nearly = fc
    .tuple(
      fc.constantFrom('GET', 'POST', 'FOO', ''),
      line,
      fc.constantFrom('HTTP/1.1', 'HTTP/1.0', 'HTTP/9.9', ''),
      fc.array(line, { maxLength: 4 }),
    )
    .map(([verb, path, version, lines]) => `${verb} /${path} ${version}\r\n${lines.join('\r\n')}\r\n\r\n`);
  await fc.assert(
    fc.asyncProperty(fc.oneof(fc.uint8Array({ maxLength: 200 }), nearly), async (bytes) => {
      const text = await exchange(bytes);
      if (text === '') return;
      expect(text).toMatch(/^HTTP\/1\.1 [2345]\d\d /);
      const body = text.slice(text.indexOf('\r\n\r\n') + 4).split('HTTP/1.1 ')[0] ?? '';
      expect(failure.safeParse(JSON.parse(body))).toMatchObject({ success: true });
    }),
    { numRuns: RUNS },
  );
});

it('is unaffected by all that: nothing thrown, nothing internal, memory unchanged', async () => {
  const hammer = async (count: number): Promise<void> => {
    for (let i = 0; i < count; i += 1) {
      await send({ method: 'POST', path: '/query', headers: json, body: `{"query":${i}` });
      await send({ method: 'POST', path: '/tools/run-query', headers: json, body: `{"query":"SELECT ${i}"}` });
      await send({ method: 'GET', path: `/tables/${i}/schema`, headers: authorized, body: '' });
      await exchange(`POST /query HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n${i}`);
    }
  };
  await hammer(100);
  const before = await state();
  await hammer(400);
  const after = await state();
  expect(after.unexpected).toEqual([]);
  expect(after.inside.filter((line) => line.startsWith('http-failed'))).toEqual([]);
  expect(after.heapBytes - before.heapBytes).toBeLessThan(2 * MIB);
});
