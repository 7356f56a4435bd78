import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { browse } from '@devdb/shared/protocol/browse-methods';
import { explainForPerson } from '@devdb/shared/protocol/plan-methods';
import {
  arrangeRows,
  copyRows,
  databaseChoices,
  exportForPerson,
  exportResult,
  formatStatements,
  readCell,
  schemaNames,
  splitStatements,
  tableNameAt,
} from '@devdb/shared/protocol/result-methods';
import { schemaGraphSchema } from '@devdb/shared/protocol/schema-graph';
import { runTool } from '@devdb/shared/protocol/sidecar-methods';
import { enginesUnderTest, type OpenedShop, type StartedEngine } from './helpers/engines-under-test.ts';
import { digitsQuery, TestPerson, useShop } from './helpers/person.ts';
import { until } from './helpers/processes.ts';
import { readOf } from './helpers/statements.ts';
import { type TempProject, tempProject } from './helpers/temp-project.ts';

const CAPS = { rows: 500, bytes: 1024 * 1024, cellBytes: 1024 * 1024 };
/** Without decimals: MySQL's own file has the zeros at their end, which a result on show has not. */
const EXACT = 'SELECT id, loyalty_id, active, photo, name FROM customers ORDER BY id';
const CUSTOMERS = 'SELECT id, loyalty_id, active, photo, name, balance FROM customers ORDER BY id';

/** A statement that another engine would take for two, or would not read; and a name in the engine's own quotes. */
const FOREIGN = {
  sqlite: { text: 'SELECT [a;b] FROM customers;', name: '[a]' },
  mysql2: { text: "SELECT 'a\\'; b' # c; d\nFROM customers;", name: '`a`' },
  postgres: { text: 'SELECT $x$ a; b $x$ /* c /* ; */ ; */ FROM customers;', name: 'a' },
  mssql: { text: 'SELECT [a]];b] FROM customers;', name: '[a]' },
} as const;

