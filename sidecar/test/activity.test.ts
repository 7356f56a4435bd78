import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Question } from '@devdb/shared/protocol';
import { callDetails, exportActivity, stopCall, watchActivity } from '@devdb/shared/protocol/activity-methods';
import { browse } from '@devdb/shared/protocol/browse-methods';
import { activityChanged, type CallRecord } from '@devdb/shared/protocol/call-record';
import { askPerson, runEditorTool } from '@devdb/shared/protocol/editor-methods';
import { runTool } from '@devdb/shared/protocol/sidecar-methods';
import * as z from 'zod';
import { httpClient, readEnvelope, rest, stdioClient } from './helpers/clients.ts';
import { type TempProject, tempProject } from './helpers/temp-project.ts';
import { openWindow, type TestWindow } from './helpers/window.ts';

const ENDLESS = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n) SELECT count(*) FROM n';

let project: TempProject;
let window: TestWindow;
let told: CallRecord[];
let heard: () => void;
let answer: 'once' | 'no';
let asked: Question[];
/** What the person waits for. */
let beforeAnswer: () => Promise<unknown>;
/** Keeps the editor's tool running until it is cancelled. */
let editorHangs: boolean;

beforeEach(() => {
  project = tempProject();
  project.database(
    'app.db',
    "CREATE TABLE talk(said TEXT, password TEXT); INSERT INTO talk VALUES ('hello', 'hunter2')",
  );
  told = [];
  asked = [];
  answer = 'once';
  beforeAnswer = async () => undefined;
  editorHangs = false;
  heard = () => undefined;
});

afterEach(async () => {
  await window.kill();
  project.remove();
});

async function open(): Promise<void> {
  window = await openWindow({
    home: project.home,
    projects: [{ root: project.root, settings: { toolsets: ['database', 'ide'] } }],
    offer: (peer) => {
      peer.hear(activityChanged, ({ calls }) => {
        told.push(...calls);
        heard();
      });
      peer.answer(askPerson, async (question) => {
        asked.push(question);
        await beforeAnswer();
        return { answer };
      });
      peer.answer(runEditorTool, (_call, signal) => {
        if (!editorHangs)
          return Promise.resolve({ path: '/p/src/a.ts', relativePath: 'src/a.ts', size: 3, operationTimeMs: 1 });
        return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
      });
    },
  });
}

function reach() {
  const ports = z.record(z.string(), z.int()).parse(JSON.parse(readFileSync(join(project.home, 'mcp.json'), 'utf8')));
  return { port: ports[project.root] ?? 0, token: readFileSync(join(project.home, 'token'), 'utf8').trim() };
}

async function overRest(tool: string, input: object) {
  return readEnvelope((await rest(reach(), 'POST', `/tools/${tool}`, input)).body);
}

function calls(): Promise<readonly CallRecord[]> {
  return window.call(watchActivity, { on: true }).then((listed) => listed.calls);
}

/** Resolves with the first call of which a notice says this. */
async function notice(fits: (call: CallRecord) => boolean): Promise<CallRecord> {
  for (;;) {
    const found = told.find(fits);
    if (found !== undefined) return found;
    await new Promise<void>((resolve) => {
      heard = resolve;
    });
  }
}

