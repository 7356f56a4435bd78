import {
  applyChanges,
  previewChanges,
  type RowChange,
  relatedRows,
  resultTable,
  tableCondition,
} from '@devdb/shared/protocol/edit-methods';
import type { RowFilter } from '@devdb/shared/protocol/result-methods';
import { enginesUnderTest, type OpenedShop, type StartedEngine } from './helpers/engines-under-test.ts';
import { TestPerson, useShop } from './helpers/person.ts';
import { type TempProject, tempProject } from './helpers/temp-project.ts';

const PARTS = `CREATE TABLE parts (
  maker VARCHAR(20) NOT NULL, nr BIGINT NOT NULL, name VARCHAR(40), price DECIMAL(20,4), stock INT DEFAULT 7 NOT NULL,
  PRIMARY KEY (maker, nr))`;
const ROWS = `INSERT INTO parts (maker, nr, name, price, stock) VALUES
  ('acme', 1, 'Anvil', 1.5000, 1), ('acme', 9007199254740993, '', NULL, 2), ('Özil', 1, NULL, 0.1000, 3),
  ('it''s', 4, 'back\\slash "quoted"', 12345678.1234, 4)`;
const SELECT = 'SELECT maker, nr, name, price, stock FROM parts ORDER BY stock';
const [MAKER, NR, NAME, PRICE, STOCK] = [0, 1, 2, 3, 4];