describe.each(enginesUnderTest(process.env))('what a person runs on $name', (engine) => {
  let started: StartedEngine;
  let shop: OpenedShop;
  let project: TempProject;
  let person: TestPerson;

  beforeAll(async () => {
    started = await engine.start();
    shop = await started.open();
    project = tempProject();
    useShop(project, engine, shop);
    person = await TestPerson.open(project);
  }, 120_000);
  afterAll(async () => {
    await person.window.close();
    project.remove();
    await shop.close();
    await started.stop();
  });

  const signal = () => AbortSignal.timeout(60_000);

  test('gives every value as a query does: large integers, NULL and empty text apart, binary', async () => {
    const outcome = await person.run('values', CUSTOMERS);
    const expected = await readOf(shop.session, CUSTOMERS, CAPS, signal());
    if (expected.kind !== 'rows') throw new Error('A read was taken for a write.');
    expect(outcome).toMatchObject({ rows: expected.rows.rows.length, database: expect.any(String) });
    expect(outcome.columns.map(({ name }) => name)).toEqual(expected.rows.columns.map(({ name }) => name));
    expect(await person.rows('values', 0, 100)).toEqual(expected.rows.rows);
    expect(await person.rows('values', 1, 1)).toEqual([expected.rows.rows[1]]);
    expect(await person.rows('values', 1_000, 10)).toEqual([]);
  });

  test('an empty result has its columns, and a mistake the code and the words of the database', async () => {
    const empty = await person.run('empty', 'SELECT id, name FROM customers WHERE id < 0');
    expect([empty.rows, empty.columns.map(({ name }) => name)]).toEqual([0, ['id', 'name']]);
    await expect(person.run('mistake', 'SELECT nosuch FROM customers')).rejects.toMatchObject({ code: 'E_SQL' });
    await expect(person.rows('mistake', 0, 10)).resolves.toEqual([]);
  });

  test('shows its first rows while it runs; a cancel ends it, and the rows so far stay', async () => {
    const cancel = new AbortController();
    const first = person.whenThere('endless', 1);
    const running = person.run('endless', digitsQuery(12), cancel.signal);
    const ended = expect(running).rejects.toMatchObject({ code: 'E_CANCELLED' });
    expect((await first).columns.map(({ name }) => name)).toEqual(['n', 'label']);
    const [row] = await person.rows('endless', 0, 1);
    expect(row).toHaveLength(2);
    cancel.abort();
    await ended;
    expect(await person.rows('endless', 0, 1)).toEqual([row]);
    await person.close('endless');
    await expect(person.rows('endless', 0, 1)).rejects.toMatchObject({ code: 'E_INVALID_REFERENCE' });
  });

  test('a write is shown to the person and not run on no; on yes its number of rows is reported', async () => {
    const before = person.asked.length;
    person.answer = 'no';
    const write = "UPDATE customers SET name = 'Changed' WHERE id = 3";
    await expect(person.run('refused', write)).rejects.toMatchObject({ code: 'E_APPROVAL_DENIED' });
    expect(person.asked).toHaveLength(before + 1);
    expect(person.asked[before]).toMatchObject({ parts: { statement: write } });
    expect(person.asked[before]?.message).toMatch(/Effect: .*\b1 row\b/);
    await person.run('unchanged', "SELECT id FROM customers WHERE name = 'Changed'");
    expect(await person.rows('unchanged', 0, 1)).toEqual([]);
    person.answer = 'once';
    expect(await person.run('changed', write)).toMatchObject({ affectedRows: 1, rows: 0 });
    await person.run('after', 'SELECT name FROM customers WHERE id = 3');
    expect(await person.rows('after', 0, 1)).toEqual([['Changed']]);
  });

  test('is sorted and filtered by value: numbers as numbers, NULL first, equal ones as they came', async () => {
    await person.run('numbers', engine.numbersTo(50_000));
    const arrange = (descending: boolean, value: string) =>
      person.window.call(arrangeRows, {
        result: 'numbers',
        sort: { column: 0, descending },
        filters: [{ column: 0, is: 'contains', value }],
      });
    const down = await arrange(true, '9');
    expect(down.rows).toBe(
      Array.from({ length: 50_000 }, (_, at) => String(at + 1)).filter((it) => it.includes('9')).length,
    );
    expect(await person.rows('numbers', 0, 3, down.order)).toEqual([[49_999], [49_998], [49_997]]);
    const up = await arrange(false, '');
    expect(await person.rows('numbers', 9, 2, up.order)).toEqual([[10], [11]]);
    await expect(person.rows('numbers', 0, 1, down.order)).rejects.toMatchObject({ code: 'E_INVALID_REFERENCE' });
    const plain = await person.window.call(arrangeRows, { result: 'numbers', filters: [] });
    expect(plain.rows).toBe(50_000);
    expect(await person.rows('numbers', 49_999, 1, plain.order)).toEqual([[50_000]]);
  });

  test('is exported as it is sorted and filtered, until it is sorted anew', async () => {
    await person.run('exported', engine.numbersTo(50_000));
    const filters = [{ column: 0, is: 'contains' as const, value: '9' }];
    const { order } = await person.window.call(arrangeRows, {
      result: 'exported',
      sort: { column: 0, descending: true },
      filters,
    });
    const target = { call: 'export', root: project.root, path: 'out/down.csv', format: 'csv' } as const;
    const written = await person.window.call(exportResult, { ...target, result: 'exported', order });
    const expected = Array.from({ length: 50_000 }, (_, at) => String(50_000 - at)).filter((it) => it.includes('9'));
    expect(written).toEqual({ path: 'out/down.csv', rows: expected.length });
    expect(readFileSync(join(project.root, 'out', 'down.csv'), 'utf8')).toBe(`${['i', ...expected].join('\r\n')}\r\n`);
    await person.window.call(arrangeRows, { result: 'exported', filters: [] });
    const late = person.window.call(exportResult, { ...target, path: 'out/late.csv', result: 'exported', order });
    await expect(late).rejects.toMatchObject({ code: 'E_INVALID_REFERENCE' });
    await person.close('exported');
    expect(readdirSync(join(project.root, 'out'))).toEqual(['down.csv']);
  });

  test.each(['csv', 'jsonl'] as const)('a sorted result is exported as the database writes it: %s', async (format) => {
    const result = `sorted-${format}`;
    await person.run(result, EXACT);
    const { order } = await person.window.call(arrangeRows, {
      result,
      sort: { column: 0, descending: false },
      filters: [],
    });
    const target = { call: 'export', root: project.root, format };
    const [ours, theirs] = [`${result}-ours.${format}`, `${result}-theirs.${format}`];
    await person.window.call(exportResult, { ...target, path: ours, result, order });
    await person.window.call(exportForPerson, { ...target, path: theirs, query: EXACT });
    const [own, other] = [ours, theirs].map((path) => readFileSync(join(project.root, path), 'utf8'));
    expect(own?.length).toBeGreaterThan(100);
    expect(own).toBe(other);
  });

  test('what is copied as INSERT means the same to the database', async () => {
    await person.run('source', 'SELECT id, email, loyalty_id, photo, name FROM customers ORDER BY id');
    const columns = [0, 1, 2, 3, 4];
    const ask = { result: 'source', order: 0, from: 0, count: 10, columns, form: 'insert', heads: true } as const;
    const { text, isCut } = await person.window.call(copyRows, ask);
    expect(isCut).toBe(false);
    person.answer = 'once';
    for (const [at, line] of text.trimEnd().split('\n').entries()) {
      const renamed = line.replace('table_name', 'customers').replace('@', '@copy.').replace(/;$/, '');
      await person.run(`insert-${at}`, renamed.replace('VALUES (', 'VALUES (1000 + '));
    }
    const written = 'SELECT loyalty_id, photo, name FROM customers WHERE id';
    await person.run('copies', `${written} > 1000 ORDER BY id`);
    await person.run('originals', `${written} < 1000 ORDER BY id`);
    const originals = await person.rows('originals', 0, 100);
    expect(originals.length).toBeGreaterThan(1);
    expect(await person.rows('copies', 0, 100)).toEqual(originals);
  });

  test('a long cell is shown in part, and whole in the cell viewer', async () => {
    await person.run('blob', engine.blobOf(100_000));
    expect(await person.rows('blob', 0, 1)).toEqual([[{ bytes: 100_000, hex: 'ff'.repeat(32) }]]);
    const cell = await person.window.call(readCell, { result: 'blob', order: 0, row: 0, column: 0 });
    expect(cell).toEqual({ kind: 'binary', text: 'ff'.repeat(100_000), length: 100_000, isCut: false });
  });

  test('explains a statement without running it, and measures a read alone', async () => {
    const ask = { root: project.root, query: CUSTOMERS, analyze: false };
    const plan = await person.window.call(explainForPerson, ask);
    expect(plan).toMatchObject({ database: expect.any(String), isRead: true, analyzed: false, isSourceCut: false });
    expect(JSON.stringify(plan.plan)).toContain('"table":"customers"');
    expect(plan.source).toContain('customers');
    const hasCosts = /"cost":[\d.]+/.test(JSON.stringify(plan.plan));
    expect(hasCosts).toBe(engine.name !== 'sqlite' && engine.name !== 'mariadb');
    const measured = await person.window.call(explainForPerson, { ...ask, analyze: true });
    expect(measured).toMatchObject({ analyzed: true, measured: { rows: expect.any(Number) } });
    const write = { ...ask, query: 'DELETE FROM customers WHERE id = 1' };
    expect(await person.window.call(explainForPerson, write)).toMatchObject({ isRead: false, analyzed: false });
    const run = person.window.call(explainForPerson, { ...write, analyze: true });
    await expect(run).rejects.toMatchObject({ code: 'E_READ_ONLY' });
    await person.run('kept', 'SELECT id FROM customers WHERE id = 1');
    expect(await person.rows('kept', 0, 2)).toHaveLength(1);
  });

  test.each([
    ['run-for-person', { result: 'values', query: 'SELECT 1' }],
    ['explain-for-person', { query: 'SELECT 1', analyze: false }],
    ['diagram-for-person', {}],
  ])("%s is no tool of an agent's", async (tool, input) => {
    const client = { id: 'agent', name: 'agent' };
    const answer = await person.window.call(runTool, { call: '1', tool, input, client });
    expect(answer).toMatchObject({ ok: false, text: expect.stringContaining('E_UNKNOWN_TOOL') });
  });

  test('tells the schema as a graph: whole, or the named tables alone', async () => {
    const { root } = project;
    const draw = async (input: Readonly<Record<string, boolean | string[]>>) => {
      const { data } = await person.window.call(browse, { root, tool: 'diagram-for-person', input });
      return schemaGraphSchema().parse(data);
    };
    const whole = await draw({});
    expect(whole.left).toBe(0);
    const orders = whole.tables.find(({ name }) => name === 'orders');
    const key = { columns: ['customer_id'], parent: 'customers', parentColumns: ['id'], isGuessed: false };
    expect(orders?.keys).toContainEqual(key);
    const alone = await draw({ tables: ['orders'], only: true });
    expect(alone.tables).toEqual([{ ...orders, keys: [] }]);
    await expect(draw({ tables: ['nosuch'] })).rejects.toMatchObject({ code: 'E_UNKNOWN_TABLE' });
  });

  test('names the databases to choose from, and the tables and columns of one', async () => {
    const { root } = project;
    const { databases } = await person.window.call(databaseChoices, { root });
    expect(databases).toMatchObject([{ isDefault: true, name: expect.any(String), target: expect.any(String) }]);
    const { tables } = await person.window.call(schemaNames, { root });
    const customers = tables.find(({ name }) => name === 'customers');
    expect(customers?.columns).toEqual(expect.arrayContaining([expect.stringMatching(/^loyalty_id bigint/i)]));
    const text = 'SELECT 1;\nSELECT 2';
    const { spans } = await person.window.call(splitStatements, { root, text });
    expect(spans.map(({ start, end }) => text.slice(start, end))).toEqual(['SELECT 1', 'SELECT 2']);
  });

  test('formats statements in the dialect of the database, and leaves a text that it cannot read', async () => {
    const { root } = project;
    const indent = { size: 4, tabs: false };
    const format = (text: string, from = 0, to = text.length) =>
      person.window.call(formatStatements, { root, text, from, to, indent });
    const { text, name } = FOREIGN[engine.kind];
    const sql = `select ${name} from customers; -- c\n${text}`;
    expect(await format(sql, 0, 1)).toEqual({
      edits: [{ start: 0, end: sql.indexOf(';'), text: `select\n    ${name}\nfrom\n    customers` }],
    });
    expect((await format(sql)).edits.length).toBeGreaterThanOrEqual(1);
    expect(await format('')).toEqual({ edits: [] });
    await expect(format("select 1;\nselect 'open")).rejects.toMatchObject({ code: 'E_SQL' });
    await expect(format('select (1 from customers')).rejects.toMatchObject({ code: 'E_SQL' });
  });

  test('reads a text as its database does: statements, and the tables that they name', async () => {
    const { root } = project;
    const { text, name } = FOREIGN[engine.kind];
    const { spans } = await person.window.call(splitStatements, { root, text });
    expect(spans.map(({ start, end }) => text.slice(start, end))).toEqual([text.slice(0, text.lastIndexOf(';'))]);
    const query = `SELECT 1; SELECT ${name} FROM customers c`;
    const at = (offset: number) => person.window.call(tableNameAt, { root, text: query, offset });
    const start = query.indexOf('customers');
    expect(await at(start + 3)).toEqual({ name: { start, end: start + 9, path: ['customers'] } });
    expect(await at(query.length)).toEqual({});
    expect(await at(0)).toEqual({});
  });

  test('leaves no file behind when its tabs are closed', async () => {
    const before = person.files().length;
    await person.run('file', 'SELECT id FROM customers');
    expect(person.files()).toHaveLength(before + 1);
    await person.close('file');
    await until('the file is removed', () => person.files().length === before);
  });
});
