import { whenAborted } from '@devdb/shared/abort';
import { AppError } from '@devdb/shared/errors';
import { allTools, findTool } from '@devdb/shared/tools';
import { SEED_CALLS } from '../../../test/helpers/bridge-calls.ts';
import { call, gateOf, type OpenDoor, openDoor, ROOT, TOKEN, type Tool } from '../../../test/helpers/http-door.ts';

const opened: OpenDoor[] = [];

afterEach(async () => {
  await Promise.all(opened.splice(0).map((door) => door.close()));
});

async function doorOver(functions: Readonly<Record<string, Tool>>, options: Parameters<typeof openDoor>[1] = {}) {
  const door = await openDoor(functions, options);
  opened.push(door);
  return door.port;
}

/** Remembers what a tool was given, and answers for it. */
function noted(inputs: unknown[], input: unknown, answer: object): object {
  inputs.push(input);
  return answer;
}

const WINDOW = { activeFile: `${ROOT}/src/a.ts`, openFiles: [`${ROOT}/src/a.ts`, `${ROOT}/b.ts`] };

describe.each(['/mcp', '/api/mcp'])('at %s', (prefix) => {
  test('initialize says who serves and what the window shows, over GET and POST', async () => {
    const port = await doorOver({}, { look: async () => WINDOW });
    const expected = {
      jsonrpc: '2.0',
      id: 0,
      result: {
        protocolVersion: '2024-11-05',
        capabilities: { tools: { listChanged: true }, resources: {} },
        serverInfo: { name: 'vscode-mcp-server', version: expect.stringMatching(/^\d+\.\d+\.\d+/) },
        environment: { workspaceRoot: ROOT, activeFile: WINDOW.activeFile, currentDirectory: ROOT },
      },
    };
    for (const how of [{}, { method: 'POST' }, { body: '{}' }]) {
      const answer = await call(port, `${prefix}/initialize`, how);
      expect([answer.status, answer.json]).toEqual([200, expected]);
    }
    expect((await call(port, `${prefix}/initialize?id=7`)).json).toMatchObject({ id: '7' });
    expect((await call(port, `${prefix}/initialize`, { body: '{"jsonrpc":"2.0","id":3}' })).json).toMatchObject({
      id: 3,
    });
  });

  test('status says that it runs, and which files are open', async () => {
    const port = await doorOver({}, { look: async () => WINDOW });
    const environment = { workspaceRoot: ROOT, currentDirectory: ROOT, ...WINDOW };
    const expected = { jsonrpc: '2.0', id: 0, result: { status: 'running', environment } };
    for (const how of [{}, { body: '{}' }]) expect((await call(port, `${prefix}/status`, how)).json).toEqual(expected);
  });

  test('list_tools is a bare array of the toolset ide, the same to the byte', async () => {
    const port = await doorOver({});
    const [first, second] = [await call(port, `${prefix}/list_tools`), await call(port, `${prefix}/list_tools`)];
    expect(first.status).toBe(200);
    expect(second.text).toBe(first.text);
    const names = allTools.filter(({ toolset }) => toolset === 'ide').map(({ name }) => name);
    const list = Array.isArray(first.json) ? first.json : [];
    expect(list.map(({ name }) => name)).toEqual(names);
    for (const tool of list) {
      expect(Object.keys(tool)).toEqual(['name', 'description', 'inputSchema']);
      expect(tool.inputSchema).toMatchObject({ type: 'object', properties: expect.anything() });
    }
  });

  test.each(['{"milliseconds":5}', '{"jsonrpc":"2.0","id":1,"params":{"arguments":{"milliseconds":5}}}'])(
    'a tool takes its arguments as %s',
    async (body) => {
      const inputs: unknown[] = [];
      const port = await doorOver({ wait: (input) => noted(inputs, input, { result: 'ok' }) });
      const { status, json } = await call(port, `${prefix}/wait`, { body });
      expect([status, json]).toEqual([200, { status: 'ok', error: null }]);
      expect(inputs).toEqual([{ milliseconds: 5 }]);
    },
  );

  test('no body, an empty object and a request without arguments are no arguments', async () => {
    const inputs: unknown[] = [];
    const port = await doorOver({ get_terminal_text: (input) => noted(inputs, input, { text: '', truncated: false }) });
    for (const how of [{ method: 'POST' }, { body: '{}' }, { body: '{"jsonrpc":"2.0","params":{}}' }])
      expect((await call(port, `${prefix}/get_terminal_text`, how)).json).toEqual({ status: '', error: null });
    expect(inputs).toEqual([{}, {}, {}]);
  });

  test('what a tool refuses is 200 with its sentence alone', async () => {
    const port = await doorOver({
      run_configuration: () => {
        throw new AppError('E_NOT_FOUND', 'Could not find run configuration named "X"', { hint: 'Others.' });
      },
    });
    const { status, json } = await call(port, `${prefix}/run_configuration`, { body: '{"configName":"X"}' });
    expect([status, json]).toEqual([200, { status: null, error: 'Could not find run configuration named "X"' }]);
  });

  test('a tool that is not there, is off or of another toolset is 404', async () => {
    const tools = allTools.filter(({ name }) => name !== 'wait');
    const port = await doorOver({}, { gate: gateOf({ 'run-query': () => ({}), wait: () => ({}) }, tools) });
    for (const name of ['no_such', 'run-query', 'wait', 'constructor', 'a%20b']) {
      const { status, json } = await call(port, `${prefix}/${name}`, { body: '{}' });
      expect([status, json]).toEqual([404, { status: null, error: `Unknown tool: ${decodeURIComponent(name)}` }]);
    }
  });

  test('bad JSON and a failure inside are 500 in the same form', async () => {
    const port = await doorOver({
      wait: () => {
        throw new Error('a stack that stays inside');
      },
    });
    const bad = await call(port, `${prefix}/wait`, { body: '{"milliseconds":' });
    expect([bad.status, bad.json]).toEqual([500, { status: null, error: 'The body is not valid JSON.' }]);
    const crash = await call(port, `${prefix}/wait`, { body: '{"milliseconds":1}' });
    expect(crash.status).toBe(500);
    expect(crash.json).toEqual({ status: null, error: expect.stringMatching(/^Error executing tool wait: /) });
    expect(crash.text).not.toContain('stack');
  });

  test('a tool is never run by GET, by a form or without the token', async () => {
    let runs = 0;
    const port = await doorOver({ wait: () => ({ result: `${++runs}` }) });
    const body = '{"milliseconds":1}';
    expect((await call(port, `${prefix}/wait`)).status).toBe(405);
    expect((await call(port, `${prefix}/list_tools`, { body: '{}' })).status).toBe(405);
    for (const type of ['text/plain', 'application/x-www-form-urlencoded'])
      expect((await call(port, `${prefix}/wait`, { body, headers: { 'content-type': type } })).status).toBe(415);
    expect((await call(port, `${prefix}/wait`, { body, headers: { authorization: undefined } })).status).toBe(401);
    expect((await call(port, `${prefix}/wait`, { body, headers: { authorization: `Bearer ${TOKEN}x` } })).status).toBe(
      401,
    );
    expect((await call(port, `${prefix}/wait`, { body, headers: { origin: 'https://x.example' } })).status).toBe(403);
    expect((await call(port, `${prefix}/wait`, { body, headers: { host: 'x.example' } })).status).toBe(403);
    expect(
      (await call(port, `${prefix}/wait`, { method: 'OPTIONS' })).headers['access-control-allow-origin'],
    ).toBeUndefined();
    expect(runs).toBe(0);
  });

  test('a path below a tool is no path of the dialect', async () => {
    const port = await doorOver({});
    for (const path of ['/', '/wait/', '/wait/more']) expect((await call(port, `${prefix}${path}`)).status).toBe(404);
  });
});

