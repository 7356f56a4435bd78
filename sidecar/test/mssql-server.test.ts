import { AppError } from '@devdb/shared/errors';
import { testOn } from '../../fixtures/labs/needs.ts';
import type { Bindings } from '../src/engines/engine.ts';
import { batches, batchesOf, type MssqlDatabase, type MssqlLab, mssqlLab } from './helpers/mssql-lab.ts';
import { CAPS, patience } from './helpers/mssql-peer.ts';
import { checkOf, explainOf, previewOf, readOf, writeOf } from './helpers/statements.ts';

/**
 * Runs only with a real SQL Server; otherwise these tests are skipped and listed, and the peer's suites are the only
 * coverage.
 */
const server = testOn('mssql');
let lab: MssqlLab;
let shop: MssqlDatabase | undefined;

beforeAll(async () => {
  const found = await mssqlLab();
  if (found === undefined) throw new Error('The SQL Server of the environment was left out.');
  lab = found;
  shop = await lab.database([...batchesOf('01-schema.sql'), ...batchesOf('02-rows.sql')]);
}, 300_000);

// A failed set-up has already reported why.
afterAll(() => shop?.drop());

function onServer(name: string, run: (shop: MssqlDatabase, lab: MssqlLab) => Promise<void>): void {
  server(name, () => {
    if (shop === undefined) throw new Error('The shop was not set up.');
    return run(shop, lab);
  });
}

async function rowsOf({ session }: MssqlDatabase, sql: string): Promise<unknown> {
  const outcome = await readOf(session, sql, CAPS, patience());
  return outcome.kind === 'rows' ? outcome.rows.rows : outcome;
}

