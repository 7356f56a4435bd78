import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MESSAGE_HEAD_BYTES, MESSAGES } from '@devdb/shared/protocol/calls';
import { CALLS_PROTOCOL, HEADERS } from '@devdb/shared/protocol/http';
import fc from 'fast-check';
import { bundleStdioEntry } from '../build/bundle.ts';
import { encodeMessage } from '../src/host/call-messages.ts';
import { answerLines, bodyOf, type CallAnswerer, ContractSidecar, success } from './helpers/contract-sidecar.ts';
import { StdioClient, type ToolResult, toolResult } from './helpers/stdio-client.ts';
import { TempHome } from './helpers/temp-home.ts';

const SENTENCE = 'Could not establish database connection';

let bundleDir: string;
let temp: TempHome;
let client: StdioClient;
let root: string;
const sidecars: ContractSidecar[] = [];
const strangers: { server: Server; sockets: Set<Socket> }[] = [];

beforeAll(async () => {
  bundleDir = mkdtempSync(join(tmpdir(), 'devdb-calls-'));
  await bundleStdioEntry({ outDir: bundleDir });
});

afterAll(() => rmSync(bundleDir, { recursive: true, force: true }));

beforeEach(async () => {
  temp = new TempHome();
  root = temp.project('a');
  client = await StdioClient.connect({ bundleDir, home: temp.home });
});

afterEach(async () => {
  expect(await client.end()).toBe(0);
  expect(client.stderr).toBe('');
  for (const sidecar of sidecars.splice(0)) await sidecar.close();
  for (const { server, sockets } of strangers.splice(0)) {
    for (const socket of sockets) socket.destroy();
    server.close();
  }
  temp.remove();
});

async function open(answer: CallAnswerer) {
  const sidecar = await ContractSidecar.listen({ root, token: temp.token, answer });
  sidecars.push(sidecar);
  temp.register({ [root]: sidecar.port });
  return sidecar;
}

const answerOne: CallAnswerer = (_seen, reply) => answerLines(reply, [success({ one: 1 })]);
const read = (): Promise<ToolResult> => client.call('get-tables', { projectRoot: root });
const query = (text: string): Promise<ToolResult> => client.call('run-query', { projectRoot: root, query: text });

/** Answers with raw bytes. */
function raw(make: (number: number) => Buffer): CallAnswerer {
  return (_seen, reply) => reply.raw(make(reply.number));
}

/** A listener that answers everything with this text, and keeps what it received. */
async function stranger(answer: string): Promise<() => string> {
  let told = '';
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.once('data', () => socket.write(answer));
    socket.on('data', (chunk) => {
      told += chunk;
    });
  });
  strangers.push({ server, sockets });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  temp.register({ [root]: typeof address === 'object' && address !== null ? address.port : 0 });
  return () => told;
}

const switching = (...lines: string[]) =>
  `HTTP/1.1 101 Switching Protocols\r\n${['Connection: Upgrade', ...lines].join('\r\n')}\r\n\r\n`;

it.each([
  ['without a proof', switching(`Upgrade: ${CALLS_PROTOCOL}`)],
  ['with a wrong proof', switching(`Upgrade: ${CALLS_PROTOCOL}`, `${HEADERS.proof}: ${'ab'.repeat(32)}`)],
  ['to another protocol', switching('Upgrade: websocket', `${HEADERS.proof}: ${'ab'.repeat(32)}`)],
  ['to nothing', 'HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n'],
  ['in half', 'HTTP/1.1 101 Switching Protocols\r\nUpgr'],
  ['in no HTTP', '\u0000\u0001\u0002\r\n\r\n'],
])(
  'a stranger who upgrades %s is sent neither the token nor the query',
  async (_how, answer) => {
    const told = await stranger(answer);
    expect((await query('SELECT 42')).text).toBe(SENTENCE);
    expect(told()).toMatch(/^GET \/calls\?nonce=/);
    expect(told()).not.toContain(temp.token);
    expect(told()).not.toContain('SELECT 42');
  },
  20_000,
);

