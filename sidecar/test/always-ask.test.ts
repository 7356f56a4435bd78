import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Question } from '@devdb/shared/protocol';
import { watchActivity } from '@devdb/shared/protocol/activity-methods';
import { browse } from '@devdb/shared/protocol/browse-methods';
import { askPerson } from '@devdb/shared/protocol/editor-methods';
import { HEADERS } from '@devdb/shared/protocol/http';
import { runTool, setProjects } from '@devdb/shared/protocol/sidecar-methods';
import * as z from 'zod';
import { httpClient, readEnvelope, stdioClient } from './helpers/clients.ts';
import { type TempProject, tempProject } from './helpers/temp-project.ts';
import { openWindow, type TestWindow, windowSettings } from './helpers/window.ts';

const READ = 'SELECT said FROM talk';

let project: TempProject;
let window: TestWindow;
let asked: Question[];
let answer: 'once' | 'session' | 'no';

beforeEach(async () => {
  project = tempProject();
  project.database('app.db', "CREATE TABLE talk(said TEXT); INSERT INTO talk VALUES ('hello')");
  asked = [];
  answer = 'once';
});

afterEach(async () => {
  await window.kill();
  project.remove();
});

async function open(alwaysAsk: readonly string[]): Promise<void> {
  window = await openWindow({
    home: project.home,
    projects: [{ root: project.root, settings: { alwaysAsk: [...alwaysAsk] } }],
    offer: (peer) =>
      peer.answer(askPerson, async (question) => {
        asked.push(question);
        return { answer };
      }),
  });
}

async function choose(alwaysAsk: readonly string[]): Promise<void> {
  const settings = windowSettings({ alwaysAsk: [...alwaysAsk] });
  await window.call(setProjects, { projects: [{ root: project.root, settings }] });
}

function reach() {
  const ports = z.record(z.string(), z.int()).parse(JSON.parse(readFileSync(join(project.home, 'mcp.json'), 'utf8')));
  return { port: ports[project.root] ?? 0, token: readFileSync(join(project.home, 'token'), 'utf8').trim() };
}

/** A call of REST, from a client with this name or none. */
async function overRest(path: string, name?: string, body?: object): Promise<unknown> {
  const { port, token } = reach();
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      ...(name === undefined ? {} : { [HEADERS.clientName]: encodeURIComponent(name) }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return response.json();
}

function askedAs(): readonly (string | undefined)[] {
  return asked.map(({ parts }) => parts?.ask);
}

test('every call of a client waits for a yes from the start on: over stdio, also by a second entry and one that asks itself', async () => {
  await open(['STDIO-test']);
  const own = async () => ({ action: 'accept', content: { answer: 'session' } }) as const;
  const clients = [await stdioClient(project.home), await stdioClient(project.home, { elicit: own })];
  for (const client of clients) {
    const read = await client.call('run-query', { projectRoot: project.root, query: READ });
    expect(read.envelope).toMatchObject({ ok: true, data: { rows: [['hello']] } });
  }
  expect(askedAs()).toEqual(Array(2).fill('Let the client that calls itself stdio-test run "Run a query"?'));
  expect(asked.map(({ parts }) => parts?.statement)).toEqual([READ, READ]);
  answer = 'no';
  for (const client of clients) {
    for (const [tool, input] of [
      ['run-query', { query: READ }],
      ['get-tables', {}],
      ['list-connections', {}],
    ] as const) {
      const refused = await client.call(tool, { projectRoot: project.root, ...input });
      expect(refused.envelope.error).toMatchObject({ code: 'E_APPROVAL_DENIED' });
    }
    await client.close();
  }
  expect(asked).toHaveLength(8);
});

test('the same over MCP on HTTP, on REST and its short routes, and for the agent of the editor; other clients are not asked about', async () => {
  await open([]);
  const http = await httpClient(reach());
  const inEditor = () =>
    window.call(runTool, { call: '1', client: { id: 'w', name: 'VS Code' }, tool: 'get-tables', input: {} });
  const all = async () => [
    (await http.call('get-tables', {})).envelope.ok,
    readEnvelope(await overRest('/tools/get-tables', 'script', {})).ok,
    'tables' in z.looseObject({}).parse(await overRest('/tables', 'script')),
    'result' in z.looseObject({}).parse(await overRest('/query', undefined, { query: READ })),
    (await inEditor()).ok,
  ];
  expect(await all()).toEqual([true, true, true, true, true]);
  expect(asked).toEqual([]);
  answer = 'no';
  await choose(['http-test', 'script', '(no name)', 'vs code']);
  expect(await all()).toEqual([false, false, false, false, false]);
  expect(askedAs().map((ask) => ask?.replace(/ run .*/, ''))).toEqual([
    'Let the client that calls itself http-test',
    'Let the client that calls itself script',
    'Let the client that calls itself script',
    'Let a client that gives no name',
    'Let the client that calls itself "VS Code"',
  ]);
  await choose(['someone else']);
  expect(await all()).toEqual([true, true, true, true, true]);
  expect(asked).toHaveLength(5);
  await http.close();
});

test("a person's own look at the database is not asked about, whatever clients call themselves", async () => {
  await open(['you', 'you, in the DevDB view']);
  const { data } = await window.call(browse, { root: project.root, tool: 'get-tables', input: {} });
  expect([data, asked]).toEqual([{ tables: ['talk'] }, []]);
});

test('a write is asked about as a call, and then as the change it makes', async () => {
  await open(['script']);
  const write = { query: "UPDATE talk SET said = 'bye'" };
  const envelope = readEnvelope(await overRest('/tools/run-query', 'script', write));
  expect(envelope).toMatchObject({ ok: true, data: { affectedRows: 1 } });
  expect(asked.map(({ kind }) => kind)).toEqual(['call', 'change']);
});

test('a call that could not run anyway is not asked about', async () => {
  await open(['script']);
  const code = async (tool: string, input: object) =>
    readEnvelope(await overRest(`/tools/${tool}`, 'script', input)).error?.code;
  expect(await code('no-such-tool', {})).toBe('E_UNKNOWN_TOOL');
  expect(await code('run-query', { query: 7 })).toBe('E_INVALID_PARAMS');
  expect(asked).toEqual([]);
});

test('when the editor cannot show the question, nothing runs, and the activity says that nobody was asked', async () => {
  await open(['script']);
  window.offer((peer) => peer.answer(askPerson, () => Promise.reject(new Error('no dialog'))));
  const envelope = readEnvelope(await overRest('/tools/run-query', 'script', { query: READ }));
  expect(envelope.error).toMatchObject({ code: 'E_CONFIRMATION_REQUIRED' });
  expect(envelope.error?.message).toContain('the client that calls itself script');
  const { calls } = await window.call(watchActivity, { on: false });
  expect(calls).toMatchObject([{ state: 'refused', code: 'E_CONFIRMATION_REQUIRED', client: 'script' }]);
});
