import type { ElicitResult } from '@modelcontextprotocol/sdk/types.js';
import { type Elicit, httpClient, type McpClient, rest, stdioClient } from './helpers/clients.ts';
import { type RunningSidecar, startSidecar } from './helpers/start-sidecar.ts';
import { rowsOf, runSql, type TempProject, tempProject } from './helpers/temp-project.ts';

let project: TempProject;
let file: string;
let sidecar: RunningSidecar | undefined;
const clients: McpClient[] = [];

beforeEach(() => {
  project = tempProject();
  file = project.database(
    'app.db',
    "CREATE TABLE users(id INTEGER PRIMARY KEY, name TEXT); INSERT INTO users(name) VALUES ('ada'), ('bob'), ('eve')",
  );
});

afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()));
  await sidecar?.stop();
  sidecar = undefined;
  project.remove();
});

async function serve(...args: string[]): Promise<RunningSidecar> {
  sidecar = await startSidecar({ home: project.home, root: project.root, args });
  return sidecar;
}

async function stdio(elicit?: Elicit): Promise<McpClient> {
  const client = await stdioClient(project.home, elicit ? { elicit } : {});
  clients.push(client);
  return client;
}

const accept = (answer: string): ElicitResult => ({ action: 'accept', content: { answer } });
const names = () => rowsOf(file, 'SELECT name FROM users ORDER BY id').flat();
const run = (client: McpClient, query: string, options?: Parameters<McpClient['call']>[2]) =>
  client.call('run-query', { projectRoot: project.root, query }, options);

/** Fails at once with SQLITE_BUSY if anybody holds a lock. */
const assertUnlocked = () => runSql(file, 'PRAGMA busy_timeout=0; BEGIN EXCLUSIVE; ROLLBACK;');

test('yes: the question has statement, connection and rows; nothing is written before the answer, and then it is', async () => {
  await serve();
  const asked: string[] = [];
  const client = await stdio(async ({ message }) => {
    asked.push(message);
    expect(names()).toEqual(['ada', 'bob', 'eve']);
    assertUnlocked();
    return accept('once');
  });
  const answer = await run(client, "UPDATE users SET name = 'x' WHERE id > 1");
  expect(asked).toHaveLength(1);
  expect(asked[0]).toContain("UPDATE users SET name = 'x' WHERE id > 1");
  expect(asked[0]).toContain('2 rows');
  expect(asked[0]).toContain('app.db');
  expect(answer.isError).toBe(false);
  expect(answer.envelope.data).toMatchObject({ affectedRows: 2, truncated: false });
  expect(names()).toEqual(['ada', 'x', 'x']);
});

test.each([
  ['no', accept('no')],
  ['decline', { action: 'decline' } as const],
  ['cancel', { action: 'cancel' } as const],
])('%s: nothing is written, no lock stays, and the answer is E_APPROVAL_DENIED', async (_name, said) => {
  await serve();
  const client = await stdio(async () => said);
  const answer = await run(client, 'DELETE FROM users');
  expect(answer.envelope.error?.code).toBe('E_APPROVAL_DENIED');
  expect(names()).toHaveLength(3);
  assertUnlocked();
});

test('a client that fails to ask: nothing is written, and no refusal is reported', async () => {
  await serve();
  const client = await stdio(() => Promise.reject(new Error('no window')));
  const answer = await run(client, 'DELETE FROM users');
  expect(answer.envelope.error?.code).toBe('E_CONFIRMATION_REQUIRED');
  expect(names()).toHaveLength(3);
  assertUnlocked();
});

test.each([
  ['characters that cannot be seen', 'DELETE FROM users WHERE id = 1 --\u202e\u001b[2K\n', '--[U+202E][U+001B][2K'],
  [
    'empty lines',
    `DELETE FROM users WHERE id = 1${'\n'.repeat(200)}OR 1 = 1`,
    '    | [199 empty lines]\n    | OR 1 = 1',
  ],
  ['blanks', `DELETE FROM users WHERE id = 1${' '.repeat(3_000)}OR 1 = 1`, '= 1 [3000 blanks] OR 1 = 1'],
])('a question describes %s in words', async (_what, statement, told) => {
  await serve();
  const asked: string[] = [];
  const client = await stdio(async ({ message }) => {
    asked.push(message);
    return accept('no');
  });
  await run(client, statement);
  expect(asked).toEqual([expect.stringContaining(told)]);
});

test('silence: a call cancelled while its question is open writes nothing', async () => {
  await serve();
  const asked = Promise.withResolvers<void>();
  const client = await stdio(() => {
    asked.resolve();
    return new Promise(() => undefined);
  });
  const giveUp = new AbortController();
  const call = run(client, 'DELETE FROM users', { signal: giveUp.signal });
  await asked.promise;
  giveUp.abort();
  await expect(call).rejects.toThrow();
  assertUnlocked();
  expect(names()).toHaveLength(3);
  // The sidecar can serve others meanwhile.
  expect((await run(client, 'SELECT count(*) FROM users')).envelope.data).toMatchObject({ rows: [[3]] });
});

test('vanished client: a client that ends while it is asked has written nothing', async () => {
  const running = await serve();
  const asked = Promise.withResolvers<void>();
  const client = await stdioClient(project.home, {
    elicit: () => {
      asked.resolve();
      return new Promise(() => undefined);
    },
  });
  const call = run(client, 'DELETE FROM users').catch(() => 'ended');
  await asked.promise;
  await client.close();
  expect(await call).toBe('ended');
  expect((await rest(running, 'POST', '/query', { query: 'SELECT count(*) AS n FROM users' })).body).toEqual({
    result: [{ n: 3 }],
  });
  assertUnlocked();
});