describe('on a SQL Server', () => {
  onServer('values arrive whole', async (database) => {
    expect(await rowsOf(database, 'SELECT balance, loyalty_id, photo, created_at FROM customers ORDER BY id')).toEqual([
      ['10.2500000000', '9223372036854775807', { bytes: 3, hex: '00ff10' }, '2024-03-10 02:30:00.0000000 +00:00'],
      [null, '9007199254740993', null, '2024-03-10 02:30:00.1234567 +00:00'],
      ['-0.5000000000', '-9223372036854775808', { bytes: 0, hex: '' }, '2024-12-31 23:59:59.0000000 +05:45'],
      ['12345678901234567890.1234567890', 0, { bytes: 16, hex: '00'.repeat(16) }, '0001-01-01 00:00:00.0000000 +00:00'],
    ]);
    expect(await rowsOf(database, 'SELECT price, weight FROM products ORDER BY sku')).toEqual([
      ['49.9900', 12],
      ['2.5000', '2 kg'],
      ['0.0000', 0.25],
    ]);
    expect(
      await rowsOf(database, "SELECT CAST(922337203685477.5807 AS money), CAST(0x00ff AS varbinary(8)), N'値'"),
    ).toEqual([['922337203685477.5807', { bytes: 2, hex: '00ff' }, '値']]);
  });

  onServer('a declaration runs on an empty database and gives the same table', async (database, { database: make }) => {
    const names = (await database.session.tables(patience())).filter((name) => name !== 'order_totals');
    const texts = new Map<string, string>();
    for (const name of names) texts.set(name, await database.session.schema(name, patience()));
    const copy = await make(batches([...texts.values()].map(withoutForeignKeys).join('\nGO\n')));
    const keys = [...texts.values()].flatMap((text) => text.split('\n').filter((line) => line.includes('FOREIGN KEY')));
    for (const key of keys) await copy.rows(key);
    for (const [name, text] of texts) expect(await copy.session.schema(name, patience())).toBe(text);
    await copy.drop();
  });

  onServer('the guard leaves nothing behind, and a write is committed', async (database) => {
    const preview = await previewOf(database.session, "UPDATE customers SET name = N'x' WHERE id = 1", patience());
    expect(preview.affectedRows).toBe(1);
    expect(await rowsOf(database, 'SELECT name FROM customers WHERE id = 1')).toEqual([['Ann']]);
    const done = await writeOf(
      database.session,
      "UPDATE customers SET name = N'Ann' WHERE id = 1",
      CAPS,
      1,
      patience(),
    );
    expect(done).toMatchObject({ kind: 'done', rows: { affectedRows: 1 } });
    const insert = await previewOf(
      database.session,
      "INSERT INTO orders (customer_id, placed_at) VALUES (1, '2024-01-01')",
      patience(),
    );
    expect(insert.affectedRows).toBeUndefined();
  });

  onServer('a statement is compiled, explained and measured', async ({ session }) => {
    await checkOf(session, 'SELECT * FROM orders', patience());
    await expect(checkOf(session, 'SELECT no_such FROM orders', patience())).rejects.toMatchObject({ code: 'E_SQL' });
    expect((await explainOf(session, 'SELECT * FROM orders WHERE id = 1', false, patience())).plan).not.toEqual([]);
    expect(await explainOf(session, 'SELECT * FROM orders', true, patience())).toMatchObject({
      analyzed: true,
      measured: { rows: 3 },
    });
  });

  onServer('a time-out stops what runs', async ({ session }) => {
    const slow = 'SELECT count_big(*) FROM sys.all_columns a CROSS JOIN sys.all_columns b CROSS JOIN sys.all_columns c';
    const stop = AbortSignal.timeout(500);
    await expect(readOf(session, slow, CAPS, stop)).rejects.toBeDefined();
  });

  onServer('the overview, the search and the facts are what the server says', async ({ session }) => {
    const { tables, foreignKeys } = await session.overview(undefined, patience());
    expect(tables.find(({ name }) => name === 'customers')).toMatchObject({ rows: 4, comment: 'who buys' });
    expect(foreignKeys).toContain('billing.invoices(order_id, line_no) -> order_lines(order_id, line_no)');
    expect((await session.search('close_order', 'routine', patience())).total).toBe(1);
    expect((await session.facts(patience())).type).toBe('mssql');
  });

  onServer(
    'values are bound: a text of any characters stays one, numbers and dates keep their digits',
    async ({ session }) => {
      const read = async (sql: string, params: Bindings): Promise<unknown> => {
        const outcome = await readOf(session, sql, CAPS, patience(), params);
        return outcome.kind === 'rows' ? outcome.rows.rows : outcome;
      };
      const evil = "' OR 1=1; DELETE FROM order_lines -- :id \0 👩‍💻";
      expect(await read('SELECT :text AS t', { text: { type: 'string', value: evil } })).toEqual([[evil]]);
      const ids = 'SELECT id FROM customers WHERE loyalty_id = :v AND (:none IS NULL OR id = :none)';
      const none = { type: 'integer', value: null } as const;
      for (const type of ['string', 'integer'] as const) {
        expect(await read(ids, { v: { type, value: '9007199254740993' }, none })).toEqual([[2]]);
      }
      const since = { type: 'string', value: '2024-02-01' } as const;
      expect(await read('SELECT count(*) AS n FROM orders WHERE placed_at >= :since', { since })).toEqual([[2]]);
      const top = { type: 'integer', value: 2 } as const;
      expect(await read('SELECT TOP (:top) id FROM customers ORDER BY id', { top })).toEqual([[1], [2]]);
      const sql = 'UPDATE customers SET name = :name WHERE id = :id';
      const params: Bindings = { name: { type: 'string', value: 'Ann' }, id: { type: 'integer', value: 1 } };
      await checkOf(session, sql, patience(), params);
      expect(await previewOf(session, sql, patience(), params)).toMatchObject({ affectedRows: 1 });
      expect(await writeOf(session, sql, CAPS, 1, patience(), params)).toMatchObject({ kind: 'done' });
      const estimated = `INSERT INTO orders (customer_id, placed_at) SELECT id, :at FROM customers WHERE id = :id`;
      const at = { type: 'string', value: '2024-01-01' } as const;
      expect((await previewOf(session, estimated, patience(), { ...params, at })).estimate).toMatch(/rows/);
      await expect(
        checkOf(session, 'SELECT nmae FROM customers WHERE id = :id', patience(), params),
      ).rejects.toMatchObject({ code: 'E_SQL' });
    },
  );

  onServer('an unknown table is reported with similar names', async ({ session }) => {
    const error: unknown = await readOf(session, 'SELECT * FROM costumers', CAPS, patience()).catch(
      (thrown: unknown) => thrown,
    );
    expect(error instanceof AppError && [error.code, error.hint]).toEqual([
      'E_UNKNOWN_TABLE',
      expect.stringContaining('customers'),
    ]);
  });
});

function withoutForeignKeys(text: string): string {
  return text
    .split('\n')
    .filter((line) => !line.includes('FOREIGN KEY'))
    .join('\n');
}
