import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { createInterface } from 'node:readline';
import { AppError } from '@devdb/shared/errors';
import { linesOf, plain } from '@devdb/shared/plain-text';
import { call, gateway, type OpenDoor, openDoor, TOKEN, type Tool } from '../../../test/helpers/http-door.ts';
import type { Caller } from '../../dispatch/caller.ts';

let door: OpenDoor | undefined;
afterEach(() => door?.close());

const QUESTION = { title: plain`Write`, message: linesOf([plain`DELETE FROM users changes 3 rows.`]) };
const never = new AbortController().signal;

async function ask(caller: Caller, signal = never): Promise<unknown> {
  if (!caller.ask) throw new AppError('E_CONFIRMATION_REQUIRED', 'No user can be asked.');
  return { answer: await caller.ask(QUESTION, signal) };
}

interface Stream {
  readonly req: ClientRequest;
  readonly res: IncomingMessage;
  next(): Promise<Record<string, unknown> | undefined>;
}

/** A running call whose lines are read one by one. */
async function stream(tool: Tool, headers: Record<string, string> = {}): Promise<Stream> {
  door ??= await openDoor({ 'run-query': tool });
  const { port } = door;
  return new Promise((resolve, reject) => {
    const req = request(
      {
        host: '127.0.0.1',
        port,
        path: '/tools/run-query',
        method: 'POST',
        headers: {
          authorization: `Bearer ${TOKEN}`,
          'content-type': 'application/json',
          accept: 'application/x-ndjson',
          ...headers,
        },
      },
      (res) => {
        const lines = createInterface({ input: res })[Symbol.asyncIterator]();
        const next = async (): Promise<Record<string, unknown> | undefined> => {
          const { value, done } = await lines.next();
          return done ? undefined : JSON.parse(value);
        };
        resolve({ req, res, next });
      },
    );
    req.on('error', reject).end('{}');
  });
}

const asker = { 'x-devdb-can-ask': '1', 'x-devdb-client-id': 'client-1' };
const reply = (id: unknown, body: unknown, clientId: string | undefined = 'client-1') =>
  call(door?.port ?? 0, `/asks/${id}`, { body: JSON.stringify(body), headers: { 'x-devdb-client-id': clientId } });

beforeEach(() => {
  door = undefined;
});

describe('an answer in lines', () => {
  it('is one line when there is nothing else to report', async () => {
    const { res, next } = await stream(() => ({ rows: [] }));
    expect([res.statusCode, res.headers['content-type'], res.headers['transfer-encoding']]).toEqual([
      200,
      'application/x-ndjson',
      undefined,
    ]);
    expect(await next()).toMatchObject({ type: 'result', result: { ok: true, data: { rows: [] } } });
    expect(await next()).toBeUndefined();
  });

  it('has progress first, rising, and the result last', async () => {
    const { next } = await stream((_input, { progress }) => {
      progress({ progress: 10, total: 20, message: 'ten' });
      progress({ progress: 5 });
      return 'done';
    });
    expect(await next()).toEqual({ type: 'progress', progress: 10, total: 20, message: 'ten' });
    const second = await next();
    expect(second?.['progress']).toBeGreaterThan(10);
    expect(await next()).toMatchObject({ type: 'result', result: { data: 'done' } });
    expect(await next()).toBeUndefined();
  });

  it('ignores progress after the end', async () => {
    let late: Caller['progress'] | undefined;
    const { next } = await stream((_input, { progress }) => {
      late = progress;
      return 1;
    });
    await next();
    late?.({ progress: 1 });
    expect(await next()).toBeUndefined();
  });

  it.each(['Application/X-NDJSON', 'application/json;q=0.5, application/x-ndjson'])(
    'is returned for Accept: %s',
    async (accept) => {
      door = await openDoor({ 'get-tables': () => ({ tables: ['a'] }) });
      const answer = await call(door.port, '/tools/get-tables', { body: '{}', headers: { accept } });
      expect(answer.headers['content-type']).toBe('application/x-ndjson');
    },
  );

  it("gives a tool's errors as a result, and 404 for a missing tool", async () => {
    door = await openDoor({ 'run-query': (_input, caller) => ask(caller) });
    const headers = { accept: 'application/x-ndjson' };
    const failed = await call(door.port, '/tools/run-query', { body: '{}', headers });
    expect([failed.status, failed.json]).toMatchObject([200, { result: { ok: false } }]);
    const unknown = await call(door.port, '/tools/later', { body: '{}', headers });
    expect([unknown.status, unknown.json]).toMatchObject([404, { ok: false, error: { code: 'E_UNKNOWN_TOOL' } }]);
    expect(unknown.headers['content-type']).toBe('application/json');
  });

  it('cancels the call when the request is closed', async () => {
    const aborted = gateway<unknown>();
    const { req, next } = await stream((_input, { signal, progress }) => {
      progress({ progress: 1 });
      return new Promise((_resolve, reject) =>
        signal.addEventListener('abort', () => {
          aborted.open(signal.reason);
          reject(signal.reason);
        }),
      );
    });
    await next();
    req.destroy();
    expect(await aborted.promise).toMatchObject({ code: 'E_CANCELLED' });
  });
});

