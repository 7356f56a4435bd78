import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { ProjectSettings } from '@devdb/shared/protocol/handshake';
import { runTool } from '@devdb/shared/protocol/sidecar-methods';
import { allTools, DEFAULT_TOOLSETS, TOOLSETS } from '@devdb/shared/tools';
import { isChosen } from '@devdb/shared/tools/toolsets';
import * as z from 'zod';
import { addExampleFiles, makeSampleProject } from '../../fixtures/labs/sample-project.ts';
import { httpClient, type McpClient, type ReadEnvelope, readEnvelope, rest, stdioClient } from './helpers/clients.ts';
import { type RunningSidecar, startSidecar } from './helpers/start-sidecar.ts';
import { type TempProject, tempProject } from './helpers/temp-project.ts';
import { openWindow, type TestWindow } from './helpers/window.ts';

let project: TempProject;
let sidecar: RunningSidecar;
let stdio: McpClient;
/** An entry that offers every toolset, so that the sidecar is the one that says what is off. */
let wholeStdio: McpClient;
let http: McpClient;
let window: TestWindow;
let windowHttp: McpClient;

beforeAll(async () => {
  project = tempProject();
  makeSampleProject(project.root);
  addExampleFiles(project.root);
  sidecar = await startSidecar({ home: project.home, root: project.root });
  stdio = await stdioClient(project.home);
  wholeStdio = await stdioClient(project.home, { args: ['--toolsets', TOOLSETS.join(',')] });
  http = await httpClient(sidecar);
  // With its own home, so that the other home's registry keeps naming the other sidecar.
  const settings: Partial<ProjectSettings> = {
    toolsets: [...TOOLSETS],
    mcpJson: { entry: 'off', inGit: false },
  };
  const home = join(project.home, 'window');
  window = await openWindow({ home, projects: [{ root: project.root, settings }] });
  const ports = z.record(z.string(), z.int()).parse(JSON.parse(readFileSync(join(home, 'mcp.json'), 'utf8')));
  const token = readFileSync(join(home, 'token'), 'utf8').trim();
  windowHttp = await httpClient({ ...sidecar, port: ports[project.root] ?? 0, token });
});

afterAll(async () => {
  await stdio?.close();
  await wholeStdio?.close();
  await http?.close();
  await windowHttp?.close();
  await window?.close();
  await sidecar?.stop();
  project.remove();
});

type Door = (tool: string, input: Record<string, unknown>) => Promise<ReadEnvelope>;

const doors: readonly (readonly [string, Door])[] = [
  ['stdio', async (tool, input) => (await wholeStdio.call(tool, { projectRoot: project.root, ...input })).envelope],
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

/** What is off by default is off on every door; what runs in the editor is refused by a headless sidecar. */
const cases = allTools.flatMap(({ name, runsIn, toolset, input: schema, examples }) =>
  examples.map(({ input, gives }) => {
    // What fits the schema may still be refused by the editor, with the same code.
    const headless = runsIn === 'editor' && schema.safeParse(input).success ? 'E_EDITOR_NOT_ATTACHED' : gives;
    return [name, input, isChosen(toolset, DEFAULT_TOOLSETS) ? headless : 'E_DISABLED', runsIn] as const;
  }),
);

test.each(allTools.map((tool) => [tool.name, tool] as const))('%s has an example that works', (_name, { examples }) => {
  expect(examples.map(({ gives }) => gives)).toContain('ok');
});

describe.each(cases)('%s %j', (tool, input, code) => {
  test(`answers ${code} and the same on every door`, async () => {
    const answers: unknown[] = [];
    for (const [, door] of doors) {
      const envelope = await door(tool, input);
      expect(envelope.ok ? 'ok' : envelope.error?.code).toBe(code);
      expect(envelope.type).toBe(envelope.ok ? 'success' : 'error');
      answers.push(envelope.ok ? envelope.data : { ...envelope.error });
      if (tool === 'export-query' && typeof input['path'] === 'string')
        rmSync(join(project.root, input['path']), { force: true });
    }
    for (const answer of answers) expect(withoutTimes(answer)).toEqual(withoutTimes(answers[0]));
  });
});

// Over the pipe the editor's user is asked before a write: the suite of writes covers that.
const overPipe = allTools.flatMap(({ name, runsIn, input: schema, examples }) =>
  examples.flatMap(({ input, gives }) =>
    gives !== 'E_CONFIRMATION_REQUIRED' && (runsIn === 'sidecar' || !schema.safeParse(input).success)
      ? [[name, input, gives] as const]
      : [],
  ),
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
    if (tool === 'export-query' && typeof input['path'] === 'string')
      rmSync(join(project.root, input['path']), { force: true });
  }
  expect(answers[0]).toEqual(answers[1]);
  expect(answers[0]?.text.startsWith(`[${code}]`)).toBe(code !== 'ok');
});

test('a tool of a toolset that is off is off for every caller', async () => {
  for (const { name, examples } of allTools.filter(({ toolset }) => !isChosen(toolset, DEFAULT_TOOLSETS))) {
    for (const [, door] of doors) expect((await door(name, examples[0]?.input ?? {})).error?.code).toBe('E_DISABLED');
  }
});