describe.each(enginesUnderTest(process.env))('what a person edits on $name', (engine) => {
  let started: StartedEngine;
  let shop: OpenedShop;
  let project: TempProject;
  let person: TestPerson;
  let results = 0;

  beforeAll(async () => {
    started = await engine.start();
    shop = await started.open();
    project = tempProject();
    useShop(project, engine, shop);
    person = await TestPerson.open(project);
    person.answer = 'once';
    await person.run('create', PARTS);
  }, 120_000);
  beforeEach(async () => {
    person.answer = 'once';
    await run('DELETE FROM parts');
    // MySQL reads a backslash as the start of an escape.
    await run(engine.kind === 'mysql2' ? ROWS.replace('\\', '\\\\') : ROWS);
  });
  afterAll(async () => {
    await person.window.close();
    project.remove();
    await shop.close();
    await started.stop();
  });

  /** Runs a statement under a new name. */
  async function run(query: string): Promise<string> {
    results += 1;
    const name = `result-${results}`;
    await person.run(name, query);
    return name;
  }

  async function rowsOf(query: string): Promise<unknown[]> {
    return person.rows(await run(query), 0, 100);
  }

  /** Any id: the project has one database. */
  const connection = expect.stringMatching(/./);
  const tableOf = (result: string) => person.window.call(resultTable, { result, root: project.root });
  const apply = (result: string, changes: RowChange[]) =>
    person.window.call(applyChanges, { result, root: project.root, changes });

  async function shown(query = SELECT): Promise<string> {
    const result = await run(query);
    await tableOf(result);
    return result;
  }

  test('edits, adds and deletes rows in one transaction, after one question that shows every statement', async () => {
    const result = await shown();
    const before = await person.rows(result, 0, 100);
    const changes: RowChange[] = [
      {
        kind: 'insert',
        cells: [
          { column: MAKER, value: 'new' },
          { column: NR, value: '5' },
        ],
      },
      {
        kind: 'update',
        row: 0,
        cells: [
          { column: NAME, value: "Amboß 'n' 👩‍💻 \\" },
          { column: PRICE, value: null },
        ],
      },
      { kind: 'update', row: 1, cells: [{ column: PRICE, value: '9999999999999.9999' }] },
      { kind: 'update', row: 2, cells: [{ column: NAME, value: '' }] },
      { kind: 'delete', row: 3 },
    ];
    const { statements } = await person.window.call(previewChanges, { result, changes });
    expect(statements.map(({ change }) => change)).toEqual([4, 1, 2, 3, 0]);
    expect(statements.map(({ sql }) => sql.split(' ', 1)[0])).toEqual([
      'DELETE',
      'UPDATE',
      'UPDATE',
      'UPDATE',
      'INSERT',
    ]);
    person.answer = 'no';
    const asked = person.asked.length;
    await expect(apply(result, changes)).rejects.toMatchObject({ code: 'E_APPROVAL_DENIED' });
    expect(person.asked).toHaveLength(asked + 1);
    expect(person.asked[asked]).toMatchObject({ parts: { statement: statements.map(({ sql }) => sql).join(';\n') } });
    expect(await rowsOf(SELECT)).toEqual(before);
    person.answer = 'once';
    expect(await apply(result, changes)).toEqual({ applied: 5, conflicts: [], connection });
    expect((await rowsOf(SELECT)).map(textsOf)).toEqual([
      ['acme', '1', "Amboß 'n' 👩‍💻 \\", 'NULL', '1'],
      ['acme', '9007199254740993', '', expect.stringMatching(/^(?:9999999999999\.9999|10000000000000)$/), '2'],
      ['Özil', '1', '', expect.stringMatching(/^0\.10*$/), '3'],
      ['new', '5', 'NULL', 'NULL', '7'],
    ]);
  });

  test.each([
    ['a value', "UPDATE parts SET name = 'ANVIL' WHERE stock = 1", /name is now "ANVIL"/],
    ['NULL', 'UPDATE parts SET name = NULL WHERE stock = 1', /name is now NULL/],
    ['a space at the end', "UPDATE parts SET name = 'Anvil ' WHERE stock = 1", /name is now "Anvil "/],
    ['the row itself', 'DELETE FROM parts WHERE stock = 1', /gone/],
  ])(
    'changes nothing when somebody has changed %s meanwhile, and says what the row is now',
    async (_, other, message) => {
      const result = await shown();
      await run(other);
      const before = await rowsOf(SELECT);
      const changes: RowChange[] = [
        { kind: 'update', row: 1, cells: [{ column: NAME, value: 'other' }] },
        { kind: 'update', row: 0, cells: [{ column: NAME, value: 'mine' }] },
        {
          kind: 'insert',
          cells: [
            { column: MAKER, value: 'x' },
            { column: NR, value: '1' },
          ],
        },
      ];
      const outcome = await apply(result, changes);
      expect(outcome).toEqual({
        applied: 0,
        conflicts: [{ change: 1, message: expect.stringMatching(message) }],
        connection,
      });
      expect(await rowsOf(SELECT)).toEqual(before);
      // What was in no conflict can be applied again as it is.
      expect(await apply(result, changes.slice(0, 1))).toMatchObject({ applied: 1 });
    },
  );

  test('a row that has changed in any column is not deleted', async () => {
    const result = await shown();
    await run('UPDATE parts SET price = 1.5001 WHERE stock = 1');
    const outcome = await apply(result, [
      { kind: 'delete', row: 1 },
      { kind: 'delete', row: 0 },
    ]);
    expect(outcome.conflicts).toEqual([{ change: 1, message: expect.stringMatching(/price is now .*1\.5001/) }]);
    expect(await rowsOf(SELECT)).toHaveLength(4);
  });

  test('a change of another column does not stand in the way', async () => {
    const result = await shown();
    await run('UPDATE parts SET price = 3 WHERE stock = 1');
    const changes: RowChange[] = [{ kind: 'update', row: 0, cells: [{ column: NAME, value: 'Amboss' }] }];
    expect(await apply(result, changes)).toMatchObject({ applied: 1 });
  });

  test('changes the parts of a key, and gives a key of a deleted row to another one', async () => {
    const result = await shown();
    const outcome = await apply(result, [
      {
        kind: 'update',
        row: 0,
        cells: [
          { column: MAKER, value: "it's" },
          { column: NR, value: '4' },
        ],
      },
      { kind: 'delete', row: 3 },
    ]);
    expect(outcome).toMatchObject({ applied: 2 });
    expect((await rowsOf(SELECT)).map(textsOf)[0]?.slice(0, 3)).toEqual(["it's", '4', 'Anvil']);
  });

  test('a mistake in one value changes nothing, and the error is the database’s own or ours', async () => {
    const result = await shown();
    const before = await rowsOf(SELECT);
    const error = await apply(result, [
      { kind: 'update', row: 1, cells: [{ column: NAME, value: 'fine' }] },
      { kind: 'update', row: 0, cells: [{ column: MAKER, value: null }] },
    ]).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'E_SQL' });
    expect(await rowsOf(SELECT)).toEqual(before);
  });

  test('a result that was sorted says which of its rows is which', async () => {
    const result = await shown('SELECT * FROM parts ORDER BY stock DESC');
    const table = await tableOf(result);
    expect(table).toMatchObject({ name: 'parts', links: [] });
    expect(table.refusal).toBeUndefined();
    expect(table.columns.map(({ isKey }) => isKey)).toEqual([true, true, false, false, false]);
    expect(await apply(result, [{ kind: 'update', row: 3, cells: [{ column: STOCK, value: '10' }] }])).toMatchObject({
      applied: 1,
    });
    expect(await rowsOf("SELECT stock FROM parts WHERE name = 'Anvil'")).toEqual([[10]]);
  });

  test.each([
    ['without the whole key', 'SELECT maker, name FROM parts', /lacks nr/],
    ['of a view', 'SELECT * FROM order_totals', /view/],
    ['of a table without a key', noKeyQuery(engine.kind), /no primary key/],
  ])('says why rows %s are not edited', async (_, query, message) => {
    const result = await run(query);
    expect((await tableOf(result)).refusal).toMatch(message);
    const error = await apply(result, [{ kind: 'delete', row: 0 }]).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'E_NOT_SUPPORTED', message: expect.stringMatching(message) });
  });

  test.each([
    'SELECT p.maker, p.nr FROM parts p, parts q',
    'SELECT maker, nr FROM parts UNION SELECT maker, nr FROM parts',
    'SELECT maker, nr, count(*) FROM parts GROUP BY maker, nr',
    'SELECT DISTINCT maker, nr FROM parts',
    'SELECT nr AS maker, 1 AS nr FROM parts',
    "SELECT 'parts' AS maker",
  ])('does not take %s for rows of one table', async (query) => {
    const result = await run(query);
    const table = await tableOf(result);
    expect([table.name, table.refusal, table.columns]).toEqual([undefined, undefined, []]);
    await expect(apply(result, [{ kind: 'delete', row: 0 }])).rejects.toMatchObject({ code: 'E_NOT_SUPPORTED' });
  });

  test('every value of the shop can be typed again as it is shown, and stays what it is', async () => {
    const tables = await shop.session.tables(AbortSignal.timeout(60_000));
    let edited = 0;
    for (const name of tables) {
      const from = name.split('.').map(shop.session.literals.name).join('.');
      if (/broken|hidden/.test(name)) continue;
      const result = await run(`SELECT * FROM ${from}`);
      const table = await tableOf(result);
      if (table.name === undefined || table.refusal !== undefined) continue;
      const rows = await person.rows(result, 0, 100);
      const changes = rows.flatMap((row, at) => changeToSame(row, at, table.columns));
      if (changes.length === 0) continue;
      expect(await apply(result, changes)).toEqual({ applied: changes.length, conflicts: [], connection });
      expect(await person.rows(await run(`SELECT * FROM ${from}`), 0, 100)).toEqual(rows);
      edited += changes.length;
    }
    expect(edited).toBeGreaterThan(10);
  });

  test('a row with every type of the shop is deleted by the values it shows', async () => {
    await run('DELETE FROM shipments');
    if (engine.kind === 'postgres' || engine.kind === 'mssql') await run('DELETE FROM billing.invoices');
    const result = await run('SELECT * FROM order_lines');
    await tableOf(result);
    const before = await person.rows(result, 0, 100);
    const { applied } = await apply(
      result,
      before.map((_row, at) => ({ kind: 'delete', row: at })),
    );
    expect(applied).toBe(before.length);
    const customers = await run('SELECT * FROM customers');
    await tableOf(customers);
    const rows = await person.rows(customers, 0, 100);
    await run('DELETE FROM orders');
    const outcome = await apply(
      customers,
      rows.map((_row, at) => ({ kind: 'delete', row: at })),
    );
    expect(outcome).toEqual({ applied: rows.length, conflicts: [], connection });
    expect(await rowsOf('SELECT * FROM customers')).toEqual([]);
  });

  test('follows a foreign key to the row it refers to, which can be edited in turn', async () => {
    await run(
      `INSERT INTO customers (${engine.kind === 'mssql' ? 'id, ' : ''}email) VALUES (${engine.kind === 'mssql' ? '77, ' : ''}'follow@example.com')`,
    );
    const [[id] = []] = await rowsOf("SELECT id FROM customers WHERE email = 'follow@example.com'").then((rows) =>
      rows.filter(Array.isArray),
    );
    await run(`INSERT INTO orders (customer_id, placed_at, status) VALUES (${id}, '2024-01-02', 'new')`);
    const result = await run(`SELECT id, customer_id, referrer_id FROM orders WHERE customer_id = ${id}`);
    const table = await tableOf(result);
    expect(table.links).toContainEqual({ columns: [1], table: 'customers' });
    const which = 'referenced';
    const { query } = await person.window.call(relatedRows, { result, row: 0, column: 1, which });
    const followed = await run(query);
    expect(await person.rows(followed, 0, 10)).toMatchObject([expect.arrayContaining(['follow@example.com'])]);
    expect(await tableOf(followed)).toMatchObject({ name: 'customers' });
    for (const column of [0, 2]) {
      await expect(person.window.call(relatedRows, { result, row: 0, column, which })).rejects.toMatchObject({
        code: 'E_INVALID_PARAMS',
      });
    }
  });

  test.each<[string, RowFilter, readonly number[]]>([
    ['has a text in any case', { column: NAME, is: 'contains', value: 'ANV' }, [1]],
    ['has a letter beyond ASCII in any case', { column: MAKER, is: 'contains', value: 'öZ' }, [3]],
    ['has digits of a number', { column: NR, is: 'contains', value: '0993' }, [2]],
    ['has what a statement would have to quote', { column: MAKER, is: 'contains', value: "T'S" }, [4]],
    ['has a backslash', { column: NAME, is: 'contains', value: '\\SLASH "' }, [4]],
    ['is an exact number', { column: NR, is: 'equals', value: '9007199254740993' }, [2]],
    ['is a decimal', { column: PRICE, is: 'equals', value: '1.5' }, [1]],
    ['is an empty text', { column: NAME, is: 'equals', value: '' }, [2]],
    ['is less', { column: PRICE, is: 'less', value: '1.5' }, [3]],
    ['is greater', { column: PRICE, is: 'greater', value: '0.1' }, [1, 4]],
    ['is NULL', { column: NAME, is: 'null', value: '' }, [3]],
    ['is not NULL', { column: PRICE, is: 'not-null', value: '' }, [1, 3, 4]],
    ['has a text in any column', { is: 'contains', value: 'back' }, [4]],
    ['is NULL in any column', { is: 'null', value: '' }, [2, 3]],
  ])('the database finds the rows of the table where a value %s', async (_what, filter, stocks) => {
    // The result shows none of them.
    const result = await run(SELECT.replace(' ORDER', ' WHERE stock > 99 ORDER'));
    const { condition } = await person.window.call(tableCondition, { result, root: project.root, filters: [filter] });
    const found = await rowsOf(`SELECT stock FROM parts WHERE ${condition} ORDER BY stock`);
    expect(found).toEqual(stocks.map((stock) => [stock]));
  });

  test('a filter of a result that shows no table is refused', async () => {
    const result = await run('SELECT count(*) FROM parts');
    const filters: RowFilter[] = [{ column: 0, is: 'greater', value: '1' }];
    const asked = person.window.call(tableCondition, { result, root: project.root, filters });
    await expect(asked).rejects.toMatchObject({ code: 'E_NOT_SUPPORTED' });
  });

  test('reads all rows of the table with the value of a cell, NULL included', async () => {
    const result = await run("SELECT id, status, referrer_id FROM orders WHERE status = 'new'");
    expect(await tableOf(result)).toMatchObject({ name: 'orders' });
    for (const column of [1, 2]) {
      const { query } = await person.window.call(relatedRows, { result, row: 0, column, which: 'same-value' });
      const condition = column === 1 ? "status = 'new'" : 'referrer_id IS NULL';
      const [[count] = []] = await rowsOf(`SELECT count(*) FROM orders WHERE ${condition}`).then((rows) =>
        rows.filter(Array.isArray),
      );
      const all = await run(query);
      expect(await person.rows(all, 0, 1_000)).toHaveLength(Number(count));
      expect(await tableOf(all)).toMatchObject({ name: 'orders' });
    }
  });

  test('what the database gives and what is binary is not edited', async () => {
    const table = await tableOf(await run('SELECT sku, label, title FROM products'));
    expect(table.columns.map(({ refusal }) => refusal !== undefined)).toEqual([false, true, false]);
    const photos = await run('SELECT id, photo FROM customers');
    expect((await tableOf(photos)).columns[1]?.refusal).toMatch(/binary/);
  });
});

