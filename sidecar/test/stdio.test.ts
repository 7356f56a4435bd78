import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HEADERS } from '@devdb/shared/protocol/http';
import { allTools } from '@devdb/shared/tools';
import { bundleStdioEntry } from '../build/bundle.ts';
import {
  type Answerer,
  answerLines,
  bodyOf,
  type CallAnswerer,
  ContractSidecar,
  success,
} from './helpers/contract-sidecar.ts';
import { oldestNode } from './helpers/oldest-node.ts';
import { DIST } from './helpers/start-sidecar.ts';
import { type JsonObject, StdioClient, type StdioClientOptions, toolResult } from './helpers/stdio-client.ts';
import { TempHome } from './helpers/temp-home.ts';

const VERSION = '1.1.0';

let bundleDir: string;
let temp: TempHome;
let client: StdioClient | undefined;
let sidecars: ContractSidecar[];

beforeAll(async () => {
  bundleDir = mkdtempSync(join(tmpdir(), 'devdb-stdio-'));
  await bundleStdioEntry({ outDir: bundleDir, version: VERSION });
});

afterAll(() => rmSync(bundleDir, { recursive: true, force: true }));

beforeEach(() => {
  temp = new TempHome();
  client = undefined;
  sidecars = [];
});

afterEach(async () => {
  client?.child.kill('SIGKILL');
  await client?.exited;
  for (const sidecar of sidecars) await sidecar.close();
  temp.remove();
});

async function connect(options: Partial<StdioClientOptions> = {}): Promise<StdioClient> {
  client = await StdioClient.connect({ bundleDir, home: temp.home, ...options });
  return client;
}

/** A project's sidecar, listening and in the registry beside the others. */
async function open(root: string, answer: CallAnswerer, extra: { instead?: Answerer; version?: string } = {}) {
  const sidecar = await ContractSidecar.listen({ root, token: temp.token, answer, ...extra });
  sidecars.push(sidecar);
  temp.register({ [root]: sidecar.port });
  return sidecar;
}

const answerOne: CallAnswerer = (_seen, res) => answerLines(res, [success({ one: 1 })]);