function withoutTimes(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (key, inner: unknown) => (key === 'durationMs' ? 0 : inner)));
}

test('the texts: get-tables a JSON array, get-schema and get-database-type raw, the others in lines', async () => {
  for (const client of [stdio, http]) {
    const args = client === stdio ? { projectRoot: project.root } : {};
    expect((await client.call('get-tables', args)).text).toBe('["customers","orders","products","revenue"]');
    const { text, envelope } = await client.call('get-schema', { ...args, table: 'customers' });
    expect(text).toMatch(/^CREATE TABLE/);
    expect(text.endsWith('\n\n-- Referenced by: orders(customer_id) -> customers(id)')).toBe(true);
    expect(envelope.data).toMatchObject({ referencedBy: ['orders(customer_id) -> customers(id)'] });
    const alone = await client.call('get-schema', { ...args, table: 'orders' });
    expect(alone.text).toBe(Object.values(alone.envelope.data ?? {}).join('no more fields'));
    expect((await client.call('get-database-type', args)).text).toBe('sqlite');
    const answer = await client.call('run-query', { ...args, query: 'SELECT 1 AS one' });
    expect(answer.text).toBe('one\n1');
    const several = await client.call('run-queries', { ...args, queries: ['SELECT 1 AS one', 'SELECT 2 AS two'] });
    expect(several.text).toBe('-- 1\none\n1\n-- 2\ntwo\n2');
    expect((await client.call('search-schema', { ...args, pattern: 'nothing_such' })).text).toBe('no match');
    expect((await client.call('search-schema', { ...args, pattern: '*_id', kind: 'column' })).text).toBe(
      'column orders: customer_id INTEGER, product_id INTEGER',
    );
    expect((await client.call('get-overview', { ...args, tables: ['products'] })).text).toMatch(
      /^products <=\d+ lookup: id INTEGER PK/,
    );
    expect((await client.call('explain-query', { ...args, query: 'SELECT * FROM orders' })).text).toMatch(
      /^scan on orders ~\d+: SCAN orders$/,
    );
    expect((await client.call('list-connections', args)).text).toMatch(/^\{"connections":\[\{"id":.*"default":true/);
    expect((await client.call('get-schema', { ...args, table: 'costumers' })).text).toMatch(
      /^\[E_UNKNOWN_TABLE\] .+ Hint: .*customers/,
    );
  }
});

test("the tools and their order are the same on every door, with custom tools after them on a window's; on stdio projectRoot comes first and is required", async () => {
  const overHttp = (await http.client.listTools()).tools;
  const overStdio = (await stdio.client.listTools()).tools;
  // Looking back is not listed for a client that has not asked for it.
  const wanted = allTools.filter(({ toolset }) => DEFAULT_TOOLSETS.includes(toolset)).map((tool) => tool.name);
  expect(overHttp.map((tool) => tool.name)).toEqual([...wanted, 'customer_count', 'customer_forget']);
  expect(overStdio.map((tool) => tool.name)).toEqual(wanted);
  for (const tool of overStdio) {
    expect(Object.keys(tool.inputSchema.properties ?? {})[0]).toBe('projectRoot');
    expect(tool.inputSchema.required).toContain('projectRoot');
  }
  for (const tool of overHttp) expect(Object.keys(tool.inputSchema.properties ?? {})).not.toContain('projectRoot');
});

test('the routes of the first version keep their old shape', async () => {
  expect(await rest(sidecar, 'GET', '/tables')).toEqual({
    status: 200,
    body: { tables: ['customers', 'orders', 'products', 'revenue'] },
  });
  const schema = await rest(sidecar, 'GET', '/tables/customers/schema');
  expect(schema).toMatchObject({ status: 200, body: { schema: expect.stringMatching(/^CREATE TABLE/) } });
  expect(await rest(sidecar, 'GET', '/database-type')).toEqual({ status: 200, body: { type: 'sqlite' } });
  expect(
    await rest(sidecar, 'POST', '/query', { query: 'SELECT id, name FROM customers WHERE id < 3 ORDER BY id' }),
  ).toEqual({
    status: 200,
    body: {
      result: [
        { id: 1, name: 'Ada Moreau' },
        { id: 2, name: 'Björn Ek' },
      ],
    },
  });
  expect(await rest(sidecar, 'POST', '/query', {})).toMatchObject({
    status: 400,
    body: { error: 'Query is required', message: 'Query is required' },
  });
  expect(await rest(sidecar, 'POST', '/query', { query: 'SELECT nosuch FROM customers' })).toMatchObject({
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
    const envelope = await door('export-query', {
      query: 'SELECT id, name FROM customers WHERE id < 3 ORDER BY id',
      path,
      format: 'jsonl',
    });
    expect(envelope.data).toMatchObject({ path, rows: 2, format: 'jsonl' });
    expect(readFileSync(join(project.root, path), 'utf8')).toBe(
      '{"id":1,"name":"Ada Moreau"}\n{"id":2,"name":"Björn Ek"}\n',
    );
  }
});