test('calls of every door are reported as they begin and end, with client, statement, database, rows and verdict', async () => {
  await open();
  expect(await calls()).toEqual([]);
  const [stdio, http] = [await stdioClient(project.home), await httpClient(reach())];
  await stdio.call('run-query', { projectRoot: project.root, query: 'SELECT said FROM talk' });
  await http.call('get-tables', {});
  await overRest('run-query', { query: 'SELEC 1' });
  const editor = { call: '1', client: { id: 'w', name: 'VS Code' } };
  await window.call(runTool, { ...editor, tool: 'get-schema', input: { table: 'talk' } });
  await Promise.all([stdio.close(), http.close()]);
  await notice(({ tool, state }) => tool === 'get-schema' && state === 'read');
  const listed = await calls();
  expect(listed).toMatchObject([
    {
      tool: 'run-query',
      door: 'rest',
      client: 'stdio-test',
      state: 'read',
      subject: 'SELECT said FROM talk',
      connection: 'app.db',
      rows: 1,
    },
    { tool: 'get-tables', door: 'mcp', state: 'read', subject: '' },
    { tool: 'run-query', door: 'rest', state: 'failed', code: 'E_SQL' },
    { tool: 'get-schema', door: 'pipe', client: 'VS Code', state: 'read', subject: 'talk' },
  ]);
  for (const call of listed) {
    expect(call.root).toBe(project.root);
    expect(call.ms).toBeGreaterThan(0);
    const last = told.filter(({ id }) => id === call.id).at(-1);
    expect(last).toEqual(call);
  }
});

test("a second look and a later one get all calls, without a person's own look at the database", async () => {
  await open();
  await overRest('get-tables', {});
  const { data } = await window.call(browse, { root: project.root, tool: 'get-tables', input: {} });
  expect(data).toEqual({ tables: ['talk'] });
  expect(await calls()).toHaveLength(1);
  expect(await calls()).toHaveLength(1);
});

test('an editor that does not watch gets no notices', async () => {
  await open();
  await overRest('get-tables', {});
  await calls();
  await window.call(watchActivity, { on: false });
  await overRest('get-database-type', {});
  await calls();
  await overRest('list-connections', {});
  await notice(({ tool }) => tool === 'list-connections');
  expect(told.map(({ tool }) => tool)).not.toContain('get-database-type');
});

test('a stopped query ends in its engine, and its agent learns that a person stopped it', async () => {
  await open();
  await calls();
  const running = overRest('run-query', { query: ENDLESS, timeoutMs: 600_000 });
  const { id } = await notice(({ state, connection }) => state === 'running' && connection === 'app.db');
  await expect(window.call(stopCall, { id })).resolves.toEqual({ stopped: true });
  const envelope = await running;
  expect(envelope.error).toMatchObject({ code: 'E_CANCELLED', message: 'A person stopped this call in the editor.' });
  await notice((call) => call.id === id && call.state === 'stopped');
  await expect(window.call(stopCall, { id })).resolves.toEqual({ stopped: false });
});

test('agents on stdio and MCP get the same sentence', async () => {
  await open();
  await calls();
  const clients = [await stdioClient(project.home), await httpClient(reach())];
  for (const client of clients) {
    told = [];
    const running = client.call('run-query', {
      ...(client === clients[0] ? { projectRoot: project.root } : {}),
      query: ENDLESS,
      timeoutMs: 600_000,
    });
    const { id } = await notice(({ state, connection }) => state === 'running' && connection === 'app.db');
    await window.call(stopCall, { id });
    const { text, isError } = await running;
    expect([isError, text]).toEqual([true, expect.stringContaining('[E_CANCELLED] A person stopped this call')]);
    await client.close();
  }
});

test('a tool of the editor is recorded and stopped like any other', async () => {
  await open();
  await calls();
  editorHangs = true;
  const input = { pathInProject: 'src/a.ts', text: 'password: hunter2' };
  const running = overRest('replace_file_text_by_path', input);
  const { id, subject } = await notice(
    ({ tool, state }) => tool === 'replace_file_text_by_path' && state === 'running',
  );
  expect(subject).toBe('src/a.ts · password: [secret]');
  await window.call(stopCall, { id });
  expect((await running).error).toMatchObject({ code: 'E_CANCELLED', details: { applied: expect.anything() } });
  await notice((call) => call.id === id && call.state === 'stopped');
});

test.each([
  ['once', 'changed'],
  ['no', 'refused'],
] as const)('a write that is asked about and answered with %s is %s, and says who answered', async (said, state) => {
  await open();
  await calls();
  answer = said;
  beforeAnswer = () => notice(({ state: now }) => now === 'asking');
  await overRest('run-query', { query: "UPDATE talk SET said = 'bye'" });
  const call = await notice((one) => one.state === state);
  expect(call.decisions).toEqual([{ by: 'editor', answer: said }]);
  expect(asked).toHaveLength(1);
});