it('the token is sent once, to a sidecar that has proven to have it, and all calls share that connection', async () => {
  const sidecar = await open(answerOne);
  await Promise.all(Array.from({ length: 30 }, read));
  await read();
  expect(sidecar.upgrades.map(({ authorization }) => authorization)).toEqual([undefined]);
  expect(new Set(sidecar.calls.map(({ socket }) => socket)).size).toBe(1);
  expect(sidecar.calls).toHaveLength(31);
});

it('a connection that the sidecar refuses runs nothing', async () => {
  await open(raw(() => encodeMessage(MESSAGES.refused, 0, '{"error":{"code":"E_UNAUTHORIZED","message":"no"}}')));
  expect((await query('DELETE')).text).toBe(SENTENCE);
});

it('a sidecar that dies in the middle ends all its calls; reads are sent again, writes never', async () => {
  const sidecar = await open((seen, reply) => {
    if (sidecar.calls.length === 1) answerLines(reply, [success(1)]);
    else if (sidecar.calls.length === 11) sidecar.cut();
    else if (sidecar.calls.length > 11) answerLines(reply, [success(bodyOf(seen))]);
  });
  await read();
  const [writes, reads] = [Array.from({ length: 5 }, () => query('DELETE')), Array.from({ length: 5 }, read)];
  for (const { text } of await Promise.all(writes)) expect(text).toBe(SENTENCE);
  for (const { isError } of await Promise.all(reads)) expect(isError).toBe(false);
  const tools = sidecar.calls.map(({ path }) => path);
  expect(tools.filter((path) => path === '/tools/run-query')).toHaveLength(5);
  expect(tools.filter((path) => path === '/tools/get-tables')).toHaveLength(11);
  expect(sidecar.upgrades).toHaveLength(2);
});

it('a read that has produced output is not run again', async () => {
  const sidecar = await open((_seen, reply) => {
    if (sidecar.calls.length === 1) return answerLines(reply, [success(1)]);
    answerLines(reply, [{ type: 'progress', progress: 1 }]);
    void client.message(({ method }) => method === 'notifications/progress').then(() => sidecar.cut());
  });
  await read();
  const meta = { progressToken: 'p' };
  expect((await client.call('get-tables', { projectRoot: root }, meta)).text).toBe(SENTENCE);
  expect(sidecar.calls).toHaveLength(2);
});

it.each<[string, CallAnswerer]>([
  ['half a message', raw((number) => encodeMessage(MESSAGES.result, number, '{"content":[]}').subarray(0, -3))],
  ['half a head', raw((number) => encodeMessage(MESSAGES.result, number, '').subarray(0, MESSAGE_HEAD_BYTES - 1))],
  ['nothing', () => undefined],
])('%s before the end is not an answer', async (_what, answer) => {
  await open((seen, reply) => {
    answer(seen, reply);
    seen.socket.end();
  });
  expect((await query('x')).text).toBe(SENTENCE);
});

it.each<[string, CallAnswerer]>([
  ['is longer than any may be', raw((number) => encodeMessage(MESSAGES.result, number, 'x'.repeat(17 * 1024 * 1024)))],
  ['is more than one line', raw((number) => encodeMessage(MESSAGES.result, number, '{"content":\n[]}'))],
  ['is a question that is no JSON', raw((number) => encodeMessage(MESSAGES.line, number, 'ask'))],
  ['is a refusal that is no JSON', raw((number) => encodeMessage(MESSAGES.refused, number, 'no'))],
  ['is a refusal without words', raw((number) => encodeMessage(MESSAGES.refused, number, '{"error":{}}'))],
])('an answer that %s fails only its call', async (_what, answer) => {
  const sidecar = await open((seen, reply) =>
    bodyOf(seen)['query'] === 'bad' ? answer(seen, reply) : answerOne(seen, reply),
  );
  const [bad, good] = await Promise.all([query('bad'), query('good')]);
  expect([bad.text, good.isError]).toEqual([SENTENCE, false]);
  expect((await query('good')).isError).toBe(false);
  expect(sidecar.upgrades).toHaveLength(1);
});

