import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describeOnLinux } from '../../fixtures/labs/needs.ts';
import { readEnvelope, rest } from './helpers/clients.ts';
import { childrenFor, isGone, until } from './helpers/sqlite-processes.ts';
import { type RunningSidecar, startSidecar } from './helpers/start-sidecar.ts';
import { runSql, type TempProject, tempProject } from './helpers/temp-project.ts';

/** What a real sidecar's tools report about problematic files. */
const TOOLS = [
  ['get-tables', {}],
  ['get-schema', { table: 't' }],
  ['get-database-type', {}],
  ['get-overview', {}],
  ['search-schema', { pattern: 't' }],
  ['run-query', { query: 'SELECT * FROM t' }],
  ['explain-query', { query: 'SELECT * FROM t' }],
  ['export-query', { query: 'SELECT * FROM t', path: 'out/rows.csv', format: 'csv' }],
] as const;

let project: TempProject;
let sidecar: RunningSidecar;

beforeAll(async () => {
  project = tempProject();
  project.database('app.db', 'CREATE TABLE t (a); INSERT INTO t VALUES (1), (2)');
  damagedDatabase('damaged.db');
  sidecar = await startSidecar({ home: project.home, root: project.root });
});

afterAll(async () => {
  await sidecar.stop();
  project.remove();
});

async function errorOf(tool: string, input: Readonly<Record<string, unknown>>, connection: string) {
  const { body } = await rest(sidecar, 'POST', `/tools/${tool}`, { ...input, connection });
  return readEnvelope(body).error;
}

/** A database that is valid only on its first page. */
function damagedDatabase(name: string): void {
  const file = runSql(join(project.root, name), 'CREATE TABLE t AS SELECT hex(randomblob(9000)) AS a');
  writeFileSync(file, readFileSync(file).subarray(0, 5000));
}

test.each([
  ["SELECT 'open", 8],
  ['SELECT "open', 8],
  ["DELETE FROM t WHERE a = 'it's'", 30],
  ['SELECT 1 \\ 2', 10],
])(
  'a mistake in %s is an SQL error with its position, in every tool that takes a statement',
  async (query, position) => {
    for (const [tool, input] of TOOLS.filter(([, input]) => 'query' in input)) {
      expect(await errorOf(tool, { ...input, query }, 'app.db')).toMatchObject({
        code: 'E_SQL',
        message: expect.stringContaining(`at position ${position}`),
        hint: expect.stringMatching(/./),
        details: { position },
      });
    }
  },
);

test.each(TOOLS)('%s reports that a database is damaged', async (tool, input) => {
  expect(await errorOf(tool, input, 'damaged.db')).toMatchObject({
    code: 'E_SQL',
    message: expect.stringMatching(/^The database file is damaged/),
    hint: expect.stringContaining('integrity_check'),
  });
});

test('every tool waits for a lock for less than its own timeout, and reports that the database is locked', async () => {
  const holder = new Database(project.database('locked.db', 'CREATE TABLE t (a)'));
  // Processes are ready by then: what starting them takes is no wait for a lock.
  const reads = TOOLS.filter(([tool]) => tool !== 'export-query');
  await Promise.all(reads.map(([tool, input]) => errorOf(tool, input, 'locked.db')));
  holder.exec('BEGIN EXCLUSIVE');
  const errors = await Promise.all(TOOLS.map(([tool, input]) => errorOf(tool, input, 'locked.db')));
  holder.close();
  for (const error of errors) {
    expect(error).toMatchObject({ code: 'E_NO_CONNECTION', hint: expect.stringContaining('try again') });
    expect(error?.message).toMatch(/^The database is locked/);
  }
}, 20_000);

test('a call with little time waits for a lock for a part of that, and says how long', async () => {
  const holder = new Database(project.database('held.db', 'CREATE TABLE t (a)'));
  const query = { query: 'SELECT * FROM t' };
  // A process is ready by then: what starting one takes is no wait for a lock.
  expect(await errorOf('run-query', query, 'held.db')).toBeUndefined();
  holder.exec('BEGIN EXCLUSIVE');
  for (const [timeoutMs, mostSeconds] of [
    [1_000, 0.8],
    [2_500, 1.9],
    [60_000, 4],
  ] as const) {
    const error = await errorOf('run-query', { ...query, timeoutMs }, 'held.db');
    expect(error).toMatchObject({ code: 'E_NO_CONNECTION' });
    const seconds = Number(/did not release it within ([\d.]+) seconds/.exec(error?.message ?? '')?.[1]);
    expect(seconds).toBeLessThanOrEqual(mostSeconds);
    expect(seconds).toBeGreaterThan(mostSeconds / 4);
  }
  holder.close();
}, 20_000);

