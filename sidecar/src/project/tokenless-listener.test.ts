import { createServer, type Server } from 'node:net';
import { allTools, findTool } from '@devdb/shared/tools';
import { call, gateOf, TOKEN } from '../../test/helpers/http-door.ts';
import { AnswerRoom } from '../dispatch/answer-room.ts';
import { Secret } from '../host/secret.ts';
import { TokenlessListener } from './tokenless-listener.ts';

const NO_TOKEN = { authorization: undefined };
// A connection of its own: the next listener may have the same port.
const COMMAND = { body: '{"command":"echo hello"}', headers: { ...NO_TOKEN, connection: 'close' } };

let listener: TokenlessListener;
let logged: string[];
let ran: string[];
let taken: Server;
let ports: readonly number[];

/** A port that somebody has, and one that was free a moment ago. */
async function somePorts(): Promise<readonly number[]> {
  const portOf = (server: Server) => {
    const address = server.address();
    return typeof address === 'object' && address !== null ? address.port : 0;
  };
  const listening = (server: Server) =>
    new Promise<number>((resolve) => server.listen(0, '127.0.0.1', () => resolve(portOf(server))));
  taken = createServer();
  const held = await listening(taken);
  const free = createServer();
  const port = await listening(free);
  await new Promise((resolve) => free.close(resolve));
  return [held, port];
}

beforeEach(async () => {
  ports = await somePorts();
  logged = [];
  ran = [];
  const answering = (name: string, data: object) => {
    const run = () => {
      ran.push(name);
      return data;
    };
    return [name, run] as const;
  };
  const gate = gateOf(
    Object.fromEntries([
      answering('execute_terminal_command', { text: 'hello' }),
      answering('get_terminal_text', { text: 'seen' }),
      answering('run-query', {}),
    ]),
  );
  const log = (event: string) => void logged.push(event);
  const answers = new AnswerRoom();
  listener = new TokenlessListener(
    { gate, token: new Secret(TOKEN), version: '1', kind: 'window', answers, log },
    ports,
  );
});

afterEach(async () => {
  await listener.end();
  await new Promise((resolve) => taken.close(resolve));
});

const port = () => listener.port ?? 0;

test('nothing listens unless it was asked for', async () => {
  await listener.set('off');
  expect(listener.port).toBeUndefined();
});

test('it takes the first free port of its range, and serves tools that read without a token', async () => {
  await listener.set('read');
  expect(listener.port).toBe(ports[1]);
  const { json } = await call(port(), '/api/mcp/list_tools', { headers: NO_TOKEN });
  const listed = Array.isArray(json) ? json.map(({ name }) => findTool(name)) : [];
  expect(listed.length).toBeGreaterThan(3);
  for (const tool of listed) expect([tool?.toolset, tool?.annotations.readOnlyHint]).toEqual(['ide', true]);
  const read = await call(port(), '/api/mcp/get_terminal_text', { method: 'POST', headers: NO_TOKEN });
  expect(read.json).toEqual({ status: 'seen', error: null });
});

test('what changes something is not there, unless that was allowed too', async () => {
  await listener.set('read');
  expect((await call(port(), '/mcp/execute_terminal_command', COMMAND)).status).toBe(404);
  expect(ran).toEqual([]);
  await listener.set('all');
  expect((await call(port(), '/mcp/execute_terminal_command', COMMAND)).json).toEqual({ status: 'hello', error: null });
});

test('no other door is open there, with or without the token', async () => {
  await listener.set('all');
  const query = { body: '{"query":"SELECT 1"}' };
  for (const headers of [NO_TOKEN, {}]) {
    for (const path of ['/health', '/tools', '/tables', '/mcp', '/', '/calls', '/mcp/'])
      expect([path, (await call(port(), path, { headers })).status]).toEqual([path, 404]);
    for (const path of ['/tools/run-query', '/query', '/mcp/run-query', '/mcp'])
      expect([path, (await call(port(), path, { ...query, headers })).status]).toEqual([path, 404]);
    const upgrade = { ...headers, connection: 'Upgrade', upgrade: 'devdb-calls/1' };
    expect((await call(port(), '/calls?nonce=a', { headers: upgrade })).status).toBe(404);
  }
  expect(ran).toEqual([]);
});

test.each([
  ['an origin', { origin: 'https://x.example' }],
  ['the origin null of a file or a frame', { origin: 'null' }],
  ['the mark that browsers set', { 'sec-fetch-site': 'cross-site' }],
  ['that mark from another port of this machine', { 'sec-fetch-site': 'same-site' }],
  ['a name that was made to lead here', { host: 'rebound.example' }],
])('a page in a browser is refused for %s', async (_how, headers) => {
  await listener.set('all');
  for (const path of ['/mcp/execute_terminal_command', '/api/mcp/execute_terminal_command'])
    expect((await call(port(), path, { ...COMMAND, headers: { ...NO_TOKEN, ...headers } })).status).toBe(403);
  expect((await call(port(), '/mcp/list_tools', { headers: { ...NO_TOKEN, ...headers } })).status).toBe(403);
  expect(ran).toEqual([]);
});

test('who names another project is sent away', async () => {
  await listener.set('read');
  const headers = { ...NO_TOKEN, 'x-devdb-project-root': '%2Fprojects%2Fother' };
  expect((await call(port(), '/mcp/list_tools', { headers })).status).toBe(421);
});

test('it closes when it is switched off, and says when no port is free', async () => {
  await listener.set('read');
  const before = port();
  await listener.set('off');
  expect(listener.port).toBeUndefined();
  await expect(call(before, '/mcp/list_tools')).rejects.toThrow();
  const gate = gateOf({}, allTools);
  const parts = { gate, token: new Secret(TOKEN), version: '1', kind: 'window', answers: new AnswerRoom() } as const;
  const none = new TokenlessListener({ ...parts, log: (event) => void logged.push(event) }, ports.slice(0, 1));
  await none.set('read');
  expect([none.port, logged]).toEqual([undefined, ['tokenless-ports-taken']]);
});
