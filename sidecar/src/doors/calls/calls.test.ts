import { AppError } from '@devdb/shared/errors';
import { MAX_BODY_BYTES } from '@devdb/shared/limits';
import { linesOf, plain } from '@devdb/shared/plain-text';
import { MESSAGES } from '@devdb/shared/protocol/calls';
import { HEADERS } from '@devdb/shared/protocol/http';
import fc from 'fast-check';
import { CallsClient, upgradeHead } from '../../../test/helpers/calls-client.ts';
import { gateway, type OpenDoor, openDoor, ROOT, rawCall, TOKEN, type Tool } from '../../../test/helpers/http-door.ts';
import type { Caller } from '../../dispatch/caller.ts';
import { encodeMessage } from '../../host/call-messages.ts';
import { Secret } from '../../host/secret.ts';
import { proveToken } from '../../host/token.ts';
import { MAX_UNENDED_CALLS } from '../limits.ts';

const MEGABYTE = 1024 * 1024;
const QUESTION = { title: plain`Write`, message: linesOf([plain`DELETE FROM users changes 3 rows.`]) };

let door: OpenDoor;
const clients: CallsClient[] = [];

afterEach(async () => {
  for (const client of clients.splice(0)) await client.close();
  await door.close();
});

async function open(tool: Tool, timing?: { greetingMs?: number; halfMessageMs?: number; abandonedMs?: number }) {
  const callsTiming = { greetingMs: 10_000, halfMessageMs: 10_000, abandonedMs: 10_000, ...timing };
  door = await openDoor({ 'run-query': tool }, { callsTiming });
}

async function keep(client: Promise<CallsClient>): Promise<CallsClient> {
  const opened = await client;
  clients.push(opened);
  return opened;
}

const greeted = (more = {}) => keep(CallsClient.greeted(door.port, more));
const upgraded = (head?: string) => keep(CallsClient.open(door.port, head));

/** A tool that runs until it is cancelled, and reports both. */
function endless() {
  const started: Caller[] = [];
  const aborted: unknown[] = [];
  const tool: Tool = (_input, caller) => {
    started.push(caller);
    return new Promise((_resolve, reject) => {
      caller.signal.addEventListener('abort', () => {
        aborted.push(caller.signal.reason);
        reject(caller.signal.reason);
      });
    });
  };
  return { tool, started, aborted };
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setImmediate(resolve));
}

