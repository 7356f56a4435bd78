import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { CallsClient } from '../../test/helpers/calls-client.ts';
import { call, type OpenDoor, openDoor, TOKEN } from '../../test/helpers/http-door.ts';
import { until } from '../../test/helpers/processes.ts';
import { AnswerRoom } from '../dispatch/answer-room.ts';
import { MAX_WAITING_ANSWER_BYTES } from '../dispatch/limits.ts';

const MIB = 1024 * 1024;
/** More than the system buffers for an unread connection. */
const LONG = 24 * MIB;
const answer = { text: 'x'.repeat(LONG) };
const NDJSON = 'application/x-ndjson';
const MCP = 'application/json, text/event-stream';

let room: AnswerRoom;
let door: OpenDoor;

beforeEach(async () => {
  room = new AnswerRoom();
  door = await openDoor({ 'run-query': () => answer }, { answers: room });
});

afterEach(() => door.close());

function posted(path: string, body: unknown, headers: Readonly<Record<string, string>> = {}): string {
  const text = JSON.stringify(body);
  const head = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json', ...headers };
  const lines = Object.entries(head).map(([name, value]) => `${name}: ${value}\r\n`);
  return `POST ${path} HTTP/1.1\r\nhost: 127.0.0.1:${door.port}\r\n${lines.join('')}content-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`;
}

async function unreadSocket(bytes: string): Promise<Socket> {
  const socket = connect(door.port, '127.0.0.1');
  socket.on('error', () => socket.destroy()).pause();
  await once(socket, 'connect');
  socket.write(bytes);
  return socket;
}

async function sessionHeaders(): Promise<Record<string, string>> {
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'raw', version: '1' } };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params });
  const { headers } = await call(door.port, '/mcp', { body, headers: { accept: MCP } });
  return { accept: MCP, 'mcp-session-id': String(headers['mcp-session-id']) };
}

const toolCall = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'run-query', arguments: {} } };

const WAYS: Readonly<Record<string, () => Promise<Socket>>> = {
  'one JSON answer': () => unreadSocket(posted('/tools/run-query', {})),
  'an answer in lines': () => unreadSocket(posted('/tools/run-query', {}, { accept: NDJSON })),
  'an answer of /mcp': async () => unreadSocket(posted('/mcp', toolCall, await sessionHeaders())),
  'an answer on an upgraded connection': async () => {
    const client = await CallsClient.greeted(door.port);
    client.call(1, {});
    client.socket.pause();
    return client.socket;
  },
};

describe.each(Object.entries(WAYS))('%s that its client does not read', (_way, ask) => {
  it('counts until its connection is closed', async () => {
    const socket = await ask();
    await until('the answer waits', () => room.unread > LONG / 2);
    socket.destroy();
    await until('nothing waits', () => room.unread === 0);
  });

  it('counts until it is read', async () => {
    const socket = await ask();
    await until('the answer waits', () => room.unread > LONG / 2);
    socket.on('data', () => undefined).resume();
    await until('nothing waits', () => room.unread === 0);
    socket.destroy();
  });

  it('keeps a call out until it is gone, and then lets it in', async () => {
    const socket = await ask();
    await until('the answer waits', () => room.unread > LONG / 2);
    let entered = 0;
    while (room.tryEnter()) entered += 1;
    expect(entered).toBeLessThan(MAX_WAITING_ANSWER_BYTES / MIB - 12);
    const waiting = room.enter(new AbortController().signal);
    socket.destroy();
    await waiting;
  });
});

it('answers queued behind another one on the same connection count as well', async () => {
  const socket = await unreadSocket(posted('/tools/run-query', {}).repeat(3));
  await until('three answers wait', () => room.unread > 2.5 * LONG);
  socket.destroy();
  await until('nothing waits', () => room.unread === 0);
});

it('a closed door no longer counts', async () => {
  await unreadSocket(posted('/tools/run-query', {}));
  await until('the answer waits', () => room.unread > LONG / 2);
  await door.close();
  expect(room.unread).toBe(0);
});