test('two clients at once: each gets its own question, and one answer does not count for the other', async () => {
  await serve();
  const first = await stdio(async () => accept('once'));
  const second = await stdio(async () => accept('no'));
  const [yes, no] = await Promise.all([
    run(first, "UPDATE users SET name = 'first' WHERE id = 1"),
    run(second, "UPDATE users SET name = 'second' WHERE id = 2"),
  ]);
  expect(yes.isError).toBe(false);
  expect(no.envelope.error?.code).toBe('E_APPROVAL_DENIED');
  expect(names()).toEqual(['first', 'bob', 'eve']);
});

test('for this session: the same kind of statement is not asked again of this client, but of another', async () => {
  await serve();
  let asked = 0;
  const client = await stdio(async () => {
    asked += 1;
    return accept('session');
  });
  await run(client, "UPDATE users SET name = 'a' WHERE id = 1");
  await run(client, "UPDATE users SET name = 'b' WHERE id = 2");
  expect(asked).toBe(1);
  const other = await stdio(async () => accept('no'));
  expect((await run(other, "UPDATE users SET name = 'c' WHERE id = 3")).envelope.error?.code).toBe('E_APPROVAL_DENIED');
  expect(names()).toEqual(['a', 'b', 'eve']);
});

test('no client that can be asked: E_CONFIRMATION_REQUIRED on every door, and nothing was run', async () => {
  const running = await serve();
  const client = await stdio();
  const { envelope, text } = await run(client, 'DELETE FROM users');
  expect(envelope.error).toMatchObject({
    code: 'E_CONFIRMATION_REQUIRED',
    details: { applied: false, preview: { affectedRows: 3 } },
  });
  expect(text).toContain('It would change 3 rows.');
  expect(text).not.toMatch(/writes|Devdb\.|allow/);
  const overHttp = await httpClient(running);
  clients.push(overHttp);
  const answer = await overHttp.call('run-query', { query: 'DELETE FROM users' });
  expect(answer.envelope.error?.code).toBe('E_CONFIRMATION_REQUIRED');
  expect(await rest(running, 'POST', '/query', { query: 'DELETE FROM users' })).toMatchObject({
    status: 428,
    body: { code: 'E_CONFIRMATION_REQUIRED' },
  });
  expect(names()).toHaveLength(3);
});

test('an MCP client over HTTP is asked too', async () => {
  const running = await serve();
  const client = await httpClient(running, { elicit: async () => accept('once') });
  clients.push(client);
  const answer = await client.call('run-query', { query: 'DELETE FROM users WHERE id = 1' });
  expect(answer.envelope.data).toMatchObject({ affectedRows: 1 });
});

test('rows that change while the person decides: the statement is rolled back and asked again', async () => {
  await serve();
  const asked: string[] = [];
  const client = await stdio(async ({ message }) => {
    asked.push(message);
    if (asked.length === 1) runSql(file, "INSERT INTO users(name) VALUES ('new')");
    return accept('once');
  });
  const answer = await run(client, 'DELETE FROM users');
  expect(asked.map((message) => /changes (\d+) rows/.exec(message)?.[1])).toEqual(['3', '4']);
  expect(answer.envelope.data).toMatchObject({ affectedRows: 4 });
  expect(names()).toEqual([]);
});

test('the effect of a change on an unknown number of rows is stated once', async () => {
  await serve();
  runSql(file, 'CREATE TRIGGER guard AFTER DELETE ON users BEGIN SELECT 1; END');
  const asked: string[] = [];
  const client = await stdio(async ({ message }) => {
    asked.push(message);
    return accept('no');
  });
  await run(client, 'DELETE FROM users WHERE id = 1');
  expect(asked[0]?.match(/not known/g)).toHaveLength(1);
});

test('a change of the schema is asked about without a dry run', async () => {
  await serve();
  const asked: string[] = [];
  const client = await stdio(async ({ message }) => {
    asked.push(message);
    return accept('once');
  });
  const answer = await run(client, 'CREATE TABLE notes(id INTEGER PRIMARY KEY)');
  expect(answer.isError).toBe(false);
  expect(asked[0]).toMatch(/\nEffect: CREATE changes the database as a whole, not rows\.$/);
  expect(rowsOf(file, "SELECT name FROM sqlite_schema WHERE name = 'notes'")).toHaveLength(1);
});

test('--writes allow: runs at once; --writes deny: E_READ_ONLY, even for a client that would say yes', async () => {
  await serve('--writes', 'allow');
  const client = await stdio();
  expect((await run(client, 'DELETE FROM users WHERE id = 1')).envelope.data).toMatchObject({ affectedRows: 1 });
  await sidecar?.stop();
  await serve('--writes', 'deny');
  const willing = await stdio(async () => accept('once'));
  expect((await run(willing, 'DELETE FROM users')).envelope.error?.code).toBe('E_READ_ONLY');
  expect(names()).toHaveLength(2);
});

test('RETURNING returns the rows of the change', async () => {
  await serve('--writes', 'allow');
  const client = await stdio();
  const answer = await run(client, "INSERT INTO users(name) VALUES ('new') RETURNING id, name");
  expect(answer.envelope.data).toMatchObject({ rows: [[4, 'new']], affectedRows: 1 });
});