describe('the upgrade', () => {
  it('is proven by the sidecar before anybody sends the token', async () => {
    await open(() => 1);
    const { head } = await upgraded();
    const proof = proveToken(new Secret(TOKEN), 'abc', ROOT, door.port);
    expect(head).toMatch(/^HTTP\/1\.1 101 /);
    expect(head).toContain(`${HEADERS.proof}: ${proof}\r\n`);
    expect(head).toContain(`${HEADERS.version}: 9.9.9\r\n`);
  });

  it.each([
    ['a page in a browser', ['Origin: https://evil.example'], 403],
    ['another host', ['Host: evil.example'], 403],
    ['who means another project', [`${HEADERS.projectRoot}: ${encodeURIComponent('/other')}`], 421],
  ])('is refused to %s', async (_who, headers, status) => {
    await open(() => 1);
    const text = await rawCall(door.port, upgradeHead(door.port, headers));
    expect(text).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(text).not.toContain(HEADERS.proof);
  });

  it.each(['', 'ä', 'x'.repeat(129)])('is refused without a nonce it can prove (%j)', async (nonce) => {
    await open(() => 1);
    expect(await rawCall(door.port, upgradeHead(door.port, [], nonce))).toMatch(/^HTTP\/1\.1 400 /);
  });

  it('is unknown as a route to plain requests', async () => {
    await open(() => 1);
    const request = `GET /calls HTTP/1.1\r\nHost: 127.0.0.1:${door.port}\r\nAuthorization: Bearer ${TOKEN}\r\nConnection: close\r\n\r\n`;
    expect(await rawCall(door.port, request)).toMatch(/^HTTP\/1\.1 404 /);
  });

  it('to another protocol is ignored, and the connection continues in HTTP', async () => {
    await open((input) => ({ input }));
    const post = (body: string, more: string) =>
      `POST /tools/run-query HTTP/1.1\r\nHost: 127.0.0.1:${door.port}\r\nAuthorization: Bearer ${TOKEN}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n${more}\r\n${body}`;
    const upgrade = 'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n';
    const text = await rawCall(door.port, post('{"a":1}', upgrade) + post('{"b":2}', 'Connection: close\r\n'));
    expect(text.match(/HTTP\/1\.1 200 /g)).toHaveLength(2);
    expect(text).toMatch(/"input":\{"a":1\}[\s\S]*"input":\{"b":2\}/);
  });

  it('to another protocol is also ignored after an unfinished answer', async () => {
    await open(async (input) => {
      await new Promise((resolve) => setImmediate(resolve));
      return { input };
    });
    const post = (body: string, more: string) =>
      `POST /tools/run-query HTTP/1.1\r\nHost: 127.0.0.1:${door.port}\r\nAuthorization: Bearer ${TOKEN}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n${more}\r\n${body}`;
    const upgrade = 'Connection: Upgrade\r\nUpgrade: h2c\r\n';
    const bytes = post('{"a":1}', '') + post('{"a":2}', upgrade) + post('{"a":3}', upgrade);
    const text = await rawCall(door.port, bytes + post('{"a":4}', 'Connection: close\r\n'));
    expect(text.match(/"input":\{"a":\d\}/g)).toEqual([1, 2, 3, 4].map((a) => `"input":{"a":${a}}`));
  });

  it('with a body in several pieces is ignored as well', async () => {
    await open((input) => ({ input }));
    const client = await upgraded(
      `POST /tools/run-query HTTP/1.1\r\nHost: 127.0.0.1:${door.port}\r\nAuthorization: Bearer ${TOKEN}\r\nContent-Type: application/json\r\nContent-Length: 9\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nExpect: 100-continue\r\n\r\n`,
    );
    expect(client.head).toMatch(/^HTTP\/1\.1 100 /);
    client.socket.write('{"a":');
    client.socket.write('[1]}');
    await client.until(() => client.head.includes('"input":{"a":[1]}'));
  });
});

describe('before the token is sent', () => {
  it.each([
    ['a wrong token', { token: TOKEN.replace('b', 'c'), client: 'x' }],
    ['a longer token', { token: `${TOKEN}0`, client: 'x' }],
    ['no token', { client: 'x' }],
    ['no client', { token: TOKEN }],
    ['a time-out out of range', { token: TOKEN, client: 'x', timeoutMs: 0 }],
  ])('%s runs nothing, including what was sent after it', async (_what, greeting) => {
    let ran = 0;
    await open(() => {
      ran += 1;
    });
    const client = await upgraded();
    client.send(MESSAGES.greeting, 0, greeting);
    client.call(1, {});
    const { number, json } = await client.message(({ kind }) => kind === MESSAGES.refused);
    expect([number, json]).toMatchObject([0, { error: { code: 'E_UNAUTHORIZED' } }]);
    await client.until(() => client.closed);
    expect([ran, client.messages.length]).toEqual([0, 1]);
  });

  it('a call runs nothing', async () => {
    const { tool, started } = endless();
    await open(tool);
    const client = await upgraded();
    client.call(1, {});
    await client.until(() => client.closed);
    expect(started).toEqual([]);
  });

  it('no long message is held', async () => {
    await open(() => 1);
    const client = await upgraded();
    client.socket.write(encodeMessage(MESSAGES.greeting, 0, 'x'.repeat(2_000)).subarray(0, 20));
    await client.until(() => client.closed);
  });

  it('no question outlasts the time limit', async () => {
    await open(() => 1, { greetingMs: 30 });
    const client = await upgraded();
    await client.until(() => client.closed);
  });
});