describe('the protocol', () => {
  it.each([
    ['2025-11-25', '2025-11-25'],
    ['2025-06-18', '2025-06-18'],
    ['2025-03-26', '2025-03-26'],
    ['2024-11-05', '2024-11-05'],
    ['2030-01-01', '2025-11-25'],
  ])('answers initialize for %s with %s', async (asked, answered) => {
    client = new StdioClient({ bundleDir, home: temp.home });
    const response = await client.request('initialize', { protocolVersion: asked, capabilities: {}, clientInfo: {} });
    expect(response['result']).toMatchObject({
      protocolVersion: answered,
      capabilities: { tools: {} },
      serverInfo: { name: 'DevDB', version: VERSION },
      instructions: expect.stringContaining('projectRoot'),
    });
  });

  it('refuses server/discover before initialize and then initializes', async () => {
    client = new StdioClient({ bundleDir, home: temp.home });
    expect(await client.request('server/discover')).toMatchObject({ error: { code: -32601 } });
    expect(await client.request('ping')).toMatchObject({ result: {} });
    expect(await client.request('initialize', { protocolVersion: '2025-11-25' })).toHaveProperty('result');
  });

  it('lists every tool with projectRoot first, required and described, in strict schemas', async () => {
    const response = await (await connect()).request('tools/list');
    const { tools } = { tools: [], ...(response['result'] ?? {}) };
    expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(['get-tables', 'run-query', 'export-query']));
    for (const tool of tools) {
      expect(Object.keys(tool).sort()).toEqual(['annotations', 'description', 'inputSchema', 'name', 'title']);
      const schema: { properties: JsonObject; required: string[]; additionalProperties: boolean } = tool['inputSchema'];
      expect(Object.entries(schema.properties)[0]).toEqual([
        'projectRoot',
        { type: 'string', description: "Absolute path of the project's root" },
      ]);
      expect(schema.required[0]).toBe('projectRoot');
      expect(schema.additionalProperties).toBe(false);
    }
  });

  it('lists only the toolsets it was started with and answers E_DISABLED for the others', async () => {
    const started = await connect({ args: ['--toolsets', 'refactor'] });
    const names = allTools.filter(({ toolset }) => toolset === 'refactor').map(({ name }) => ({ name }));
    expect(await started.request('tools/list')).toMatchObject({ result: { tools: names } });
    const { error, isError } = await started.call('get-tables', { projectRoot: temp.base });
    expect(isError).toBe(true);
    expect(error).toMatchObject({ code: 'E_DISABLED', hint: expect.stringContaining('--toolsets') });
  });

  it.each([
    ['{"jsonrpc":"2.0","id":1,', -32700, null],
    ['7', -32600, null],
    ['[]', -32600, null],
    ['{"jsonrpc":"1.0","id":1,"method":"ping"}', -32600, 1],
    ['{"jsonrpc":"2.0","id":null,"method":"ping"}', -32600, null],
    ['{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}', -32600, null],
    ['{"jsonrpc":"2.0","id":"a"}', -32600, 'a'],
    ['{"jsonrpc":"2.0","id":"a","method":3}', -32600, 'a'],
    ['{"jsonrpc":"2.0","id":"a","method":"nope"}', -32601, 'a'],
    ['{"jsonrpc":"2.0","id":"a","method":"ping","params":[1]}', -32602, 'a'],
    ['{"jsonrpc":"2.0","id":"a","method":"initialize","params":{}}', -32602, 'a'],
    ['{"jsonrpc":"2.0","id":"a","method":"tools/list","params":{"cursor":"x"}}', -32602, 'a'],
    ['{"jsonrpc":"2.0","id":"a","method":"tools/call","params":{"arguments":{}}}', -32602, 'a'],
    ['{"jsonrpc":"2.0","id":"a","method":"tools/call","params":{"name":"no-such-tool"}}', -32602, 'a'],
    ['{"jsonrpc":"2.0","id":"a","method":"tools/call","params":{"name":"get-tables","arguments":[]}}', -32602, 'a'],
  ])('answers %s with %d', async (line, code, id) => {
    client = new StdioClient({ bundleDir, home: temp.home });
    client.write(`${line}\n`);
    expect(await client.response(id)).toMatchObject({ id, error: { code, message: expect.any(String) } });
  });

  it('answers a batch with one line, in the order asked, and leaves notifications out', async () => {
    const started = await connect();
    const before = started.lines.length;
    started.write(
      `${JSON.stringify([
        { jsonrpc: '2.0', id: 'x', method: 'ping' },
        { jsonrpc: '2.0', method: 'notifications/initialized' },
        5,
        { jsonrpc: '2.0', id: 'y', method: 'tools/call', params: { name: 'get-tables', arguments: {} } },
      ])}\n`,
    );
    await started.response('y');
    expect(started.lines.length).toBe(before + 1);
    expect(JSON.parse(started.lines[before] ?? '')).toMatchObject([{ id: 'x' }, { id: null }, { id: 'y' }]);
  });

  it('refuses a batch of more than 100', async () => {
    client = new StdioClient({ bundleDir, home: temp.home });
    client.write(`[${'1,'.repeat(100)}1]\n`);
    expect(await client.response(null)).toMatchObject({ error: { code: -32600 } });
    expect(await client.request('ping')).toMatchObject({ result: {} });
    expect(client.lines).toHaveLength(2);
  });

  it('drops a line of 20 MB with an error and continues with the next one', async () => {
    const started = await connect();
    started.write(`{"jsonrpc":"2.0","id":"big","method":"${'x'.repeat(20_000_000)}"}\n`);
    expect(await started.response(null)).toMatchObject({ error: { code: -32600 } });
    expect(await started.request('ping')).toMatchObject({ result: {} });
  });

  it.each([
    ['"latin"', 'latin'],
    ['"caf\xe9"', null],
  ])('refuses a line that is not UTF-8, with its id %s where that can be read', async (id, answered) => {
    client = new StdioClient({ bundleDir, home: temp.home });
    const line = `{"jsonrpc":"2.0","id":${id},"method":"ping","params":{"name":"caf\xe9"}}\n`;
    client.child.stdin.write(Buffer.from(line, 'latin1'));
    expect(await client.response(answered)).toMatchObject({ error: { code: -32700, message: expect.any(String) } });
    expect(await client.request('ping')).toMatchObject({ result: {} });
    expect(client.lines).toHaveLength(2);
  });

  it('accepts a message after a byte order mark', async () => {
    client = new StdioClient({ bundleDir, home: temp.home });
    client.write('\ufeff{"jsonrpc":"2.0","id":"marked","method":"ping"}\n');
    expect(await client.response('marked')).toMatchObject({ result: {} });
  });

  it('accepts the last line without its newline', async () => {
    client = new StdioClient({ bundleDir, home: temp.home });
    client.child.stdin.end('{"jsonrpc":"2.0","id":"last","method":"ping"}');
    expect(await client.response('last')).toMatchObject({ result: {} });
    expect(await client.exited).toEqual({ code: 0, signal: null });
  });
});

