import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runTool } from '@devdb/shared/protocol/sidecar-methods';
import { allTools } from '@devdb/shared/tools';
import * as z from 'zod';
import { httpClient, type McpClient, type ReadEnvelope, readEnvelope, rest, stdioClient } from './helpers/clients.ts';
import { type RunningSidecar, startSidecar } from './helpers/start-sidecar.ts';
import { type TempProject, tempProject } from './helpers/temp-project.ts';
import { openWindow, type TestWindow } from './helpers/window.ts';

let project: TempProject;
let sidecar: RunningSidecar;
let stdio: McpClient;
let http: McpClient;
let window: TestWindow;
let windowHttp: McpClient;

beforeAll(async () => {
  project = tempProject();
  project.database(
    'app.db',
    `CREATE TABLE users(id INTEGER PRIMARY KEY, name TEXT NOT NULL);
     CREATE TABLE orders(id INTEGER PRIMARY KEY, user_id INTEGER REFERENCES users(id), total REAL);
     CREATE VIEW big_orders AS SELECT * FROM orders WHERE total > 100;
     INSERT INTO users(name) VALUES ('ada'), ('bob');
     INSERT INTO orders(user_id, total) VALUES (1, 10.5), (2, 250)`,
  );
  mkdirSync(join(project.root, 'out'));
  const ownTools = join(project.root, '.devdb', 'tools');
  mkdirSync(ownTools, { recursive: true });
  for (const [action, sql] of [
    ['count', 'SELECT count(*) AS users FROM users'],
    ['forget', 'DELETE FROM users'],
  ]) {
    const text = `alias: user.${action}\nsql: ${sql}\nmcp: { description: For the test }\n`;
    writeFileSync(join(ownTools, `${action}.meta.yaml`), text);
  }
  sidecar = await startSidecar({ home: project.home, root: project.root });
  stdio = await stdioClient(project.home);
  http = await httpClient(sidecar);
  // In a home of its own, so that the registry of the other one goes on naming the other sidecar.
  const settings = { mcpJson: { entry: 'off', inGit: false } } as const;
  const home = join(project.home, 'window');
  window = await openWindow({ home, projects: [{ root: project.root, settings }] });
  const ports = z.record(z.string(), z.int()).parse(JSON.parse(readFileSync(join(home, 'mcp.json'), 'utf8')));
  const token = readFileSync(join(home, 'token'), 'utf8').trim();
  windowHttp = await httpClient({ ...sidecar, port: ports[project.root] ?? 0, token });
});

afterAll(async () => {
  await stdio?.close();
  await http?.close();
  await windowHttp?.close();
  await window?.close();
  await sidecar?.stop();
  project.remove();
});

type Door = (tool: string, input: Record<string, unknown>) => Promise<ReadEnvelope>;

const doors: readonly (readonly [string, Door])[] = [
  ['stdio', async (tool, input) => (await stdio.call(tool, { projectRoot: project.root, ...input })).envelope],
  ['MCP over HTTP', async (tool, input) => (await http.call(tool, input)).envelope],
  ['REST', async (tool, input) => readEnvelope((await rest(sidecar, 'POST', `/tools/${tool}`, input)).body)],
  ['REST as NDJSON', ndjson],
];

async function ndjson(tool: string, input: Record<string, unknown>): Promise<ReadEnvelope> {
  const response = await fetch(`http://127.0.0.1:${sidecar.port}/tools/${tool}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${sidecar.token}`,
      'content-type': 'application/json',
      accept: 'application/x-ndjson',
    },
    body: JSON.stringify(input),
  });
  const last: unknown = JSON.parse((await response.text()).trim().split('\n').at(-1) ?? '');
  if (typeof last !== 'object' || last === null || !('result' in last)) throw new Error('no result line');
  return readEnvelope(last.result);
}