describe('a call', () => {
  it('reaches the gate with its caller, and ends with the finished MCP result', async () => {
    let seen: unknown;
    await open((input, { door, clientId, clientName, defaultTimeoutMs, ask }) => {
      seen = { input, door, clientId, clientName, defaultTimeoutMs, canAsk: ask !== undefined };
      return { tables: ['a'] };
    });
    const client = await greeted({ timeoutMs: 1234, later: true });
    client.call(7, { query: 'ü' }, { client: 'Claude\u0000Code', later: 1 });
    const { kind, text, json } = await client.end(7);
    expect(kind).toBe(MESSAGES.result);
    expect(text.startsWith('{"content":')).toBe(true);
    expect(json).toMatchObject({ content: [{ text: '{"tables":["a"]}' }], structuredContent: { ok: true } });
    expect(seen).toEqual({
      input: { query: 'ü' },
      door: 'rest',
      clientId: 'client-1',
      clientName: 'Claude[U+0000]Code',
      defaultTimeoutMs: 1234,
      canAsk: false,
    });
  });

  it('runs in parallel with others, each with its own ending', async () => {
    const held = gateway();
    await open(async (input) => {
      const { n } = { n: 0, ...(typeof input === 'object' ? input : {}) };
      if (n % 4 === 1) await held.promise;
      if (n % 4 === 2) throw new AppError('E_SQL', `bad ${n}`);
      return { n };
    });
    const client = await greeted();
    const numbers = Array.from({ length: 60 }, (_, n) => n + 1);
    for (const n of numbers) client.call(n, { n }, n % 4 === 3 ? { tool: 'nope' } : {});
    for (const n of numbers.filter((n) => n % 4 === 2)) {
      expect((await client.end(n)).json).toMatchObject({ isError: true, content: [{ text: `[E_SQL] bad ${n}` }] });
    }
    for (const n of numbers.filter((n) => n % 4 === 3)) {
      const { kind, json } = await client.end(n);
      expect([kind, json]).toMatchObject([MESSAGES.refused, { error: { code: 'E_UNKNOWN_TOOL' } }]);
    }
    expect(client.messages.some(({ number }) => number % 4 === 1)).toBe(false);
    held.open();
    for (const n of numbers.filter((n) => n % 4 < 2)) {
      expect((await client.end(n)).json).toMatchObject({ structuredContent: { data: { n } } });
    }
    expect(client.messages).toHaveLength(60);
  });

  it('reports rising progress', async () => {
    await open((_input, { progress }) => {
      progress({ progress: 10, total: 20, message: 'ten' });
      progress({ progress: 5 });
      return 'done';
    });
    const client = await greeted();
    client.call(1, {});
    await client.end(1);
    const [first, second] = client.messages.map(({ json }) => json);
    expect(first).toEqual({ type: 'progress', progress: 10, total: 20, message: 'ten' });
    expect(second?.['progress']).toBeGreaterThan(10);
  });

  it('that was cancelled gets that answer, and sends nothing more', async () => {
    const { tool, aborted } = endless();
    await open((input, caller) => (input === 'quick' ? 1 : tool(input, caller)));
    const client = await greeted();
    client.call(1, {});
    client.send(MESSAGES.cancel, 1, undefined);
    client.send(MESSAGES.cancel, 1, undefined);
    client.send(MESSAGES.cancel, 99, undefined);
    client.call(2, 'quick');
    await client.end(2);
    await until(() => aborted.length > 0);
    client.call(3, 'quick');
    await client.end(3);
    expect(aborted).toMatchObject([{ code: 'E_CANCELLED' }]);
    expect(client.messages.map(({ number }) => number)).toEqual([2, 3]);
  });

  it('ends when its connection closes, however that happens', async () => {
    const { tool, started, aborted } = endless();
    await open(tool);
    for (const close of [
      (client: CallsClient) => client.socket.end(),
      (client: CallsClient) => client.socket.destroy(),
      (client: CallsClient) => client.socket.resetAndDestroy(),
    ]) {
      const client = await greeted();
      client.call(1, {});
      client.call(2, {});
      const before = aborted.length;
      await until(() => started.length === before + 2);
      close(client);
      await until(() => aborted.length === before + 2);
    }
    expect(door.logged).toEqual([]);
  });

  it('with the number of a running one ends the connection', async () => {
    const { tool, aborted } = endless();
    await open(tool);
    const client = await greeted();
    client.call(1, {});
    client.call(1, {});
    await client.until(() => client.closed);
    await until(() => aborted.length === 1);
  });

  it.each([
    [
      'is too long',
      Buffer.from(`{"tool":"run-query","input":"${'x'.repeat(MAX_BODY_BYTES + 2_000)}"}`),
      'E_BODY_TOO_LARGE',
    ],
    ['is no JSON', Buffer.from('{"tool":'), 'E_INVALID_PARAMS'],
    ['names no tool', Buffer.from('{"input":{}}'), 'E_INVALID_PARAMS'],
    ['is no UTF-8', Buffer.from('{"tool":"run-query","input":"\xe4"}', 'latin1'), 'E_INVALID_PARAMS'],
  ])('that %s is refused by its number, and the next one runs', async (_what, payload, code) => {
    await open((input) => ({ input }));
    const client = await greeted();
    const message = encodeMessage(MESSAGES.call, 5, 'x'.repeat(payload.length));
    payload.copy(message, message.length - payload.length);
    client.socket.write(message);
    client.call(6, 'next');
    expect((await client.end(5)).json).toMatchObject({ error: { code } });
    expect((await client.end(6)).json).toMatchObject({ structuredContent: { data: { input: 'next' } } });
  });

  it('of a later kind is ignored', async () => {
    await open(() => 1);
    const client = await greeted();
    const message = encodeMessage(MESSAGES.call, 5, '{}');
    message[8] = 200;
    client.socket.write(message);
    client.call(6, {});
    await client.end(6);
    expect(client.messages).toHaveLength(1);
  });
});

