import { request } from 'node:http';
import { AppError } from '@devdb/shared/errors';
import { linesOf, plain } from '@devdb/shared/plain-text';
import { allTools } from '@devdb/shared/tools';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {
  ElicitRequestSchema,
  type ElicitResult,
  type Progress,
  ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import {
  type Answer,
  call,
  gateOf,
  gateway,
  type OpenDoor,
  openDoor,
  TOKEN,
  type Tool,
} from '../../../test/helpers/http-door.ts';
import { until } from '../../../test/helpers/processes.ts';
import type { Caller } from '../../dispatch/caller.ts';
import type { HttpOptions } from '../http/http-server.ts';
import { MAX_MCP_SESSIONS, MCP_SESSION_IDLE_MS, MCP_SESSION_REPLACEABLE_MS } from '../limits.ts';
import { McpSessions } from './sessions.ts';
import { toolServers } from './tool-server.ts';

/** For a client that has not asked for the tools that look back. */
const LISTED = allTools.filter(({ toolset }) => toolset !== 'trace');

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function doorWith(tools: Record<string, Tool>, options: Partial<HttpOptions> = {}): Promise<OpenDoor> {
  const door = await openDoor(tools, options);
  closers.push(() => door.close());
  return door;
}

async function clientOf(door: OpenDoor, elicit?: () => Promise<ElicitResult>): Promise<Client> {
  const client = new Client({ name: 'täst', version: '1' }, { capabilities: elicit ? { elicitation: {} } : {} });
  if (elicit) client.setRequestHandler(ElicitRequestSchema, elicit);
  const headers = { authorization: `Bearer ${TOKEN}` };
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${door.port}/mcp`), { requestInit: { headers } }),
  );
  closers.push(() => client.close());
  return client;
}

/** A tool that runs until its signal aborts, and reports how it ended. */
function endless(): { tool: Tool; started: Promise<Caller>; ended: Promise<unknown> } {
  const started = gateway<Caller>();
  const ended = gateway<unknown>();
  const tool: Tool = (_input, caller) => {
    started.open(caller);
    return new Promise((_resolve, reject) =>
      caller.signal.addEventListener('abort', () => {
        ended.open(caller.signal.reason);
        reject(caller.signal.reason);
      }),
    );
  };
  return { tool, started: started.promise, ended: ended.promise };
}

const ACCEPT = { accept: 'application/json, text/event-stream' };
const INITIALIZE = {
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
};

/** One message, as a hand-written client sends it. */
function post(
  door: OpenDoor,
  message: unknown,
  headers: Record<string, string> = {},
  signal?: AbortSignal,
): Promise<Answer> {
  const body = typeof message === 'string' ? message : JSON.stringify(message);
  return call(door.port, '/mcp', { body, headers: { ...ACCEPT, ...headers }, ...(signal && { signal }) });
}

async function rawSession(door: OpenDoor): Promise<{ 'mcp-session-id': string }> {
  const answer = await post(door, INITIALIZE);
  const id = answer.headers['mcp-session-id'];
  if (typeof id !== 'string') throw new Error(`no session: ${answer.status} ${answer.text}`);
  return { 'mcp-session-id': id };
}

const ping = (id: number) => ({ jsonrpc: '2.0', id, method: 'ping' });
const toolCall = (id: number, name: string) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: {} },
});

describe('a client', () => {
  it('learns which server this is and what to do', async () => {
    const client = await clientOf(await doorWith({}));
    expect(client.getServerVersion()).toEqual({ name: 'DevDB', version: '9.9.9' });
    expect(client.getServerCapabilities()).toEqual({ tools: { listChanged: true } });
    expect(client.getInstructions()).toContain('no tool takes a projectRoot');
  });

  it('is notified when the tool list changed, and gets the new one', async () => {
    let tools = allTools;
    const gate = gateOf({});
    const changing = {
      projectRoot: gate.projectRoot,
      run: gate.run.bind(gate),
      get tools() {
        return tools;
      },
    };
    const door = await doorWith({}, { gate: changing });
    const client = await clientOf(door);
    await expect(client.listTools()).resolves.toMatchObject({ tools: { length: LISTED.length } });
    let heard = false;
    client.setNotificationHandler(ToolListChangedNotificationSchema, () => {
      heard = true;
    });
    tools = allTools.slice(0, 2);
    // The client opens the stream for notifications in its own time.
    await until('the client is notified', () => {
      door.toolsChanged();
      return heard;
    });
    await expect(client.listTools()).resolves.toMatchObject({ tools: { length: 2 } });
  });

  it.each([
    ['Visual Studio Code', '.mcp.json', 0],
    ['Visual Studio Code', undefined, LISTED.length],
    ['claude-code', '.mcp.json', allTools.length],
  ])('called %s, configured by %s, is offered %d tools', async (name, from, count) => {
    const door = await doorWith({});
    const headers = from === undefined ? {} : { 'x-devdb-from': from };
    const hello = { ...INITIALIZE, params: { ...INITIALIZE.params, clientInfo: { name, version: '1' } } };
    const id = (await post(door, hello, headers)).headers['mcp-session-id'];
    const answer = await post(
      door,
      { jsonrpc: '2.0', id: 1, method: 'tools/list' },
      { ...headers, 'mcp-session-id': String(id) },
    );
    expect(answer.text.match(/"inputSchema"/g) ?? []).toHaveLength(count);
  });

  it('gets the tools in order, without output schemas', async () => {
    const client = await clientOf(await doorWith({}));
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(LISTED.map(({ name }) => name));
    expect(tools.every((tool) => tool.outputSchema === undefined && tool.inputSchema.type === 'object')).toBe(true);
    const schema = tools.find(({ name }) => name === 'get-schema');
    expect(schema).toMatchObject({
      title: 'Get table schema',
      inputSchema: { required: ['table'], additionalProperties: false },
    });
    expect(schema?.annotations).toMatchObject({ readOnlyHint: true, openWorldHint: false });
  });

  it('calls a tool with its identity', async () => {
    const { promise, open } = gateway<Caller>();
    const door = await doorWith({
      'get-tables': (_input, caller) => {
        open(caller);
        return { tables: ['users'] };
      },
    });
    const client = await clientOf(door);
    const result = await client.callTool({ name: 'get-tables', arguments: {} });
    expect(result).toMatchObject({
      content: [{ type: 'text', text: '["users"]' }],
      structuredContent: { ok: true, data: { tables: ['users'] } },
    });
    expect(result.isError).toBeUndefined();
    expect(await promise).toMatchObject({
      door: 'mcp',
      clientName: 'täst',
      clientId: expect.stringMatching(/^[\w-]{36}$/),
    });
    expect((await promise).ask).toBeUndefined();
  });

  it("gets a tool's error as a result and an unknown tool as a protocol error", async () => {
    const door = await doorWith({
      'run-query': () => {
        throw new AppError('E_SQL', 'near "SELEC": syntax error', { hint: 'Correct it.' });
      },
    });
    const client = await clientOf(door);
    expect(await client.callTool({ name: 'run-query', arguments: { query: 'SELEC' } })).toMatchObject({
      isError: true,
      content: [{ text: '[E_SQL] near "SELEC": syntax error. Hint: Correct it.' }],
      structuredContent: { ok: false, error: { code: 'E_SQL' } },
    });
    await expect(client.callTool({ name: 'no-such', arguments: {} })).rejects.toMatchObject({ code: -32602 });
    await expect(client.listResources()).rejects.toMatchObject({ code: -32601 });
  });

  it.each([
    [{ name: 'run-query', arguments: 'SELECT 1' }, 'params.arguments'],
    [{ name: 'run-query', arguments: null }, 'params.arguments'],
    [{ name: 5 }, 'params.name'],
    [undefined, 'params'],
  ])('gets a message when the params %j do not fit', async (params, where) => {
    const door = await doorWith({ 'run-query': () => 'run' });
    const answer = await post(door, { jsonrpc: '2.0', id: 1, method: 'tools/call', params }, await rawSession(door));
    expect(answer.text).toContain(`"code":-32602,"message":"MCP error -32602: tools/call: ${where}: `);
  });

  it.each([
    ['x-devdb-structured', 'sometimes', 'Send one of'],
    ['x-devdb-default-timeout', 'long', 'Send a whole number'],
  ])('whose header %s is wrong learns what to send, and nothing runs', async (name, value, hint) => {
    let ran = 0;
    const door = await doorWith({ 'get-tables': () => (ran += 1) });
    const answer = await post(door, toolCall(1, 'get-tables'), { ...(await rawSession(door)), [name]: value });
    const refusal = { code: 'E_INVALID_PARAMS', hint: expect.stringContaining(hint) };
    expect(answer).toMatchObject({ status: 400, json: refusal });
    expect(ran).toBe(0);
  });

  it('gets an error that names what its initialize lacks', async () => {
    const answer = await post(await doorWith({}), { ...INITIALIZE, params: { protocolVersion: '2025-06-18' } });
    expect(answer).toMatchObject({
      status: 400,
      json: { error: { code: -32602, message: expect.stringContaining('clientInfo') } },
    });
  });

  it('gets progress, even while the tool is silent', async () => {
    const gate = gateOf({
      'run-query': async (_input, { progress, signal }) => {
        progress({ progress: 5, total: 10 });
        await new Promise((resolve) => setTimeout(resolve, 80));
        return { aborted: signal.aborted };
      },
    });
    const openMcp: HttpOptions['openMcp'] = async ({ log }) =>
      new McpSessions({ newServer: toolServers({ gate, version: '1', log, progressIntervalMs: 20 }), log });
    const door = await doorWith({}, { openMcp });
    const client = await clientOf(door);
    const seen: Progress[] = [];
    await client.callTool({ name: 'run-query', arguments: {} }, undefined, {
      onprogress: (progress) => seen.push(progress),
    });
    expect(seen[0]).toEqual({ progress: 5, total: 10 });
    expect(seen.length).toBeGreaterThan(2);
    expect(seen.map(({ progress }) => progress)).toEqual(seen.map(({ progress }) => progress).sort((a, b) => a - b));
    // Five more intervals: progress for an ended call would find no stream and be logged.
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(door.logged).toEqual([]);
  });

  it('cancels a call', async () => {
    const { tool, started, ended } = endless();
    const client = await clientOf(await doorWith({ 'run-query': tool, 'get-tables': () => ({ tables: [] }) }));
    const cancel = new AbortController();
    const result = client.callTool({ name: 'run-query', arguments: {} }, undefined, { signal: cancel.signal });
    const settled = result.catch(() => 'rejected');
    await started;
    cancel.abort('enough');
    expect(await ended).toMatchObject({ code: 'E_CANCELLED' });
    expect(await settled).toBe('rejected');
    expect(await client.callTool({ name: 'get-tables', arguments: {} })).toMatchObject({
      structuredContent: { ok: true },
    });
  });

  it('is asked when it can be, and its answer is read', async () => {
    const tool: Tool = async (_input, { ask, signal }) => ({
      answer: await ask?.({ title: plain`t`, message: linesOf([plain`Delete 3 rows?`]) }, signal),
    });
    const door = await doorWith({ 'run-query': tool });
    const answers: ElicitResult[] = [
      { action: 'accept', content: { answer: 'session' } },
      { action: 'accept', content: { answer: 'odd' } },
      { action: 'decline' },
    ];
    const heard: unknown[] = [];
    const client = await clientOf(door, async () => answers.shift() ?? { action: 'cancel' });
    for (let i = 0; i < 4; i += 1)
      heard.push((await client.callTool({ name: 'run-query', arguments: {} })).structuredContent);
    expect(heard).toMatchObject(['session', 'no', 'no', 'closed'].map((answer) => ({ data: { answer } })));
  });

  it('is not awaited when the question times out, and a client that fails to ask changes nothing', async () => {
    const silence = new AbortController();
    const asked = gateway();
    const door = await doorWith({
      'run-query': async (input, { ask, signal }) => ({
        answer: await ask?.(
          { title: plain`t`, message: linesOf([plain`m`]) },
          JSON.stringify(input) === '{}' ? silence.signal : signal,
        ),
      }),
    });
    const silent = await clientOf(door, () => {
      asked.open();
      return new Promise(() => undefined);
    });
    const result = silent.callTool({ name: 'run-query', arguments: {} });
    await asked.promise;
    silence.abort(new AppError('E_APPROVAL_DENIED', 'There was no answer.'));
    expect((await result).structuredContent).toMatchObject({ error: { code: 'E_APPROVAL_DENIED' } });
    const failing = await clientOf(door, () => Promise.reject(new Error('no window')));
    const failed = await failing.callTool({ name: 'run-query', arguments: { query: 'x' } });
    expect(failed.structuredContent).toMatchObject({ error: { code: 'E_CONFIRMATION_REQUIRED' } });
  });
});