function noKeyQuery(kind: string): string {
  const [open, close] = { mysql2: ['`', '`'], mssql: ['[', ']'] }[kind] ?? ['"', '"'];
  const name = { mysql2: 'odd ``name`` [x]', mssql: 'odd "name" [x]]', sqlite: 'odd ""name"" [x]' }[kind];
  return `SELECT * FROM ${open}${name ?? 'odd ""name"" [x]'}${close}`;
}

function textsOf(row: unknown): string[] {
  if (!Array.isArray(row)) throw new Error('A row is no list of cells.');
  return row.map((cell: unknown) => (cell === null ? 'NULL' : String(cell)));
}

/** Each of its cells that can be edited, as the text that is shown. */
function changeToSame(
  row: unknown,
  at: number,
  columns: readonly { readonly refusal?: string | undefined }[],
): RowChange[] {
  if (!Array.isArray(row)) throw new Error('A row is no list of cells.');
  const cells = row.flatMap((cell: unknown, column) => {
    // SQLite keeps bytes that are no text, and MySQL dates that its strict mode does not take: they cannot be typed.
    const isEdited = columns[column]?.refusal === undefined && !/\uFFFD|^0000-00-00/.test(String(cell));
    return typeof cell === 'object' || !isEdited ? [] : { column, value: String(cell) };
  });
  return cells.length === 0 ? [] : [{ kind: 'update', row: at, cells }];
}
