import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { httpClient, type McpClient, rest, stdioClient } from './helpers/clients.ts';
import { childrenOf, isRunning, until } from './helpers/processes.ts';
import { type RunningSidecar, startSidecar } from './helpers/start-sidecar.ts';
import { type TempProject, tempProject } from './helpers/temp-project.ts';

/** A busy machine takes a while to start the child, and to see that it is there. */
const TIMEOUT_MS = 3_000;
const ENDLESS = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n';

let project: TempProject;
let sidecar: RunningSidecar;
const clients: McpClient[] = [];

beforeEach(async () => {
  project = tempProject();
  project.database('app.db', 'CREATE TABLE t(a); INSERT INTO t VALUES (1)');
  sidecar = await startSidecar({ home: project.home, root: project.root });
});

afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()));
  await sidecar.stop();
  project.remove();
});

async function keep(client: Promise<McpClient>): Promise<McpClient> {
  const opened = await client;
  clients.push(opened);
  return opened;
}

/** The process that runs the statement, once it uses CPU time. */
async function workingChild(): Promise<number> {
  let found: number | undefined;
  await until('a child runs the statement', () => {
    found = childrenOf(sidecar.pid).find((row) => row.command.includes('sqlite-child'))?.pid;
    return found !== undefined;
  });
  if (found === undefined) throw new Error('unreachable');
  return found;
}

const answersAgain = async () =>
  expect((await rest(sidecar, 'POST', '/query', { query: 'SELECT a FROM t' })).body).toEqual({ result: [{ a: 1 }] });

test('a statement that never ends is stopped by its timeout, in the database too', async () => {
  const client = await keep(stdioClient(project.home));
  const started = performance.now();
  const call = client.call('run-query', { projectRoot: project.root, query: ENDLESS, timeoutMs: TIMEOUT_MS });
  const child = await workingChild();
  const answer = await call;
  expect(answer.envelope.error).toMatchObject({ code: 'E_TIMEOUT' });
  await until('the child is gone', () => !isRunning(child));
  process.stdout.write(
    `  stopped ${Math.round(performance.now() - started - TIMEOUT_MS)} ms after a time-out of ${TIMEOUT_MS} ms\n`,
  );
  await answersAgain();
});

test('by a cancelled MCP call over stdio', async () => {
  const client = await keep(stdioClient(project.home));
  const cancel = new AbortController();
  const call = client.call('run-query', { projectRoot: project.root, query: ENDLESS }, { signal: cancel.signal });
  const child = await workingChild();
  cancel.abort();
  await expect(call).rejects.toThrow();
  await until('the child is gone', () => !isRunning(child));
  await answersAgain();
});

test('by a cancelled MCP call over HTTP', async () => {
  const client = await keep(httpClient(sidecar));
  const cancel = new AbortController();
  const call = client.call('run-query', { query: ENDLESS }, { signal: cancel.signal });
  const child = await workingChild();
  cancel.abort();
  await expect(call).rejects.toThrow();
  await until('the child is gone', () => !isRunning(child));
  await answersAgain();
});

test('by a closed connection', async () => {
  const cancel = new AbortController();
  const call = rest(sidecar, 'POST', '/query', { query: ENDLESS }, cancel.signal);
  const child = await workingChild();
  cancel.abort();
  await expect(call).rejects.toThrow();
  await until('the child is gone', () => !isRunning(child));
  await answersAgain();
});

test('by the end of the stdio client', async () => {
  const client = await stdioClient(project.home);
  const call = client.call('run-query', { projectRoot: project.root, query: ENDLESS }).catch(() => 'ended');
  const child = await workingChild();
  await client.close();
  expect(await call).toBe('ended');
  await until('the child is gone', () => !isRunning(child));
  await answersAgain();
});

test('by SIGTERM: the caller gets an answer, the child and the registry entry are gone, and the exit code is 0', async () => {
  const call = rest(sidecar, 'POST', '/tools/run-query', { query: ENDLESS }).catch((error: unknown) => error);
  const child = await workingChild();
  expect(await sidecar.stop('SIGTERM')).toBe(0);
  expect(await call).toMatchObject({ status: 499, body: { error: { code: 'E_CANCELLED' } } });
  await until('the child is gone', () => !isRunning(child));
  expect(JSON.parse(readFileSync(join(project.home, 'mcp.json'), 'utf8'))).toEqual({});
});

test('no child outlives a sidecar that is killed during a statement', async () => {
  const call = rest(sidecar, 'POST', '/query', { query: ENDLESS }).catch(() => 'lost');
  const child = await workingChild();
  await sidecar.stop('SIGKILL');
  expect(await call).toBe('lost');
  await until('the child is gone', () => !isRunning(child));
});