describe('a connection that closes', () => {
  it.each([0, 7])('cancels its call (request id %d)', async (id) => {
    const { tool, started, ended } = endless();
    const door = await doorWith({ 'run-query': tool });
    const session = await rawSession(door);
    const gone = new AbortController();
    const answer = post(door, toolCall(id, 'run-query'), session, gone.signal).catch((error: Error) => error.name);
    await started;
    gone.abort();
    expect(await answer).toBe('AbortError');
    expect(await ended).toMatchObject({ code: 'E_CANCELLED' });
    expect((await post(door, ping(8), session)).text).toContain('"result":{}');
  });

  it('leaves the calls of other connections alone', async () => {
    const { tool, started } = endless();
    const door = await doorWith({ 'run-query': tool, 'get-tables': () => ({ tables: [] }) });
    const session = await rawSession(door);
    const gone = new AbortController();
    const running = post(door, toolCall(1, 'run-query'), session);
    const caller = await started;
    const other = post(door, toolCall(2, 'run-query'), session, gone.signal).catch(() => 'gone');
    gone.abort();
    expect(await other).toBe('gone');
    await post(door, toolCall(3, 'get-tables'), session);
    expect(caller.signal.aborted).toBe(false);
    await call(door.port, '/mcp', { method: 'DELETE', headers: session });
    await running;
  });

  it('ends the stream of a call that its client cancelled', async () => {
    const { tool, started, ended } = endless();
    const door = await doorWith({ 'run-query': tool });
    const session = await rawSession(door);
    const answer = post(door, toolCall(3, 'run-query'), session);
    await started;
    const notice = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 3 } };
    expect((await post(door, notice, session)).status).toBe(202);
    await ended;
    expect((await answer).text).not.toContain('"id":3');
  });
});