/** For every tool: inputs that work and inputs that fail, with the code. */
const cases: Readonly<Record<string, readonly (readonly [Record<string, unknown>, string])[]>> = {
  'get-tables': [
    [{}, 'ok'],
    [{ connection: 'no-such' }, 'E_NO_CONNECTION'],
    [{ nonsense: 1 }, 'E_INVALID_PARAMS'],
  ],
  'get-schema': [
    [{ table: 'users' }, 'ok'],
    [{ table: 'big_orders' }, 'ok'],
    [{ table: 'userz' }, 'E_UNKNOWN_TABLE'],
    [{}, 'E_INVALID_PARAMS'],
  ],
  'get-database-type': [[{}, 'ok']],
  'run-query': [
    [{ query: 'SELECT id, name FROM users ORDER BY id' }, 'ok'],
    [{ query: 'SELECT id FROM users', limit: 1 }, 'ok'],
    [{ query: 'SELEC 1' }, 'E_SQL'],
    [{ query: 'INSERT INTO userz VALUES (1)' }, 'E_UNKNOWN_TABLE'],
    [{ query: 'SELECT nosuch FROM users' }, 'E_SQL'],
    [{ query: 'SELECT * FROM userz' }, 'E_UNKNOWN_TABLE'],
    [{ query: 'DELETE FROM users' }, 'E_CONFIRMATION_REQUIRED'],
    [{ query: "ATTACH 'x.db' AS x" }, 'E_READ_ONLY'],
    [{ query: 'SELECT 1; DELETE FROM users' }, 'E_READ_ONLY'],
    [
      { query: 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n) SELECT count(*) FROM n', timeoutMs: 150 },
      'E_TIMEOUT',
    ],
    [{ query: '' }, 'E_INVALID_PARAMS'],
    [{ query: 'SELECT 1', limit: 10_001 }, 'E_INVALID_PARAMS'],
    [{ query: 'SELECT 1', timeoutMs: 600_001 }, 'E_INVALID_PARAMS'],
  ],
  'list-connections': [[{}, 'ok']],
  'get-overview': [
    [{}, 'ok'],
    [{ tables: ['users'] }, 'ok'],
    [{ tables: ['userz'] }, 'E_UNKNOWN_TABLE'],
  ],
  'search-schema': [
    [{ pattern: '*_id' }, 'ok'],
    [{ pattern: 'users', kind: 'table' }, 'ok'],
    [{ pattern: 'x', kind: 'nonsense' }, 'E_INVALID_PARAMS'],
  ],
  'explain-query': [
    [{ query: 'SELECT * FROM users WHERE id = 1' }, 'ok'],
    [{ query: 'DELETE FROM users', analyze: true }, 'E_READ_ONLY'],
    [{ query: 'SELECT * FROM userz' }, 'E_UNKNOWN_TABLE'],
  ],
  'export-query': [
    [{ query: 'SELECT * FROM users', path: 'out/users.csv', format: 'csv' }, 'ok'],
    [{ query: 'SELECT * FROM users', path: '../users.csv', format: 'csv' }, 'E_OUTSIDE_PROJECT'],
    [{ query: 'DELETE FROM users', path: 'out/x.csv', format: 'csv' }, 'E_READ_ONLY'],
    [{ query: 'SELECT * FROM userz', path: 'out/y.csv', format: 'csv' }, 'E_UNKNOWN_TABLE'],
    [{ query: 'SELECT 1', path: 'out/users.txt', format: 'csv' }, 'E_INVALID_PARAMS'],
  ],
  'list-project-tools': [[{}, 'ok']],
  'run-project-tool': [
    [{ tool: 'user_count' }, 'ok'],
    [{ tool: 'user.count', arguments: {} }, 'ok'],
    [{ tool: 'user_cuont' }, 'E_NOT_FOUND'],
    [{ tool: 'user_count', arguments: { id: 1 } }, 'E_INVALID_PARAMS'],
    [{ tool: 'user_forget' }, 'E_CONFIRMATION_REQUIRED'],
    [{}, 'E_INVALID_PARAMS'],
  ],
};

test('every tool has cases here', () => {
  expect(Object.keys(cases)).toEqual(allTools.map((tool) => tool.name));
});

describe.each(
  Object.entries(cases).flatMap(([tool, list]) => list.map(([input, code]) => [tool, input, code] as const)),
)('%s %j', (tool, input, code) => {
  test(`answers ${code} and the same on every door`, async () => {
    const answers: unknown[] = [];
    for (const [, door] of doors) {
      const envelope = await door(tool, input);
      expect(envelope.ok ? 'ok' : envelope.error?.code).toBe(code);
      expect(envelope.type).toBe(envelope.ok ? 'success' : 'error');
      answers.push(envelope.ok ? envelope.data : { ...envelope.error });
      if (typeof input['path'] === 'string') rmSync(join(project.root, input['path']), { force: true });
    }
    for (const answer of answers) expect(withoutTimes(answer)).toEqual(withoutTimes(answers[0]));
  });
});

// Over the pipe the person at the editor is asked before a write: the suite of writes has that.
const overPipe = Object.entries(cases).flatMap(([tool, list]) =>
  list.flatMap(([input, code]) => (code === 'E_CONFIRMATION_REQUIRED' ? [] : [[tool, input, code] as const])),
);

