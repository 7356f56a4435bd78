import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { applyChanges, type RowChange, resultTable } from '@devdb/shared/protocol/edit-methods';
import { forgetStatements, queryHistory } from '@devdb/shared/protocol/history-methods';
import { arrangeRows, databaseChoices, runForPerson } from '@devdb/shared/protocol/result-methods';
import { runTool, setProjects } from '@devdb/shared/protocol/sidecar-methods';
import { describeOnLinux } from '../../fixtures/labs/needs.ts';
import { digitsQuery, TestPerson } from './helpers/person.ts';
import { childrenOf, isRunning, until } from './helpers/processes.ts';
import { memoryOf } from './helpers/sqlite-processes.ts';
import { rowsOf, type TempProject, tempProject } from './helpers/temp-project.ts';
import { windowSettings } from './helpers/window.ts';

const MIB = 1024 * 1024;
const MILLION = 1_000_000;

let project: TempProject;
let person: TestPerson;
beforeEach(async () => {
  project = tempProject();
  project.database('app.db', "CREATE TABLE t(a); INSERT INTO t VALUES ('one'), ('two')");
  person = await TestPerson.open(project);
});
afterEach(async () => {
  await person.window.kill();
  project.remove();
});

const spool = () => join(project.home, 'spool');
/** The files of the results, of which there is one folder. */
const filesOf = () =>
  readdirSync(join(spool(), String(inSpool().find((name) => statSync(join(spool(), name)).isDirectory()))));
const inSpool = () => (existsSync(spool()) ? readdirSync(spool()) : []);

test('a window that runs nothing makes no folder', () => {
  expect(existsSync(spool())).toBe(false);
});

test('the files are readable by their user alone, and go with the window', async () => {
  await person.run('r', 'SELECT a FROM t');
  const [folder] = inSpool();
  const dir = join(spool(), String(folder));
  expect(statSync(dir).mode & 0o777).toBe(0o700);
  for (const file of readdirSync(dir)) expect(statSync(join(dir, file)).mode & 0o777).toBe(0o600);
  expect(await person.window.close()).toBe(0);
  expect(inSpool()).toEqual([]);
});

test('what a killed process left is removed when the next one starts; what a live one has is not', async () => {
  await person.run('r', 'SELECT a FROM t');
  const other = project.another('other');
  other.database('app.db', 'CREATE TABLE t(a)');
  const neighbour = await TestPerson.open({ ...project, ...other });
  await neighbour.run('n', 'SELECT 1 AS one');
  await person.window.kill();
  expect(inSpool()).toHaveLength(4);
  const next = await TestPerson.open(project);
  await until('the leftovers are removed', () => inSpool().length === 2);
  expect(await neighbour.rows('n', 0, 1)).toEqual([[1]]);
  await next.window.close();
  await neighbour.window.close();
  expect(inSpool()).toEqual([]);
});

test('the history has what its person has kept, with how it ended, also in the next window', async () => {
  const { root } = project;
  const run = (query: string, keep: boolean) => person.window.call(runForPerson, { result: query, root, query, keep });
  await run('SELECT a FROM t', true);
  await run('SELECT 1 AS unkept', false);
  await expect(run('SELECT nosuch FROM t', true)).rejects.toMatchObject({ code: 'E_SQL' });
  person.answer = 'once';
  await run('DELETE FROM t', true);
  await person.window.close();
  person = await TestPerson.open(project);
  const { statements } = await person.window.call(queryHistory, { root });
  expect(statements).toMatchObject([
    { statement: 'DELETE FROM t', changedRows: 2, database: 'app.db' },
    { statement: 'SELECT nosuch FROM t', error: { code: 'E_SQL', message: expect.stringContaining('nosuch') } },
    { statement: 'SELECT a FROM t', rows: 2, connection: expect.any(String), ms: expect.any(Number) },
  ]);
  await person.window.call(forgetStatements, { root, id: String(statements[0]?.id) });
  const left = await person.window.call(queryHistory, { root });
  expect(left.statements).toEqual(statements.slice(1));
  await person.window.call(forgetStatements, { root });
  expect(await person.window.call(queryHistory, { root })).toEqual({ statements: [] });
});

test('an untrusted workspace runs nothing for a person either', async () => {
  const settings = windowSettings({ trusted: false });
  await person.window.call(setProjects, { projects: [{ root: project.root, settings }] });
  await expect(person.run('r', 'SELECT a FROM t')).rejects.toMatchObject({ code: 'E_UNTRUSTED_WORKSPACE' });
});