it('an impossible length ends the connection, and the next call makes another', async () => {
  const sidecar = await open((seen, reply) => {
    if (bodyOf(seen)['query'] === 'bad') raw(() => Buffer.alloc(MESSAGE_HEAD_BYTES, 0xff))(seen, reply);
    else answerOne(seen, reply);
  });
  expect((await query('bad')).text).toBe(SENTENCE);
  expect((await query('good')).isError).toBe(false);
  expect(sidecar.upgrades).toHaveLength(2);
});

it('kinds of a later version, and unknown numbers, are ignored', async () => {
  await open((seen, reply) => {
    const later = encodeMessage(MESSAGES.result, 1, '{}');
    later[8] = 77;
    raw(() => Buffer.concat([later, encodeMessage(MESSAGES.result, 4_000_000_000, '{"not":"yours"}')]))(seen, reply);
    answerOne(seen, reply);
  });
  expect((await query('x')).structured).toMatchObject({ data: { one: 1 } });
});

it('an answer that crosses the cancel is dropped, and the connection continues', async () => {
  const cancelled: string[] = [];
  let arrive: () => void = () => undefined;
  const sidecar = await open((seen, reply) => {
    arrive();
    reply.once('close', () => {
      cancelled.push(seen.path);
      answerOne(seen, reply);
    });
    if (seen.path === '/tools/get-tables') answerOne(seen, reply);
  });
  await read();
  for (let round = 0; round < 20; round += 1) {
    const arrived = new Promise<void>((resolve) => {
      arrive = resolve;
    });
    const id = client.begin('tools/call', { name: 'run-query', arguments: { projectRoot: root, query: 'x' } });
    await arrived;
    client.notify('notifications/cancelled', { requestId: id });
    await read();
    expect(client.messages.some((message) => message['id'] === id)).toBe(false);
  }
  expect([cancelled.length, sidecar.upgrades.length]).toEqual([20, 1]);
});

it('a call cancelled during connecting does not end the connection for others', async () => {
  const sidecar = await open(answerOne);
  const first = client.begin('tools/call', { name: 'run-query', arguments: { projectRoot: root, query: 'x' } });
  const second = client.begin('tools/call', { name: 'get-tables', arguments: { projectRoot: root } });
  client.notify('notifications/cancelled', { requestId: first });
  expect(toolResult(await client.response(second)).isError).toBe(false);
  expect(sidecar.upgrades).toHaveLength(1);
});

it('whatever a sidecar sends, each call is answered once and the entry continues', async () => {
  let answer: readonly Buffer[] = [];
  const sidecar = await open((seen, reply) => {
    if (bodyOf(seen)['query'] === 'fuzz') for (const piece of answer) raw(() => piece)(seen, reply);
    if (bodyOf(seen)['query'] === 'fuzz') seen.socket.end();
    else answerOne(seen, reply);
  });
  const message = fc
    .tuple(fc.integer({ min: 0, max: 9 }), fc.integer({ min: 0, max: 400 }), fc.oneof(fc.json(), fc.string()))
    .map(([kind, number, text]) => {
      const bytes = encodeMessage(MESSAGES.line, number, text.replaceAll('\n', ' '));
      // A result is passed on unchecked: a proven sidecar sends JSON.
      bytes[8] = kind === MESSAGES.result ? 200 : kind;
      return bytes;
    });
  const bytes = fc.oneof(
    message,
    fc.uint8Array({ maxLength: 40 }).map((array) => Buffer.from(array)),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(bytes, { maxLength: 8 }), async (pieces) => {
      answer = pieces;
      const before = client.messages.length;
      const { structured } = await query('fuzz');
      expect(structured['ok']).toBe(false);
      expect((await query('good')).isError).toBe(false);
      expect(client.messages.slice(before).filter(({ method }) => method === undefined)).toHaveLength(2);
    }),
    { numRuns: 100 },
  );
  expect(sidecar.upgrades.length).toBeGreaterThan(0);
});