describe('projectRoot', () => {
  it.each([
    [undefined, 'missing'],
    ['', 'empty'],
    [5, 'not a string'],
    [['/x'], 'not a string'],
  ])('names the field when it is %p', async (projectRoot, what) => {
    const { error, text } = await (await connect()).call('get-tables', { projectRoot });
    expect(error).toMatchObject({ code: 'E_INVALID_PARAMS', details: { field: 'projectRoot' } });
    expect(text).toMatch(new RegExp(`^\\[E_INVALID_PARAMS\\] projectRoot .*${what}`));
  });

  it('says the sentence for a relative path, and only that', async () => {
    const { text, error, isError, structured } = await (await connect()).call('get-tables', { projectRoot: './x' });
    expect(text).toBe('Error: projectRoot must be an absolute path');
    expect(isError).toBe(true);
    expect(error).toMatchObject({ code: 'E_INVALID_PARAMS', retryable: false, hint: expect.any(String) });
    expect(structured['meta']).toEqual({
      requestId: expect.any(String),
      timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
      duration: expect.any(Number),
    });
  });

  it('says the sentence for a missing folder, and only that', async () => {
    const { text, error } = await (await connect()).call('get-tables', { projectRoot: join(temp.base, 'gone') });
    expect(text).toBe('Error: projectRoot does not exist');
    expect(error).toMatchObject({ code: 'E_INVALID_PARAMS' });
  });

  it.each([
    ['C:\\Users\\me\\app', '/mnt/c/Users/me/app'],
    ['\\\\wsl$\\Ubuntu\\home\\me\\app', '/home/me/app'],
    ['\\\\wsl.localhost\\Debian\\srv', '/srv'],
  ])('gives the name of %s on this side of WSL', async (asked, here) => {
    const { text, error } = await (await connect()).call('get-tables', { projectRoot: asked });
    expect(text).toBe('Error: projectRoot must be an absolute path');
    expect(error['hint']).toContain(here);
  });

  it('lists the open roots, nearest first, when this one is not open', async () => {
    const asked = temp.project('work/shop/api');
    temp.register({
      '/elsewhere/a': 50_001,
      [join(temp.base, 'work')]: 50_002,
      [join(temp.base, 'work/shop')]: 50_003,
    });
    const { text, error } = await (await connect()).call('get-tables', { projectRoot: `${asked}/` });
    const [sentence, hint] = text.split('\n');
    expect(sentence).toBe(`Error: MCP server not running for project: ${asked}/`);
    expect(hint).toContain(`open now: ${temp.base}/work/shop, ${temp.base}/work, /elsewhere/a.`);
    expect(hint).toMatch(/^Hint: /);
    expect(error).toMatchObject({ code: 'E_PROJECT_NOT_OPEN', retryable: true });
  });

  it('says what to do when no project is open at all', async () => {
    const { text } = await (await connect()).call('get-tables', { projectRoot: temp.base });
    expect(text).toMatch(
      /^Error: MCP server not running for project: .*\nHint: no project is open\. Open .*devdb serve/,
    );
  });

  it('reads the registry again for every call', async () => {
    const root = temp.project('late');
    const started = await connect();
    expect((await started.call('get-tables', { projectRoot: root })).error).toMatchObject({
      code: 'E_PROJECT_NOT_OPEN',
    });
    await open(root, answerOne);
    expect((await started.call('get-tables', { projectRoot: root })).structured).toMatchObject({ data: { one: 1 } });
  });

  it('reports a registry that does not parse and leaves it unchanged', async () => {
    const file = join(temp.home, 'mcp.json');
    temp.register({});
    writeFileSync(file, '{broken');
    const { error } = await (await connect()).call('get-tables', { projectRoot: temp.base });
    expect(error).toMatchObject({ code: 'E_INTERNAL', message: expect.stringContaining('mcp.json') });
    expect(readFileSync(file, 'utf8')).toBe('{broken');
  });
});

