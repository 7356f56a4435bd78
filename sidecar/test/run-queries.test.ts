import * as z from 'zod';
import { httpClient, type McpClient, stdioClient } from './helpers/clients.ts';
import { type RunningSidecar, startSidecar } from './helpers/start-sidecar.ts';
import { rowsOf, type TempProject, tempProject } from './helpers/temp-project.ts';

const ENDLESS = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n) SELECT count(*) FROM n';
const LARGE =
  "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i < 5000) SELECT i, 'some words of text' FROM n";

let project: TempProject;
let file: string;
let sidecar: RunningSidecar;
let client: McpClient;

beforeAll(async () => {
  project = tempProject();
  file = project.database(
    'app.db',
    "CREATE TABLE users(id INTEGER PRIMARY KEY, name TEXT); INSERT INTO users(name) VALUES ('ada'), ('bob'), ('eve')",
  );
  sidecar = await startSidecar({ home: project.home, root: project.root, args: ['--writes', 'allow'] });
  client = await stdioClient(project.home);
});

afterAll(async () => {
  await client?.close();
  await sidecar?.stop();
  project?.remove();
});

async function ask(input: object, options?: Parameters<McpClient['call']>[2]) {
  const { envelope } = await client.call('run-queries', { projectRoot: project.root, ...input }, options);
  return envelope;
}

const answersOf = (data: unknown) =>
  z.object({ answers: z.array(z.object({ rowCount: z.int() })) }).parse(data).answers;

test('reads are answered in order, each under its number', async () => {
  const { data } = await ask({ queries: ['SELECT name FROM users ORDER BY id', 'SELECT count(*) AS n FROM users'] });
  expect(data).toEqual({
    answers: [
      {
        query: 1,
        columns: [{ name: 'name', type: 'TEXT' }],
        rows: [['ada'], ['bob'], ['eve']],
        rowCount: 3,
        truncated: false,
      },
      expect.objectContaining({ query: 2, rows: [[3]], truncated: false }),
    ],
  });
});

test('what fails or would change something says so in its place, and the others run', async () => {
  const { data } = await ask({
    queries: ['SELECT nosuch FROM users', 'DELETE FROM users', 'SELECT 1; SELECT 2', 'SELECT 1', 'SELECT * FROM user'],
  });
  expect(data).toMatchObject({
    answers: [
      { query: 1, error: { code: 'E_SQL' } },
      { query: 2, error: { code: 'E_READ_ONLY', hint: expect.stringContaining('run-query') } },
      { query: 3, error: { code: 'E_SQL', message: expect.stringContaining('several') } },
      { query: 4, rows: [[1]] },
      { query: 5, error: { code: 'E_UNKNOWN_TABLE' } },
    ],
  });
  // Though writes are allowed here: this tool is one that only reads.
  expect(rowsOf(file, 'SELECT count(*) FROM users')).toEqual([[3]]);
});

test('a small answer is never cut because of large ones, and all together keep to the caps of one result', async () => {
  const { data } = await ask({ queries: [LARGE, 'SELECT name FROM users ORDER BY id', LARGE] });
  expect(data).toMatchObject({
    answers: [{ truncated: true }, { rows: [['ada'], ['bob'], ['eve']], truncated: false }, { truncated: true }],
  });
  const counts = answersOf(data).map(({ rowCount }) => rowCount);
  expect(counts[0] ?? 0).toBeGreaterThan(200);
  expect(counts.reduce((total, count) => total + count, 0)).toBeLessThanOrEqual(500);
  expect(Buffer.byteLength(JSON.stringify(data))).toBeLessThan(33 * 1024);
});

test('what was answered before the time was up is not lost', async () => {
  const { data } = await ask({ queries: ['SELECT 1', ENDLESS, 'SELECT 2'], timeoutMs: 1_500 });
  expect(data).toMatchObject({
    answers: [
      { query: 1, rows: [[1]] },
      { query: 2, error: { code: 'E_TIMEOUT', hint: expect.stringContaining('timeoutMs') } },
      { query: 3, error: { code: 'E_TIMEOUT', message: 'Not run: the time was up.' } },
    ],
  });
});

test('an error that repeats a long statement is shortened like any other', async () => {
  const { data } = await ask({ queries: [`SELECT "${'x'.repeat(100_000)}" FROM users`] });
  expect(data).toMatchObject({ answers: [{ query: 1, error: { code: 'E_SQL' } }] });
  expect(JSON.stringify(data).length).toBeLessThan(10_000);
});

test('a cancelled call ends the query that runs', async () => {
  const cancelling = new AbortController();
  const other = await httpClient(sidecar);
  const running = ask(
    { queries: ['SELECT 1', ENDLESS] },
    { signal: cancelling.signal, onprogress: () => cancelling.abort() },
  );
  await expect(running).rejects.toThrow();
  // The lanes are free again: another client is answered.
  expect((await other.call('run-queries', { queries: ['SELECT 7'] })).envelope.data).toMatchObject({
    answers: [{ rows: [[7]] }],
  });
  await other.close();
});