test('a question in the client is answered there', async () => {
  await open();
  const client = await stdioClient(project.home, {
    elicit: async () => ({ action: 'accept', content: { answer: 'session' } }),
  });
  for (const city of ['a', 'b']) {
    await client.call('run-query', { projectRoot: project.root, query: `UPDATE talk SET said = '${city}'` });
  }
  await client.close();
  expect((await calls()).map(({ decisions }) => decisions)).toEqual([
    [{ by: 'client', answer: 'session' }],
    [{ by: 'earlier', answer: 'session' }],
  ]);
});

test('details have the whole statement, first rows and the error, but no credential', async () => {
  await open();
  const query = `SELECT said, password FROM talk -- ${'x'.repeat(2_000)}`;
  await overRest('run-query', { query });
  await overRest('run-query', { query: "SELECT * FROM nosuch WHERE url = 'https://ada:hunter2@example.org'" });
  const [first, second] = await calls();
  const details = await window.call(callDetails, { id: first?.id ?? '' });
  expect(details).toEqual({
    statement: query,
    databaseId: expect.any(String),
    result: { columns: ['said', 'password'], rows: [['hello', '[secret]']] },
  });
  const failed = await window.call(callDetails, { id: second?.id ?? '' });
  expect(failed.error).toMatchObject({ code: 'E_UNKNOWN_TABLE' });
  const { text } = await window.call(exportActivity, { withoutValues: false });
  expect(JSON.stringify([first, second, details, failed]) + text).not.toContain('hunter2');
  await expect(window.call(callDetails, { id: 'no-such' })).rejects.toMatchObject({ code: 'E_NOT_FOUND' });
});

test('an export has a line for each call; without values it has neither literals nor rows nor messages', async () => {
  await open();
  await overRest('run-query', { query: "SELECT said FROM talk WHERE said = 'hello'" });
  await overRest('get-schema', { table: 'hello' });
  const lines = async (withoutValues: boolean) => {
    const { text, calls: count } = await window.call(exportActivity, { withoutValues });
    const parsed = text
      .trimEnd()
      .split('\n')
      .map((line) => z.looseObject({}).parse(JSON.parse(line)));
    expect(parsed).toHaveLength(count);
    return parsed;
  };
  expect(await lines(false)).toMatchObject([
    { tool: 'run-query', statement: "SELECT said FROM talk WHERE said = 'hello'", result: { rows: [['hello']] } },
    { tool: 'get-schema', error: { code: 'E_UNKNOWN_TABLE' } },
  ]);
  const bare = await lines(true);
  expect(bare).toMatchObject([
    { statement: "SELECT said FROM talk WHERE said = '?'", rows: 1 },
    { code: 'E_UNKNOWN_TABLE' },
  ]);
  expect(JSON.stringify(bare)).not.toMatch(/hello|databaseId/);
});

test('a reload keeps the calls, without their values, in a file that only its user reads', async () => {
  await open();
  await overRest('run-query', { query: "SELECT said FROM talk WHERE said = 'hello'" });
  await expect(window.close()).resolves.toBe(0);
  const folder = join(project.home, 'activity');
  const files = readdirSync(folder).map((name) => join(folder, name));
  expect(files).toHaveLength(1);
  for (const file of files) {
    expect(readFileSync(file, 'utf8')).not.toContain('hello');
    if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600);
  }
  await open();
  await overRest('get-tables', {});
  const listed = await calls();
  expect(listed).toMatchObject([
    { tool: 'run-query', isEarlier: true, subject: "SELECT said FROM talk WHERE said = '?'", rows: 1 },
    { tool: 'get-tables' },
  ]);
  await expect(window.call(callDetails, { id: listed[0]?.id ?? '' })).resolves.toEqual({
    statement: "SELECT said FROM talk WHERE said = '?'",
  });
});