test.each(overPipe)("%s %j reads over the editor's pipe as over MCP: %s", async (tool, input, code) => {
  const answers: { readonly ok: boolean; readonly text: string }[] = [];
  const client = { id: 'editor', name: 'editor' };
  for (const ask of [
    () => window.call(runTool, { call: 'one', tool, input, client }),
    async () => {
      const { isError, text } = await windowHttp.call(tool, input);
      return { ok: !isError, text };
    },
  ]) {
    answers.push(await ask());
    if (typeof input['path'] === 'string') rmSync(join(project.root, input['path']), { force: true });
  }
  expect(answers[0]).toEqual(answers[1]);
  expect(answers[0]?.text.startsWith(`[${code}]`)).toBe(code !== 'ok');
});

function withoutTimes(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (key, inner: unknown) => (key === 'durationMs' ? 0 : inner)));
}

test('the texts: get-tables a JSON array, get-schema and get-database-type raw, the others compact JSON of data', async () => {
  for (const client of [stdio, http]) {
    const args = client === stdio ? { projectRoot: project.root } : {};
    expect((await client.call('get-tables', args)).text).toBe('["big_orders","orders","users"]');
    expect((await client.call('get-schema', { ...args, table: 'users' })).text).toMatch(/^CREATE TABLE/);
    expect((await client.call('get-database-type', args)).text).toBe('sqlite');
    const answer = await client.call('run-query', { ...args, query: 'SELECT 1 AS one' });
    expect(answer.text).toBe(JSON.stringify(answer.envelope.data));
    expect((await client.call('get-schema', { ...args, table: 'userz' })).text).toMatch(
      /^\[E_UNKNOWN_TABLE\] .+ Hint: .*users/,
    );
  }
});

test("the tools and their order are the same on every door, a window's with the project's own behind; on stdio projectRoot comes first and is required", async () => {
  const overHttp = (await http.client.listTools()).tools;
  const overStdio = (await stdio.client.listTools()).tools;
  const wanted = allTools.map((tool) => tool.name);
  expect(overHttp.map((tool) => tool.name)).toEqual([...wanted, 'user_count', 'user_forget']);
  expect(overStdio.map((tool) => tool.name)).toEqual(wanted);
  for (const tool of overStdio) {
    expect(Object.keys(tool.inputSchema.properties ?? {})[0]).toBe('projectRoot');
    expect(tool.inputSchema.required).toContain('projectRoot');
  }
  for (const tool of overHttp) expect(Object.keys(tool.inputSchema.properties ?? {})).not.toContain('projectRoot');
});

test('the routes of the first version answer in their old shapes', async () => {
  expect(await rest(sidecar, 'GET', '/tables')).toEqual({
    status: 200,
    body: { tables: ['big_orders', 'orders', 'users'] },
  });
  const schema = await rest(sidecar, 'GET', '/tables/users/schema');
  expect(schema).toMatchObject({ status: 200, body: { schema: expect.stringMatching(/^CREATE TABLE/) } });
  expect(await rest(sidecar, 'GET', '/database-type')).toEqual({ status: 200, body: { type: 'sqlite' } });
  expect(await rest(sidecar, 'POST', '/query', { query: 'SELECT id, name FROM users ORDER BY id' })).toEqual({
    status: 200,
    body: {
      result: [
        { id: 1, name: 'ada' },
        { id: 2, name: 'bob' },
      ],
    },
  });
  expect(await rest(sidecar, 'POST', '/query', {})).toMatchObject({
    status: 400,
    body: { error: 'Query is required', message: 'Query is required' },
  });
  expect(await rest(sidecar, 'POST', '/query', { query: 'SELECT nosuch FROM users' })).toMatchObject({
    status: 500,
    body: { error: expect.stringMatching(/^Error running query: no such column: nosuch/), code: 'E_SQL' },
  });
  expect(await rest(sidecar, 'POST', '/query', { query: 'SELECT * FROM nosuch' })).toMatchObject({
    status: 500,
    body: {
      error: 'Error running query: no such table: nosuch',
      message: 'Error running query: no such table: nosuch',
    },
  });
});

test('export writes the same file over every door', async () => {
  for (const [name, door] of doors) {
    const path = `out/${name.replaceAll(' ', '-')}.jsonl`;
    const envelope = await door('export-query', { query: 'SELECT * FROM users ORDER BY id', path, format: 'jsonl' });
    expect(envelope.data).toMatchObject({ path, rows: 2, format: 'jsonl' });
    expect(readFileSync(join(project.root, path), 'utf8')).toBe('{"id":1,"name":"ada"}\n{"id":2,"name":"bob"}\n');
  }
});