describe('sessions', () => {
  it('are needed for everything but initialize', async () => {
    const door = await doorWith({});
    expect((await post(door, ping(1))).status).toBe(400);
    expect((await call(door.port, '/mcp', { headers: { accept: 'text/event-stream' } })).status).toBe(400);
    expect((await call(door.port, '/mcp', { method: 'DELETE' })).status).toBe(400);
    const unknown = { 'mcp-session-id': 'f3e7e1c0-0000-4000-8000-000000000000' };
    expect(await post(door, ping(1), unknown)).toMatchObject({
      status: 404,
      json: { jsonrpc: '2.0', error: { code: -32001 }, id: null },
    });
    expect((await post(door, INITIALIZE, unknown)).status).toBe(404);
  });

  it('end with DELETE, and their calls with them', async () => {
    const { tool, started, ended } = endless();
    const door = await doorWith({ 'run-query': tool });
    const session = await rawSession(door);
    const running = post(door, toolCall(0, 'run-query'), session);
    await started;
    expect((await call(door.port, '/mcp', { method: 'DELETE', headers: session })).status).toBe(200);
    expect(await ended).toMatchObject({ code: 'E_CANCELLED' });
    await running;
    expect((await post(door, ping(1), session)).status).toBe(404);
  });

  it('are not opened by a request that the protocol refuses', async () => {
    const sessions = mcpOn(gateOf({}));
    const door = await doorWith({}, { openMcp: async () => sessions });
    const refused = await call(door.port, '/mcp', {
      body: JSON.stringify(INITIALIZE),
      headers: { accept: 'application/json' },
    });
    expect(refused.status).toBe(406);
    expect((await post(door, [INITIALIZE, ping(1)])).status).toBe(400);
    expect(sessions.size).toBe(0);
  });

  it.each([['{'], ['[]'], ['null'], ['5'], ['{"jsonrpc":"1.0","id":1,"method":"ping"}'], ['[{}]']])(
    'answer 400 to the message %s',
    async (message) => {
      const door = await doorWith({});
      for (const headers of [{}, await rawSession(door)]) {
        const answer = await post(door, message, headers);
        expect([answer.status, answer.headers['content-type']]).toEqual([
          400,
          expect.stringContaining('application/json'),
        ]);
        expect(answer.json).toMatchObject({ jsonrpc: '2.0', error: { code: expect.any(Number) } });
      }
    },
  );

  it.each([
    { 'content-type': 'text/plain' },
    { 'content-type': 'application/json; charset=latin1' },
    { 'content-encoding': 'gzip' },
  ])('require JSON in UTF-8, not compressed: %j', async (headers) => {
    const answer = await post(await doorWith({}), INITIALIZE, headers);
    expect([answer.status, answer.json]).toMatchObject([415, { code: 'E_UNSUPPORTED_MEDIA_TYPE' }]);
  });

  it('are limited in number; one unused for a while makes room', async () => {
    let now = 0;
    const sessions = mcpOn(gateOf({}), () => now);
    const door = await doorWith({}, { openMcp: async () => sessions });
    const first = await rawSession(door);
    for (let i = 1; i < MAX_MCP_SESSIONS; i += 1) await rawSession(door);
    const refused = await post(door, INITIALIZE);
    expect([refused.status, refused.headers['retry-after'], refused.json]).toMatchObject([
      503,
      '60',
      { error: { code: -32000 } },
    ]);
    now = MCP_SESSION_REPLACEABLE_MS - 1;
    expect((await post(door, INITIALIZE)).status).toBe(503);
    now += 1;
    await post(door, ping(1), first);
    await rawSession(door);
    expect(sessions.size).toBe(MAX_MCP_SESSIONS);
    expect((await post(door, ping(1), first)).status).toBe(200);
  });

  it('are shared: where one client holds all of them, another one still gets in, or gets an error', async () => {
    let now = 0;
    const sessions = mcpOn(gateOf({}), () => now);
    const door = await doorWith({}, { openMcp: async () => sessions });
    const first = await rawSession(door);
    for (let i = 1; i < MAX_MCP_SESSIONS; i += 1, now += 1) await rawSession(door);
    const refused = await post(door, INITIALIZE);
    expect([refused.status, refused.json]).toMatchObject([
      503,
      { error: { message: expect.stringContaining(`${MAX_MCP_SESSIONS} of them by clients of the same name`) } },
    ]);
    const { params } = INITIALIZE;
    const other = { ...INITIALIZE, params: { ...params, clientInfo: { name: 'another', version: '1' } } };
    expect((await post(door, other)).status).toBe(200);
    expect(sessions.size).toBe(MAX_MCP_SESSIONS);
    // The session unused the longest was replaced.
    expect((await post(door, ping(1), first)).status).toBe(404);
  });

  it('keep the limit when all come at once', async () => {
    const sessions = mcpOn(gateOf({}));
    const door = await doorWith({}, { openMcp: async () => sessions });
    const answers = await Promise.all(Array.from({ length: MAX_MCP_SESSIONS + 20 }, () => post(door, INITIALIZE)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(MAX_MCP_SESSIONS);
    expect(sessions.size).toBe(MAX_MCP_SESSIONS);
  });

  it('expire when unused, but not while a call runs or a client listens', async () => {
    let now = 0;
    const { tool, started } = endless();
    const sessions = mcpOn(gateOf({ 'run-query': tool }), () => now);
    const door = await doorWith({}, { openMcp: async () => sessions });
    const [idle, busy, listening] = [await rawSession(door), await rawSession(door), await rawSession(door)];
    const running = post(door, toolCall(1, 'run-query'), busy);
    await started;
    const heard = await listen(door, listening);
    now = MCP_SESSION_IDLE_MS;
    expect((await post(door, ping(2), idle)).status).toBe(404);
    expect((await post(door, ping(2), busy)).status).toBe(200);
    expect((await post(door, ping(2), listening)).status).toBe(200);
    heard.leave();
    await heard.ended;
    await call(door.port, '/mcp', { method: 'DELETE', headers: busy });
    await running;
  });

  it('end when the door closes, with their streams and calls', async () => {
    const { tool, started, ended } = endless();
    const door = await openDoor({ 'run-query': tool });
    const session = await rawSession(door);
    const running = post(door, toolCall(1, 'run-query'), session);
    const heard = await listen(door, session);
    await started;
    const begun = performance.now();
    await door.close();
    await Promise.all([running, heard.ended]);
    expect(await ended).toMatchObject({ code: 'E_CANCELLED' });
    expect(performance.now() - begun).toBeLessThan(2_000);
  });
});

function mcpOn(gate: ReturnType<typeof gateOf>, now?: () => number): McpSessions {
  const log = (): void => undefined;
  return new McpSessions({ newServer: toolServers({ gate, version: '1', log }), log, ...(now && { now }) });
}

/** A client's listening stream, once it is open. */
function listen(door: OpenDoor, session: Record<string, string>): Promise<{ leave: () => void; ended: Promise<void> }> {
  const headers = { authorization: `Bearer ${TOKEN}`, accept: 'text/event-stream', ...session };
  return new Promise((resolve, reject) => {
    const req = request({ host: '127.0.0.1', port: door.port, path: '/mcp', headers }, (res) => {
      const ended = new Promise<void>((over) => res.on('close', over));
      res.on('error', () => undefined).resume();
      resolve({ leave: () => req.destroy(), ended });
    });
    req.on('error', reject).end();
  });
}