describe('a call', () => {
  it('is sent without projectRoot, with the contract’s headers, and its result comes back unchanged', async () => {
    const root = temp.project('mit Ümlaut');
    const sidecar = await open(root, answerOne);
    const started = await connect({ args: ['--timeout=1234'] });
    const response = await started.request('tools/call', {
      name: 'get-schema',
      arguments: { projectRoot: `${root}/.`, table: 'a' },
    });
    expect(response['result']).toMatchObject({ content: [{ text: '{"one":1}' }], structuredContent: { ok: true } });
    const [seen] = sidecar.calls;
    expect(seen).toMatchObject({ path: '/tools/get-schema', authorization: `Bearer ${temp.token}` });
    expect(bodyOf(seen)).toEqual({ table: 'a' });
    expect(seen?.headers).toMatchObject({
      [HEADERS.projectRoot]: encodeURIComponent(root),
      [HEADERS.clientName]: 'test%20client',
      [HEADERS.defaultTimeout]: '1234',
      [HEADERS.clientId]: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
    expect(seen?.headers).not.toHaveProperty(HEADERS.canAsk);
  });

  it('is answered on one line, even for readers that end a line at U+2028', async () => {
    const root = temp.project('a');
    await open(root, (_seen, res) => answerLines(res, [success({ text: 'a\u2028b\u2029c' })]));
    const started = await connect();
    const { structured } = await started.call('get-tables', { projectRoot: root });
    expect(structured).toMatchObject({ data: { text: 'a\u2028b\u2029c' } });
    expect(started.lines.at(-1)).toMatch(/a\\u2028b\\u2029c.*\}$/);
  });

  it('sends the token only over the connection that proved itself', async () => {
    const root = temp.project('a');
    const sidecar = await open(root, answerOne);
    const started = await connect();
    for (let round = 0; round < 3; round += 1) await started.call('get-tables', { projectRoot: root });
    expect(sidecar.upgrades.map(({ authorization }) => authorization)).toEqual([undefined]);
    expect(new Set(sidecar.calls.map(({ socket }) => socket)).size).toBe(1);
    expect(sidecar.calls).toHaveLength(3);
  });

  it.each<[string, Answerer]>([
    ['with a page', (_seen, res) => res.end('<html>'.repeat(10_000))],
    ['with an error', (_seen, res) => res.writeHead(500).end('{}')],
    ['by hanging up', (seen) => seen.socket.destroy()],
  ])('never sends a stranger who answers the upgrade %s the token or the query', async (_how, instead) => {
    const root = temp.project('a');
    const stranger = await open(root, answerOne, { instead });
    const { text, error } = await (await connect()).call('run-query', { projectRoot: root, query: 'SELECT 42' });
    expect(text).toBe('Could not establish database connection');
    expect(error).toMatchObject({ code: 'E_UNREACHABLE', retryable: true, hint: expect.any(String) });
    expect(stranger.calls).toEqual([]);
    const told = stranger.upgrades.map(({ headers, path, body }) => [headers, path, body]);
    expect(JSON.stringify(told)).not.toContain(temp.token);
    expect(JSON.stringify(told)).not.toContain('SELECT 42');
  });

  it('gives up on a silent stranger after a while', async () => {
    const root = temp.project('a');
    const silent = createServer(() => undefined).listen(0, '127.0.0.1');
    await new Promise((resolve) => silent.once('listening', resolve));
    const address = silent.address();
    temp.register({ [root]: typeof address === 'object' && address !== null ? address.port : 0 });
    const { text } = await (await connect()).call('get-tables', { projectRoot: root });
    expect(text).toBe('Could not establish database connection');
    silent.close();
  }, 15_000);

  it('reports when nothing listens on the port', async () => {
    const root = temp.project('a');
    const sidecar = await open(root, answerOne);
    await sidecar.close();
    sidecars = [];
    const { text } = await (await connect()).call('get-tables', { projectRoot: root });
    expect(text).toBe('Could not establish database connection');
  });

  it('takes a port that serves another project for a project that is not open', async () => {
    const [mine, other] = [temp.project('mine'), temp.project('other')];
    const sidecar = await open(other, answerOne);
    temp.register({ [mine]: sidecar.port, [other]: sidecar.port });
    const { text, error } = await (await connect()).call('get-tables', { projectRoot: mine });
    expect(text).toMatch(`Error: MCP server not running for project: ${mine}\nHint: open now: ${other}.`);
    expect(error['code']).toBe('E_PROJECT_NOT_OPEN');
    expect(sidecar.calls).toEqual([]);
  });

  it('takes a sidecar that meanwhile serves another project for one that is not open', async () => {
    const root = temp.project('a');
    await open(root, (_seen, res) => res.refuse({ code: 'E_WRONG_PROJECT', message: 'x' }));
    const { text, error } = await (await connect()).call('run-query', { projectRoot: root, query: 'x' });
    expect(text).toMatch(`Error: MCP server not running for project: ${root}\nHint: no project is open.`);
    expect(error['code']).toBe('E_PROJECT_NOT_OPEN');
  });

  it('reports when the token file holds no token', async () => {
    const root = temp.project('a');
    await open(root, answerOne);
    temp.writeToken('short');
    const { error } = await (await connect()).call('get-tables', { projectRoot: root });
    expect(error).toMatchObject({
      code: 'E_INTERNAL',
      message: expect.stringContaining('does not hold a DevDB token'),
      hint: expect.stringContaining('Reload'),
    });
  });

  it.each(['token', 'mcp.json'])('reports when the file %s cannot be read', async (name) => {
    const root = temp.project('a');
    await open(root, answerOne);
    rmSync(join(temp.home, name));
    mkdirSync(join(temp.home, name));
    const started = await connect();
    const { error } = await started.call('get-tables', { projectRoot: root });
    expect(error).toMatchObject({
      code: 'E_INTERNAL',
      message: `${join(temp.home, name)} cannot be read (EISDIR).`,
      hint: expect.any(String),
    });
    expect(started.stderr).toBe('');
  });

  it('finds the sidecar again after a reload with a new port, and with the same one', async () => {
    const root = temp.project('a');
    const first = await open(root, answerOne);
    const started = await connect();
    await started.call('get-tables', { projectRoot: root });
    await first.close();
    const second = await open(root, answerOne);
    expect((await started.call('get-tables', { projectRoot: root })).isError).toBe(false);
    await second.close();
    const third = await ContractSidecar.listen({ root, token: temp.token, answer: answerOne }, second.port);
    sidecars = [third];
    expect((await started.call('get-tables', { projectRoot: root })).isError).toBe(false);
    expect([first.calls.length, second.calls.length, third.calls.length]).toEqual([1, 1, 1]);
  });

  it('never resends a call that may have written when its kept connection breaks', async () => {
    const root = temp.project('a');
    const sidecar = await open(root, (seen, res) => {
      if (sidecar.calls.length === 1) answerOne(seen, res);
      else seen.socket.resetAndDestroy();
    });
    const started = await connect();
    await started.call('run-query', { projectRoot: root, query: 'SELECT 1' });
    const { text, error } = await started.call('run-query', { projectRoot: root, query: 'DELETE FROM t' });
    expect(text).toBe('Could not establish database connection');
    expect(error).toMatchObject({ retryable: false, hint: expect.stringContaining('look before you call again') });
    expect(sidecar.calls.map((seen) => bodyOf(seen)['query'])).toEqual(['SELECT 1', 'DELETE FROM t']);
  });

  it('resends a read when its kept connection breaks', async () => {
    const root = temp.project('a');
    const sidecar = await open(root, (seen, res) => {
      if (sidecar.calls.length === 2) seen.socket.resetAndDestroy();
      else answerOne(seen, res);
    });
    const started = await connect();
    await started.call('get-tables', { projectRoot: root });
    expect((await started.call('get-tables', { projectRoot: root })).isError).toBe(false);
    expect(sidecar.calls).toHaveLength(3);
  });

  it('reads the token for every new connection', async () => {
    const root = temp.project('a');
    const sidecar = await open(root, answerOne);
    const started = await connect();
    await started.call('run-query', { projectRoot: root, query: 'a' });
    const { token } = temp;
    sidecar.cut();
    temp.writeToken('cd'.repeat(32));
    expect((await started.call('run-query', { projectRoot: root, query: 'b' })).text).toMatch(/^Could not establish/);
    temp.writeToken(token);
    expect((await started.call('run-query', { projectRoot: root, query: 'c' })).isError).toBe(false);
  });

  it('turns refusals into tool errors with their code, message and hint', async () => {
    const root = temp.project('a');
    await open(root, (_seen, res) => res.refuse({ message: 'Too large.', code: 'E_BODY_TOO_LARGE', hint: 'Less.' }));
    const { text, error } = await (await connect()).call('get-tables', { projectRoot: root });
    expect(text).toBe('[E_BODY_TOO_LARGE] Too large. Hint: Less.');
    expect(error).toMatchObject({ code: 'E_BODY_TOO_LARGE', message: 'Too large.', hint: 'Less.', retryable: false });
  });

  it('names both versions when the other side lacks the tool', async () => {
    const root = temp.project('a');
    await open(root, (_seen, res) => res.refuse({ code: 'E_UNKNOWN_TOOL', message: 'no' }), { version: '1.0.7' });
    const { error } = await (await connect()).call('get-overview', { projectRoot: root });
    expect(error).toMatchObject({ code: 'E_UNKNOWN_TOOL', hint: expect.stringContaining('Reload that window') });
    expect(error['message']).toMatch(/1\.0\.7.*get-overview.*1\.1\.0/);
  });

  it('runs 64 calls in parallel and lets the others wait their turn', async () => {
    const root = temp.project('a');
    const held: (() => void)[] = [];
    let full: () => void = () => undefined;
    const filled = new Promise<void>((resolve) => {
      full = resolve;
    });
    let letThrough = false;
    const sidecar = await open(root, (seen, res) => {
      if (letThrough) return answerOne(seen, res);
      held.push(() => answerOne(seen, res));
      if (held.length === 64) full();
    });
    const started = await connect();
    const params = { name: 'get-tables', arguments: { projectRoot: root } };
    const ids = Array.from({ length: 200 }, () => started.begin('tools/call', params));
    await filled;
    await started.request('ping');
    expect(sidecar.calls).toHaveLength(64);
    letThrough = true;
    for (const answer of held) answer();
    const responses = await Promise.all(ids.map((id) => started.response(id)));
    expect(responses.every((response) => !toolResult(response).isError)).toBe(true);
  });

  it('answers arguments nested a million deep', async () => {
    const root = temp.project('a');
    await open(root, answerOne);
    const started = await connect();
    const deep = `${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}`;
    started.write(
      `{"jsonrpc":"2.0","id":"deep","method":"tools/call","params":{"name":"get-tables","arguments":{"projectRoot":${JSON.stringify(root)},"x":${deep}}}}\n`,
    );
    expect(await started.response('deep')).toBeDefined();
    expect(await started.request('ping')).toMatchObject({ result: {} });
  });
});

describe('progress, cancelling and questions', () => {
  it('forwards progress to a client that sent a token, and to no other', async () => {
    const root = temp.project('a');
    await open(root, (_seen, res) => {
      answerLines(res, [
        { type: 'progress', progress: 1, total: 2, message: 'half' },
        { type: 'progress', progress: 2 },
      ]);
      answerLines(res, [success({})]);
    });
    const started = await connect();
    await started.call('get-tables', { projectRoot: root });
    expect(started.messages.filter((message) => message['method'] === 'notifications/progress')).toEqual([]);
    await started.call('get-tables', { projectRoot: root }, { progressToken: 'p' });
    expect(
      started.messages.filter((message) => message['method'] === 'notifications/progress').map(({ params }) => params),
    ).toEqual([
      { progressToken: 'p', progress: 1, total: 2, message: 'half' },
      { progressToken: 'p', progress: 2 },
    ]);
  });

  it('closes the request of a cancelled call and does not answer it', async () => {
    const root = temp.project('a');
    let closed: Promise<void> = Promise.resolve();
    const arrived = new Promise<void>((resolve) => {
      void open(root, (_seen, res) => {
        closed = new Promise((done) => res.once('close', done));
        resolve();
      });
    });
    const started = await connect();
    await expectOpen(root);
    const id = started.begin('tools/call', { name: 'run-query', arguments: { projectRoot: root, query: 'x' } });
    await arrived;
    started.notify('notifications/cancelled', { requestId: id });
    await closed;
    await started.request('ping');
    expect(started.messages.some((message) => message['id'] === id)).toBe(false);
  });

  it('asks a client that can be asked and passes its answer back', async () => {
    const root = temp.project('a');
    const requestedSchema = { type: 'object', properties: {} };
    const sidecar = await open(root, (seen, res) => {
      if (!seen.path.startsWith('/asks/')) return waitForAnswer(res);
      answerLines(held[0] ?? res, [success({ asked: bodyOf(seen) })]);
    });
    const held: Parameters<CallAnswerer>[1][] = [];
    function waitForAnswer(res: Parameters<CallAnswerer>[1]): void {
      held.push(res);
      answerLines(res, [{ type: 'ask', id: 'q/1', message: 'Sure?', requestedSchema }]);
    }
    const started = await connect({ capabilities: { elicitation: {} } });
    const id = started.begin('tools/call', { name: 'run-query', arguments: { projectRoot: root, query: 'x' } });
    const question = await started.message((message) => message['method'] === 'elicitation/create');
    expect(question['params']).toEqual({ message: 'Sure?', requestedSchema });
    const result = { action: 'accept', content: { answer: 'once' } };
    started.write(`${JSON.stringify({ jsonrpc: '2.0', id: question['id'], result })}\n`);
    expect(toolResult(await started.response(id)).structured).toMatchObject({ data: { asked: result } });
    const [call, answer] = sidecar.calls;
    expect(call?.headers[HEADERS.canAsk]).toBe('1');
    expect(answer?.path).toBe('/asks/q%2F1');
    expect(answer?.authorization).toBe(`Bearer ${temp.token}`);
    expect(answer?.headers[HEADERS.clientId]).toBe(call?.headers[HEADERS.clientId]);
  });

  it.each([
    ['over there', true],
    ['with the call', false],
  ])('withdraws a question that ended %s', async (_how, says) => {
    const root = temp.project('a');
    await open(root, (_seen, res) => {
      answerLines(res, [{ type: 'ask', id: 'q', message: 'Sure?', requestedSchema: {} }]);
      if (says) answerLines(res, [{ type: 'ask-over', id: 'q' }]);
      answerLines(res, [success({})]);
    });
    const started = await connect({ capabilities: { elicitation: { form: {} } } });
    await started.call('run-query', { projectRoot: root, query: 'x' });
    const question = await started.message((message) => message['method'] === 'elicitation/create');
    const over = await started.message((message) => message['method'] === 'notifications/cancelled');
    expect(over['params']).toMatchObject({ requestId: question['id'] });
  });

  it.each([
    ['"error":{"code":-1,"message":"no"}', { action: 'cancel', unable: true }],
    ['"result":null', { action: 'cancel', unable: true }],
    ['"result":{}', { action: 'cancel' }],
    ['"result":{"action":"ACCEPT","content":{"answer":"once"}}', { action: 'cancel' }],
    ['"result":{"action":5}', { action: 'cancel' }],
    ['"result":{"action":"accept","content":[]}', { action: 'cancel' }],
    ['"result":{"action":"accept","content":"once"}', { action: 'cancel' }],
  ])('takes an unreadable answer for none or a no: %s', async (said, passedOn) => {
    const root = temp.project('a');
    const held: Parameters<CallAnswerer>[1][] = [];
    await open(root, (seen, res) => {
      if (seen.path.startsWith('/asks/')) {
        answerLines(held[0] ?? res, [success(bodyOf(seen))]);
        return;
      }
      held.push(res);
      answerLines(res, [{ type: 'ask', id: 'q', message: 'Sure?', requestedSchema: {} }]);
    });
    const started = await connect({ capabilities: { elicitation: {} } });
    const id = started.begin('tools/call', { name: 'run-query', arguments: { projectRoot: root, query: 'x' } });
    const question = await started.message((message) => message['method'] === 'elicitation/create');
    started.write(`{"jsonrpc":"2.0","id":"${question['id']}",${said}}\n`);
    expect(toolResult(await started.response(id)).structured).toMatchObject({ data: passedOn });
  });

  async function expectOpen(root: string): Promise<void> {
    // The registry is written as soon as the listener is up.
    while (!readFileSync(join(temp.home, 'mcp.json'), 'utf8').includes(root)) await Promise.resolve();
  }
});

describe('the process', () => {
  it('ends with its input, closes running requests and exits with 0', async () => {
    const root = temp.project('a');
    let closed: Promise<void> = Promise.resolve();
    let arrive: () => void = () => undefined;
    const arrived = new Promise<void>((resolve) => {
      arrive = resolve;
    });
    await open(root, (_seen, res) => {
      closed = new Promise((done) => res.once('close', done));
      arrive();
    });
    const started = await connect();
    started.begin('tools/call', { name: 'run-query', arguments: { projectRoot: root, query: 'x' } });
    await arrived;
    expect(await started.end()).toBe(0);
    await closed;
    expect(started.stderr).toBe('');
  });

  it.each(['SIGINT', 'SIGTERM'] as const)('ends on %s with 0', async (signal) => {
    const started = await connect();
    started.child.kill(signal);
    expect(await started.exited).toEqual({ code: 0, signal: null });
  });

  it('leaves its output open for other processes that share it', async () => {
    const script = `${JSON.stringify(process.execPath)} ${JSON.stringify(join(DIST, 'cli.js'))} mcp </dev/null; echo after`;
    // The pipe given to a child process is a socket.
    const shell = spawn('sh', ['-c', script], { stdio: ['ignore', 'pipe', 'inherit'] });
    let said = '';
    shell.stdout.on('data', (chunk) => {
      said += String(chunk);
    });
    await once(shell, 'close');
    expect(said).toBe('after\n');
  });

  it('ends with 0 when its output has no reader any more', async () => {
    const started = await connect();
    started.child.stdout.destroy();
    started.write(`${'{"jsonrpc":"2.0","id":1,"method":"tools/list"}\n'.repeat(200)}`);
    expect((await started.exited).code).toBe(0);
  });

  it('stops reading while its reader has stalled, and even then ends on SIGTERM', async () => {
    const root = temp.project('a');
    let arrive: () => void = () => undefined;
    const arrived = new Promise<void>((resolve) => {
      arrive = resolve;
    });
    await open(root, () => arrive());
    const started = await connect();
    started.child.stdout.pause();
    started.begin('tools/call', { name: 'get-tables', arguments: { projectRoot: root } });
    started.write('{"jsonrpc":"2.0","id":"list","method":"tools/list"}\n'.repeat(20_000));
    // The call is sent after the first piece of input was processed, and that filled the pipe to the reader.
    await arrived;
    started.child.kill('SIGTERM');
    const [code] = await once(started.child, 'exit');
    expect(code).toBe(0);
    started.child.stdout.resume();
    await started.exited;
    expect(started.messages.filter(({ id }) => id === 'list').length).toBeLessThan(10_000);
  });

  it.each([
    ['--help', /^usage: devdb mcp /],
    ['-h', /^usage: devdb mcp /],
    ['--version', /^1\.1\.0$/],
    ['-v', /^1\.1\.0$/],
  ])('says what it is on %s and exits with 0', (option, told) => {
    const entry = JSON.stringify(join(bundleDir, 'mcp-stdio.js'));
    const script = `require(${entry}).main({ bundleDir: '', argv: ['${option}'] })`;
    const { status, stdout, stderr } = spawnSync(process.execPath, ['-e', script], { encoding: 'utf8' });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout.trim()).toMatch(told);
  });

  it('accepts the name of its own command, which the launcher already implies', async () => {
    const started = await connect({ args: ['mcp', '--toolsets', 'database'] });
    expect((await started.request('tools/list'))['result']).toHaveProperty('tools');
  });

  it.each([
    [['--toolsets', 'nope'], /no toolset "nope"/],
    [['--timeout', '0'], /--timeout must be/],
    [['--timeout'], /--timeout needs a value/],
    [['--what'], /does not know --what/],
  ])('exits with 2 and says why on %p', async (args, sentence) => {
    const started = new StdioClient({ bundleDir, home: temp.home, args });
    expect((await started.exited).code).toBe(2);
    expect(started.stderr).toMatch(sentence);
    expect(started.lines).toEqual([]);
  });
});

it('does all of it on Node 18 as well', async () => {
  const root = temp.project('a');
  await open(root, answerOne);
  const started = await connect({ node: await oldestNode() });
  expect((await started.request('tools/list'))['result']).toHaveProperty('tools');
  for (let round = 0; round < 2; round += 1) {
    expect((await started.call('get-tables', { projectRoot: root })).structured).toMatchObject({ data: { one: 1 } });
  }
  expect((await started.call('get-tables', { projectRoot: 'x' })).text).toMatch(/^Error: projectRoot must/);
  expect(await started.end()).toBe(0);
  expect(started.stderr).toBe('');
}, 120_000);

it('is one small file without a schema library, an SDK or a driver', () => {
  const text = readFileSync(join(bundleDir, 'mcp-stdio.js'), 'utf8');
  expect(text.length).toBeLessThan(64 * 1024);
  expect(text).not.toMatch(/zod|modelcontextprotocol|better-sqlite3/i);
});