describe('rows that a person edits', () => {
  const CHANGES = [{ kind: 'update', row: 0, cells: [{ column: 1, value: 'changed' }] }] satisfies RowChange[];
  const apply = () => person.window.call(applyChanges, { result: 'r', root: project.root, changes: CHANGES });
  let file: string;

  beforeEach(async () => {
    file = project.database(
      'app.db',
      "CREATE TABLE k(id INTEGER PRIMARY KEY, a TEXT); INSERT INTO k(a) VALUES ('one')",
    );
    await person.run('r', 'SELECT * FROM k');
    await person.window.call(resultTable, { result: 'r', root: project.root });
    person.answer = 'once';
  });

  const unchanged = () => expect(rowsOf(file, 'SELECT a FROM k')).toEqual([['one']]);

  test.each([
    ['switched off', { writes: 'deny' } as const, 'E_READ_ONLY'],
    ['in a workspace that is trusted no more', { trusted: false } as const, 'E_UNTRUSTED_WORKSPACE'],
  ])('are not changed where writes are %s, and no question is asked', async (_name, settings, code) => {
    const projects = [{ root: project.root, settings: windowSettings(settings) }];
    await person.window.call(setProjects, { projects });
    await expect(apply()).rejects.toMatchObject({ code, message: expect.stringMatching(/\.$/) });
    expect(person.asked).toEqual([]);
    unchanged();
  });

  test('are changed without a question where writes are allowed', async () => {
    const projects = [{ root: project.root, settings: windowSettings({ writes: 'allow' }) }];
    await person.window.call(setProjects, { projects });
    expect(await apply()).toEqual({ applied: 1, conflicts: [], connection: expect.stringMatching(/app\.db$/) });
    expect(person.asked).toEqual([]);
    expect(rowsOf(file, 'SELECT a FROM k')).toEqual([['changed']]);
  });

  test('are changed in the database they came from, whatever the default is by now', async () => {
    // The one that is found first is the default.
    project.database('aaa.db', "CREATE TABLE k(id INTEGER PRIMARY KEY, a TEXT); INSERT INTO k(a) VALUES ('one')");
    const { databases } = await person.window.call(databaseChoices, { root: project.root });
    expect(databases.find(({ isDefault }) => isDefault)?.target).toMatch(/aaa\.db$/);
    const connection = databases.find(({ target }) => target.endsWith('app.db'))?.id;
    expect(await apply()).toEqual({ applied: 1, conflicts: [], connection });
    expect(rowsOf(file, 'SELECT a FROM k')).toEqual([['changed']]);
  });

  test.each(['table-for-person', 'change-for-person'])('%s is no tool of an agent’s', async (tool) => {
    const answer = await person.window.call(runTool, {
      call: '1',
      tool,
      input: { result: 'r', changes: CHANGES },
      client: { id: 'agent', name: 'agent' },
    });
    expect(answer).toMatchObject({ ok: false, text: expect.stringContaining('E_UNKNOWN_TOOL') });
    unchanged();
  });

  test('are not changed once their result is closed', async () => {
    await person.close('r');
    await expect(apply()).rejects.toMatchObject({ code: 'E_INVALID_REFERENCE' });
    unchanged();
  });
});

describeOnLinux('a statement', () => {
  test('ends in the database when its tab is closed while it runs', async () => {
    const first = person.whenThere('r', 1);
    const running = person.run('r', digitsQuery(12));
    const ended = expect(running).rejects.toMatchObject({ code: 'E_CANCELLED' });
    await first;
    const children = () =>
      childrenOf(person.window.process.pid ?? 0).filter(({ command }) => command.includes('sqlite-child'));
    const [child] = children();
    if (child === undefined) throw new Error('No process runs the statement.');
    await person.close('r');
    await ended;
    await until('its process is gone', () => !isRunning(child.pid));
  });
});

describeOnLinux('a million rows', () => {
  test('are kept in flat memory, read at any place, sorted and filtered', async () => {
    const pid = person.window.process.pid ?? 0;
    await person.run('small', 'SELECT a FROM t');
    const idle = memoryOf(pid).peak;
    const outcome = await person.run('million', digitsQuery(6));
    expect([outcome.rows, outcome.stopped]).toEqual([MILLION, undefined]);
    const [first] = await person.rows('million', 0, 1);
    const last = await person.rows('million', MILLION - 1, 10);
    expect([first, last]).toEqual([[0, 'some text'], [[MILLION - 1, 'some text']]]);
    const read = memoryOf(pid).peak - idle;
    const sorted = await person.window.call(arrangeRows, {
      result: 'million',
      sort: { column: 0, descending: true },
      filters: [],
    });
    expect(sorted.rows).toBe(MILLION);
    expect(await person.rows('million', 0, 3, sorted.order)).toEqual([
      [999_999, 'some text'],
      [999_998, 'some text'],
      [999_997, null],
    ]);
    expect(await person.rows('million', MILLION - 1, 1, sorted.order)).toEqual([first]);
    const filtered = await person.window.call(arrangeRows, {
      result: 'million',
      filters: [{ column: 1, is: 'null', value: '' }],
    });
    expect(filtered.rows).toBe(MILLION / 10);
    const all = memoryOf(pid).peak - idle;
    process.stdout.write(
      `a million rows: ${Math.round(read / MIB)} MiB over idle, sorted ${Math.round(all / MIB)} MiB\n`,
    );
    expect(read).toBeLessThan(60 * MIB);
    expect(all).toBeLessThan(300 * MIB);
  }, 240_000);

  test('are sorted while other calls are answered, and another order ends that and leaves nothing of it', async () => {
    await person.run('million', digitsQuery(6));
    const { root } = project;
    const askedMs: number[] = [];
    let isSorted = false;
    const first = person.window.call(arrangeRows, {
      result: 'million',
      sort: { column: 1, descending: false },
      filters: [],
    });
    const sorted = first.finally(() => {
      isSorted = true;
    });
    while (!isSorted) {
      const began = performance.now();
      await person.window.call(databaseChoices, { root });
      askedMs.push(performance.now() - began);
    }
    await sorted;
    askedMs.sort((one, other) => one - other);
    const at = (part: number) => (askedMs[Math.floor(askedMs.length * part)] ?? 0).toFixed(1);
    process.stdout.write(`beside a sort: ${askedMs.length} calls, p50 ${at(0.5)} ms, p99 ${at(0.99)} ms\n`);
    const before = filesOf();
    const ended = person.window.call(arrangeRows, {
      result: 'million',
      sort: { column: 0, descending: true },
      filters: [],
    });
    const held = expect(ended).rejects.toMatchObject({ code: 'E_INVALID_REFERENCE' });
    const few = await person.window.call(arrangeRows, {
      result: 'million',
      filters: [{ column: 0, is: 'less', value: '5' }],
    });
    await held;
    expect(few.rows).toBe(5);
    expect(filesOf()).toHaveLength(before.length);
  }, 240_000);
});