test('a bridge that leaves ends its call', async () => {
  const arrived = Promise.withResolvers<AbortSignal>();
  const port = await doorOver({
    wait: (_input, { signal }) => {
      arrived.resolve(signal);
      return whenAborted(signal).then(() => Promise.reject(signal.reason));
    },
  });
  const leaving = new AbortController();
  const running = call(port, '/api/mcp/wait', { body: '{"milliseconds":300000}', signal: leaving.signal });
  const signal = await arrived.promise;
  leaving.abort();
  await expect(running).rejects.toThrow();
  await whenAborted(signal);
  expect(signal.aborted).toBe(true);
});

/** Those of the examples whose tools are there. */
const calls = SEED_CALLS.filter(({ tool }) => findTool(tool) !== undefined);

test('there are examples of the dialect for every tool of the toolset', () => {
  const tools = allTools.filter(({ toolset }) => toolset === 'ide').map(({ name }) => name);
  expect([...new Set(calls.map(({ tool }) => tool))].sort()).toEqual([...tools].sort());
});

describe.each(calls)('$tool', ({ tool, input, data, status }) => {
  test('takes the request of the dialect and answers in its form', async () => {
    const definition = findTool(tool);
    expect(definition?.input.safeParse(input).error).toBeUndefined();
    const port = await doorOver({ [tool]: () => data });
    const body = JSON.stringify(input);
    expect((await call(port, `/mcp/${tool}`, { body })).json).toEqual({ status, error: null });
    const text = typeof status === 'string' ? status : JSON.stringify(status);
    expect((await call(port, `/api/mcp/${tool}`, { body })).json).toEqual({ status: text, error: null });
  });
});