describe('a question', () => {
  const asking: Tool = async (_input, caller) => {
    if (!caller.ask) throw new AppError('E_CONFIRMATION_REQUIRED', 'No user can be asked.');
    return { answer: await caller.ask(QUESTION, caller.signal) };
  };

  it('is asked and answered on the same connection', async () => {
    await open(asking);
    const client = await greeted();
    client.call(1, {}, { canAsk: true });
    const { number, json } = await client.message(({ kind }) => kind === MESSAGES.line);
    expect([number, json]).toMatchObject([1, { type: 'ask', message: QUESTION.message }]);
    client.send(MESSAGES.answer, 0, { ask: json['id'], reply: { action: 'accept', content: { answer: 'session' } } });
    expect((await client.end(1)).json).toMatchObject({ structuredContent: { data: { answer: 'session' } } });
  });

  it('accepts no answer from another connection, no unreadable answer, and no second one', async () => {
    await open(asking);
    const [client, other] = [await greeted(), await greeted()];
    client.call(1, {}, { canAsk: true });
    const { json } = await client.message(({ kind }) => kind === MESSAGES.line);
    const yes = { ask: json['id'], reply: { action: 'accept' } };
    other.send(MESSAGES.answer, 0, yes);
    other.call(2, {});
    await other.end(2);
    for (const answer of [{ ask: json['id'], reply: 7 }, { ask: 'other', reply: yes.reply }, 'x', null]) {
      client.send(MESSAGES.answer, 0, answer);
    }
    client.call(3, {});
    await client.end(3);
    expect(client.messages.some(({ number, kind }) => number === 1 && kind !== MESSAGES.line)).toBe(false);
    client.send(MESSAGES.answer, 0, { ...yes, reply: { action: 'decline' } });
    client.send(MESSAGES.answer, 0, yes);
    expect((await client.end(1)).json).toMatchObject({ structuredContent: { data: { answer: 'no' } } });
  });

  it('is not asked for a call that cannot be asked', async () => {
    await open(asking);
    const client = await greeted();
    client.call(1, {});
    expect((await client.end(1)).json).toMatchObject({
      structuredContent: { error: { code: 'E_CONFIRMATION_REQUIRED' } },
    });
  });
});