describe('an export that does not finish leaves neither file nor folder', () => {
  const ENDLESS = 'WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c) SELECT i FROM c';
  const folder = () => join(project.root, 'exports');

  function startExport(on: RunningSidecar, more: Readonly<Record<string, unknown>> = {}, signal?: AbortSignal) {
    const input = { query: ENDLESS, path: 'exports/deep/rows.csv', format: 'csv', ...more };
    return rest(on, 'POST', '/tools/export-query', input, signal).catch((error: unknown) => error);
  }
  const begun = () => until('rows are written', () => bytesIn(join(folder(), 'deep')) > 0);
  const gone = () => until('all of it is gone', () => !existsSync(folder()));

  test('when it is cancelled', async () => {
    const cancel = new AbortController();
    const exporting = startExport(sidecar, {}, cancel.signal);
    await begun();
    cancel.abort();
    await exporting;
    await gone();
  });

  test('at its timeout', async () => {
    expect(await startExport(sidecar, { timeoutMs: 500 })).toMatchObject({ body: { error: { code: 'E_TIMEOUT' } } });
    expect(existsSync(folder())).toBe(false);
  });

  test('at an error after rows that were written', async () => {
    const query = `SELECT abs(CASE WHEN i > 500000 THEN -9223372036854775807 - 1 ELSE i END) FROM (${ENDLESS})`;
    expect(await startExport(sidecar, { query })).toMatchObject({ body: { error: { code: 'E_SQL' } } });
    expect(existsSync(folder())).toBe(false);
  });

  test('when the sidecar is ended', async () => {
    const other = await startSidecar({ home: project.home, root: project.root });
    const exporting = startExport(other);
    await begun();
    expect(await other.stop()).toBe(0);
    expect(existsSync(folder())).toBe(false);
    await exporting;
  });
});

describeOnLinux('the process of an export', () => {
  test('leaves no part of the file when it dies', async () => {
    const query = 'WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c) SELECT i FROM c';
    const folder = join(project.root, 'dies');
    const exporting = rest(sidecar, 'POST', '/tools/export-query', { query, path: 'dies/rows.jsonl', format: 'jsonl' });
    await until('rows are written', () => bytesIn(folder) > 0);
    for (const child of childrenFor(join(project.root, 'app.db'))) process.kill(child, 'SIGKILL');
    expect(await exporting).toMatchObject({ body: { error: { code: 'E_SQL', details: { crashed: true } } } });
    expect(existsSync(folder)).toBe(false);
  });
});

describeOnLinux('a sidecar killed during an export', () => {
  test('leaves no file under the requested name, and the next export removes the rest', async () => {
    const query = 'WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c) SELECT i FROM c';
    const folder = join(project.root, 'killed');
    mkdirSync(folder);
    const other = await startSidecar({ home: project.home, root: project.root });
    const exporting = rest(other, 'POST', '/tools/export-query', { query, path: 'killed/rows.csv', format: 'csv' });
    const failed = exporting.catch((error: unknown) => error);
    await until('rows are written', () => bytesIn(folder) > 0);
    await other.stop('SIGKILL');
    await failed;
    await until('it is gone', () => isGone(other.pid));
    expect(existsSync(join(folder, 'rows.csv'))).toBe(false);
    const again = { query: 'SELECT 1 AS one', path: 'killed/rows.csv', format: 'csv' };
    expect(await rest(sidecar, 'POST', '/tools/export-query', again)).toMatchObject({ body: { ok: true } });
    expect(readdirSync(folder)).toEqual(['rows.csv']);
    expect(readFileSync(join(folder, 'rows.csv'), 'utf8')).toBe('one\r\n1\r\n');
  }, 60_000);
});

/** The total size of a folder's files, whatever their names. */
function bytesIn(folder: string): number {
  if (!existsSync(folder)) return 0;
  return readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
}