describe('questions', () => {
  it.each([
    [{ action: 'accept', content: { answer: 'session' } }, 'session'],
    [{ action: 'accept' }, 'once'],
    [{ action: 'accept', content: { answer: 'perhaps' } }, 'no'],
    [{ action: 'decline' }, 'no'],
    [{ action: 'cancel', content: null }, 'closed'],
  ])('are sent as a line and answered by %j', async (said, heard) => {
    const { next } = await stream((_input, caller) => ask(caller), asker);
    const line = await next();
    expect(line).toMatchObject({
      type: 'ask',
      id: expect.any(String),
      message: QUESTION.message,
      requestedSchema: { type: 'object' },
    });
    expect(await reply(line?.['id'], said)).toMatchObject({ status: 200 });
    expect(await next()).toMatchObject({ type: 'result', result: { data: { answer: heard } } });
  });

  it.each([[{}], [{ 'x-devdb-can-ask': '1' }], [{ 'x-devdb-client-id': 'client-1' }]])(
    'are not asked of a caller with the headers %j',
    async (headers) => {
      const { next } = await stream((_input, caller) => ask(caller), headers);
      expect(await next()).toMatchObject({ result: { error: { code: 'E_CONFIRMATION_REQUIRED' } } });
    },
  );

  it('are not asked of a caller that reads one JSON answer', async () => {
    const { next } = await stream((_input, caller) => ask(caller), { ...asker, accept: 'application/json' });
    expect(await next()).toMatchObject({ error: { code: 'E_CONFIRMATION_REQUIRED' } });
  });

  it('are answered only by the client that was asked, and stay open meanwhile', async () => {
    const { next } = await stream((_input, caller) => ask(caller), asker);
    const id = (await next())?.['id'];
    expect((await reply(id, { action: 'accept' }, 'client-2')).status).toBe(403);
    expect((await reply(id, { action: 'accept' }, '')).status).toBe(403);
    expect((await reply(id, { action: 'maybe' })).status).toBe(400);
    expect((await reply(id, { action: 'decline' })).status).toBe(200);
    expect(await next()).toMatchObject({ result: { data: { answer: 'no' } } });
  });

  it('are answered once', async () => {
    const { next } = await stream((_input, caller) => ask(caller), asker);
    const id = (await next())?.['id'];
    expect((await reply(id, { action: 'accept' })).status).toBe(200);
    expect(await reply(id, { action: 'accept' })).toMatchObject({ status: 404, json: { code: 'E_NOT_FOUND' } });
    expect((await reply('nonsense', { action: 'accept' })).status).toBe(404);
  });

  it('end when their signal aborts, and the caller gets the reason', async () => {
    const silence = new AbortController();
    const { next } = await stream((_input, caller) => ask(caller, silence.signal), asker);
    const id = (await next())?.['id'];
    silence.abort(new AppError('E_APPROVAL_DENIED', 'There was no answer.'));
    expect(await next()).toEqual({ type: 'ask-over', id });
    expect(await next()).toMatchObject({ result: { error: { code: 'E_APPROVAL_DENIED' } } });
    expect((await reply(id, { action: 'accept' })).status).toBe(404);
  });

  it('end when their call ends first', async () => {
    const { next } = await stream((_input, caller) => {
      ask(caller).catch(() => undefined);
      return 'gave up';
    }, asker);
    const id = (await next())?.['id'];
    expect(await next()).toEqual({ type: 'ask-over', id });
    expect(await next()).toMatchObject({ result: { data: 'gave up' } });
  });

  it('end with a caller that vanishes', async () => {
    const ended = gateway<unknown>();
    const { req, next } = await stream(async (_input, caller) => {
      await ask(caller, caller.signal).catch((error: unknown) => {
        ended.open(error);
        throw error;
      });
    }, asker);
    const id = (await next())?.['id'];
    req.destroy();
    expect(await ended.promise).toMatchObject({ code: 'E_CANCELLED' });
    expect((await reply(id, { action: 'accept' })).status).toBe(404);
  });

  it('of two clients do not mix', async () => {
    const first = await stream((_input, caller) => ask(caller), asker);
    const second = await stream((_input, caller) => ask(caller), { ...asker, 'x-devdb-client-id': 'client-2' });
    const [firstAsk, secondAsk] = [await first.next(), await second.next()];
    await reply(secondAsk?.['id'], { action: 'decline' }, 'client-2');
    await reply(firstAsk?.['id'], { action: 'accept' });
    expect(await first.next()).toMatchObject({ result: { data: { answer: 'once' } } });
    expect(await second.next()).toMatchObject({ result: { data: { answer: 'no' } } });
  });
});