describe('limits', () => {
  it('calls that were not read yet run as others end', async () => {
    const held: (() => void)[] = [];
    await open(() => new Promise((resolve) => held.push(() => resolve(1))));
    const client = await greeted();
    const all = MAX_UNENDED_CALLS + 60;
    for (let number = 1; number <= all; number += 1) client.call(number, {});
    await until(() => held.length === MAX_UNENDED_CALLS);
    while (client.messages.length < all) {
      for (const end of held.splice(0)) end();
      await new Promise((resolve) => setImmediate(resolve));
    }
  });

  it('no more calls are read while too many are unfinished, and all of them end with the connection', async () => {
    const { tool, started, aborted } = endless();
    await open(tool);
    const client = await greeted();
    const all = MAX_UNENDED_CALLS + 60;
    for (let number = 1; number <= all; number += 1) client.call(number, {});
    await until(() => started.length === MAX_UNENDED_CALLS);
    const other = await greeted();
    other.call(1, {});
    await until(() => started.length > MAX_UNENDED_CALLS);
    await client.close();
    await until(() => aborted.length === MAX_UNENDED_CALLS);
    expect(started).toHaveLength(MAX_UNENDED_CALLS + 1);
  });

  it('answers for a stalled reader are not buffered without limit, and it gets them all when it continues', async () => {
    const big = 'x'.repeat(MEGABYTE);
    let ran = 0;
    await open((input) => {
      if (input === 'quick') return 1;
      ran += 1;
      return big;
    });
    const client = await greeted();
    client.socket.pause();
    const all = 200;
    for (let number = 1; number <= all; number += 1) client.call(number, {});
    await until(() => ran > 0);
    // By the time the sidecar has answered others, it has read all it will read on its own.
    const other = await greeted();
    for (let number = 1; number <= 20; number += 1) {
      other.call(number, 'quick');
      await other.end(number);
    }
    expect(ran).toBeLessThanOrEqual(MAX_UNENDED_CALLS);
    client.socket.resume();
    for (let number = 1; number <= all; number += 1) await client.end(number);
  });

  it('half a message is not waited for', async () => {
    await open(() => 1, { halfMessageMs: 40 });
    const client = await greeted();
    client.call(1, {});
    await client.end(1);
    client.socket.write(encodeMessage(MESSAGES.call, 2, '{"tool":').subarray(0, -1));
    await client.until(() => client.closed);
  });

  it('an unused connection is closed, one with a running call is not', async () => {
    const { tool, started, aborted } = endless();
    await open((input, caller) => (input === 'quick' ? 1 : tool(input, caller)), { abandonedMs: 100 });
    const [idle, busy] = [await greeted(), await greeted()];
    busy.call(1, {});
    await until(() => started.length === 1);
    idle.call(1, 'quick');
    await idle.until(() => idle.closed);
    expect([busy.closed, aborted.length]).toEqual([false, 0]);
  });
});

describe('the end of the listener', () => {
  it('ends running calls with an answer, closes idle connections, and takes no more', async () => {
    const { tool, started } = endless();
    await open(tool);
    const [idle, busy] = [await greeted(), await greeted()];
    busy.call(1, {});
    await until(() => started.length === 1);
    const closing = door.close();
    expect((await busy.end(1)).json).toMatchObject({ structuredContent: { error: { code: 'E_CANCELLED' } } });
    await Promise.all([closing, idle.until(() => idle.closed), busy.until(() => busy.closed)]);
  });

  it('does not wait for a call that does not settle', async () => {
    const timing = { headersMs: 10_000, bodyMs: 10_000, idleMs: 10_000, closeGraceMs: 50 };
    const stuck = gateway();
    let started = 0;
    door = await openDoor(
      {
        'run-query': () => {
          started += 1;
          return stuck.promise;
        },
      },
      { timing },
    );
    const client = await greeted();
    client.call(1, {});
    await until(() => started === 1);
    await door.close();
    await client.until(() => client.closed);
    stuck.open();
  });
});

it('no bytes crash the listener or make it log, with the token and without', async () => {
  await open((input) => ({ input }));
  const message = fc
    .tuple(fc.integer({ min: 0, max: 9 }), fc.integer({ min: 0, max: 5 }), fc.oneof(fc.json(), fc.string()))
    .map(([kind, number, text]) => {
      const bytes = encodeMessage(MESSAGES.call, number, text);
      bytes[8] = kind;
      return bytes;
    });
  const bytes = fc.oneof(
    message,
    fc.uint8Array({ maxLength: 60 }).map((array) => Buffer.from(array)),
  );
  await fc.assert(
    fc.asyncProperty(fc.boolean(), fc.array(bytes, { maxLength: 10 }), async (shows, pieces) => {
      const client = await CallsClient.open(door.port);
      if (shows) client.greet();
      for (const piece of pieces) client.socket.write(piece);
      const other = await CallsClient.greeted(door.port);
      other.call(1, 'still there');
      expect((await other.end(1)).json).toMatchObject({ structuredContent: { data: { input: 'still there' } } });
      await Promise.all([client.close(), other.close()]);
    }),
    { numRuns: 150 },
  );
  expect(door.logged).toEqual([]);
});
