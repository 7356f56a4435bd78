import { AppError } from '@devdb/shared/errors';
import { explanation } from '@devdb/shared/plans';
import { explainQuery } from '@devdb/shared/tools/database/explain-query';
import { getDatabaseType } from '@devdb/shared/tools/database/get-database-type';
import { getOverview } from '@devdb/shared/tools/database/get-overview';
import { runQuery } from '@devdb/shared/tools/database/run-query';
import { searchSchema } from '@devdb/shared/tools/database/search-schema';
import type { Caps, ExportSink, ReadOutcome, RowSet } from '../src/engines/engine.ts';
import { KEYS_ALONE } from '../src/engines/overview-facts.ts';
import { enginesUnderTest } from './helpers/engines-under-test.ts';
import { sharedShop } from './helpers/shared-shop.ts';
import { checkOf, explainOf, exportOf, judgementOf, previewOf, readOf, writeOf } from './helpers/statements.ts';

/** What every engine guarantees, on the shop of fixtures/sql that each has in its own dialect. */
const CAPS: Caps = { rows: 500, bytes: 32 * 1024, cellBytes: 4 * 1024 };

describe.each(enginesUnderTest(process.env))('$name', (engine) => {
  const shop = sharedShop(engine);
  const signal = (): AbortSignal => AbortSignal.timeout(30_000);

  async function read(sql: string, caps: Partial<Caps> = {}): Promise<RowSet> {
    return rowsOf(await readOf(shop.session, sql, { ...CAPS, ...caps }, signal()));
  }

  async function count(table: string): Promise<unknown> {
    return (await read(`SELECT count(*) AS n FROM ${table}`)).rows[0]?.[0];
  }

  describe('a read', () => {
    test('gives columns once and rows as arrays', async () => {
      const rows = await read('SELECT id, name FROM customers WHERE id <= 2 ORDER BY id');
      expect(runQuery.output.parse(rows)).toEqual(rows);
      expect(rows.columns.map(({ name }) => name)).toEqual(['id', 'name']);
      expect(rows.columns.every(({ type }) => type !== '')).toBe(true);
      expect(rows.rows).toEqual([
        [1, 'Ann'],
        [2, 'Bob "the builder"'],
      ]);
      expect([rows.rowCount, rows.truncated, rows.cut]).toEqual([2, false, undefined]);
    });

    test('keeps repeated column names apart, and the columns of an empty result', async () => {
      const twice = await read('SELECT id AS a, name AS a FROM customers WHERE id = 1');
      expect([twice.columns.map(({ name }) => name), twice.rows]).toEqual([['a', 'a'], [[1, 'Ann']]]);
      const none = await read('SELECT id, name FROM customers WHERE id < 0');
      expect([none.columns.length, none.rows, none.truncated]).toEqual([2, [], false]);
    });

    test('loses nothing of large integers, booleans, binary, unicode and NULL', async () => {
      const { rows } = await read('SELECT loyalty_id, active, photo, name, balance FROM customers ORDER BY id');
      expect(rows[0]?.slice(0, 3)).toEqual(['9223372036854775807', engine.yes, { bytes: 3, hex: '00ff10' }]);
      const no = engine.yes === true ? false : 0;
      expect(rows[1]).toEqual(['9007199254740993', no, null, 'Bob "the builder"', null]);
      expect(rows[2]?.slice(0, 4)).toEqual(['-9223372036854775808', engine.yes, { bytes: 0, hex: '' }, 'Çağla 👩‍💻']);
    });

    test('stops at the row cap and says whether there was more', async () => {
      const capped = await read(engine.numbersTo(100_000), { rows: 10 });
      expect([capped.rows.length, capped.rowCount, capped.truncated]).toEqual([10, 10, true]);
      const all = await read(engine.numbersTo(10), { rows: 10 });
      expect([all.rows.length, all.truncated]).toEqual([10, false]);
    });

    test('stops at the byte cap of the encoded rows', async () => {
      const capped = await read(engine.numbersTo(100_000), { rows: 10_000, bytes: 1_000 });
      expect(capped.truncated).toBe(true);
      expect(capped.rows.length).toBeGreaterThan(50);
      expect(Buffer.byteLength(JSON.stringify(capped.rows))).toBeLessThanOrEqual(1_000);
    });

    test('cuts a long cell, and lists it with its full length', async () => {
      const capped = await read(engine.blobOf(100_000));
      expect(capped.cut).toEqual([{ row: 0, column: 0, length: 100_000 }]);
      const cell = capped.rows[0]?.[0];
      expect(cell).toMatchObject({ bytes: 100_000, hex: expect.stringMatching(/^(?:ff)+$/) });
      expect(JSON.stringify(cell).length).toBeLessThanOrEqual(CAPS.cellBytes + 100);
    });

    test.each([
      "INSERT INTO customers (id, email, name) VALUES (9, 'x@example.com', 'x')",
      'DELETE FROM shipments',
      'UPDATE orders SET customer_id = 1',
      'CREATE TABLE made_by_a_read (a INTEGER)',
      'DROP TABLE shipments',
    ])('refuses %s as a write', async (sql) => {
      const judged = await judgementOf(shop.session, sql);
      expect(judged.effect).toBe('write');
      expect(await readOf(shop.session, sql, CAPS, signal())).toMatchObject({ kind: 'is-write', verb: judged.verb });
      expect([await count('customers'), await count('shipments')]).toEqual([4, 2]);
    });

    test('runs one statement and refuses two', async () => {
      const sql = 'SELECT 1; DELETE FROM shipments';
      expect(await judgementOf(shop.session, sql)).toMatchObject({ effect: 'refused', reason: expect.any(String) });
      await expect(readOf(shop.session, sql, CAPS, signal())).rejects.toMatchObject({ code: 'E_SQL' });
      expect(await count('shipments')).toBe(2);
    });

    test('accepts quotes, comments and question marks in a statement', async () => {
      const { rows } = await read(`SELECT 'what?; -- no' AS a /* ? ; */ -- ;\n`);
      expect(rows).toEqual([['what?; -- no']]);
    });

    test('runs in parallel with others', async () => {
      const all = await Promise.all(Array.from({ length: 20 }, (_, at) => read(`SELECT ${at} AS a`)));
      expect(all.map(({ rows }) => rows[0]?.[0])).toEqual(Array.from({ length: 20 }, (_, at) => at));
    });
  });

  describe('an error', () => {
    test('of syntax carries the engine’s own message', async () => {
      await expect(read('SELECT FROM WHERE')).rejects.toMatchObject({
        code: 'E_SQL',
        message: expect.stringMatching(/syntax/i),
      });
      await expect(checkOf(shop.session, 'SELEKT 1', signal())).rejects.toMatchObject({ code: 'E_SQL' });
      await expect(checkOf(shop.session, 'DELETE FROM orders', signal())).resolves.toBeUndefined();
      expect(await count('orders')).toBe(3);
    });

    test('of a missing table suggests similar ones', async () => {
      await expect(read('SELECT * FROM custmers')).rejects.toMatchObject({
        code: 'E_UNKNOWN_TABLE',
        hint: expect.stringContaining('customers'),
      });
      await expect(shop.session.schema('ordres', signal())).rejects.toMatchObject({
        code: 'E_UNKNOWN_TABLE',
        message: 'No table "ordres".',
        details: { near: expect.arrayContaining(['orders']) },
      });
    });

    test('of a missing column is one of SQL, and the next call works', async () => {
      await expect(read('SELECT nothing_such FROM customers')).rejects.toMatchObject({ code: 'E_SQL' });
      expect(await count('customers')).toBe(4);
    });
  });

  describe('a signal that aborts', () => {
    test('ends a read with its own reason, and the next call works', async () => {
      const reason = new AppError('E_TIMEOUT', 'That took too long.');
      const controller = new AbortController();
      const reading = readOf(shop.session, engine.endless, CAPS, controller.signal);
      setTimeout(() => controller.abort(reason), 200);
      await expect(reading).rejects.toBe(reason);
      expect(await count('customers')).toBe(4);
    });

    test('ends a call before it starts', async () => {
      const reason = new AppError('E_CANCELLED', 'Not wanted any more.');
      const aborted = AbortSignal.abort(reason);
      await expect(readOf(shop.session, 'SELECT 1', CAPS, aborted)).rejects.toBe(reason);
      await expect(writeOf(shop.session, 'DELETE FROM shipments', CAPS, undefined, aborted)).rejects.toBe(reason);
      expect(await count('shipments')).toBe(2);
    });
  });

  describe('a write', () => {
    shop.withOwnShop();

    test('reports how many rows it has changed', async () => {
      const outcome = await writeOf(shop.session, 'DELETE FROM shipments WHERE id = 1', CAPS, undefined, signal());
      expect(outcome).toMatchObject({ kind: 'done', rows: { affectedRows: 1, truncated: false } });
      expect(await count('shipments')).toBe(1);
    });

    test('is dry-run without a trace, then changes as many rows', async () => {
      const sql = 'DELETE FROM shipments';
      const preview = await previewOf(shop.session, sql, signal());
      expect(preview.affectedRows).toBe(2);
      expect(await count('shipments')).toBe(2);
      const outcome = await writeOf(shop.session, sql, CAPS, preview.affectedRows, signal());
      expect(outcome).toMatchObject({ kind: 'done', rows: { affectedRows: 2 } });
      expect(await count('shipments')).toBe(0);
    });

    test('that would change a different number of rows than agreed changes none', async () => {
      const outcome = await writeOf(shop.session, 'DELETE FROM shipments', CAPS, 1, signal());
      expect(outcome).toEqual({ kind: 'count-differs', affectedRows: 2 });
      expect(await count('shipments')).toBe(2);
    });

    test('that cannot be dry-run is described in words', async () => {
      const preview = await previewOf(shop.session, 'DROP TABLE shipments', signal());
      expect(preview).toEqual({ affectedRows: undefined, estimate: expect.stringMatching(/\w+/) });
      expect(await count('shipments')).toBe(2);
    });

    test('that fails leaves nothing half done', async () => {
      const sql = 'UPDATE customers SET email = NULL';
      await expect(writeOf(shop.session, sql, CAPS, undefined, signal())).rejects.toMatchObject({ code: 'E_SQL' });
      expect((await read('SELECT count(email) FROM customers')).rows).toEqual([[4]]);
    });

    test('is seen by the next read, a changed schema too', async () => {
      await writeOf(
        shop.session,
        `ALTER TABLE shipments ${engine.addColumn} carrier VARCHAR(10)`,
        CAPS,
        undefined,
        signal(),
      );
      const { columns } = await read('SELECT * FROM shipments');
      expect(columns.map(({ name }) => name)).toContain('carrier');
      await writeOf(shop.session, 'DROP TABLE shipments', CAPS, undefined, signal());
      expect(await shop.session.tables(signal())).not.toContain('shipments');
    });
  });

  describe('the schema', () => {
    test('lists tables and views by name', async () => {
      const tables = await shop.session.tables(signal());
      expect(tables).toEqual(
        expect.arrayContaining(['customers', 'order_lines', 'order_totals', 'orders', 'products']),
      );
      expect(new Set(tables).size).toBe(tables.length);
    });

    test('of each listed table is available by that name', async () => {
      for (const table of await shop.session.tables(signal())) {
        expect(await shop.session.schema(table, signal())).toMatch(/^(?:IF SCHEMA_ID\(.*\r?\n)?(?:GO\r?\n|\s)*CREATE /);
      }
    });

    test('of one table has its columns, keys and indexes', async () => {
      const text = await shop.session.schema('orders', signal());
      for (const part of ['customer_id', 'status', 'PRIMARY KEY', 'REFERENCES', 'orders_open', 'NOT NULL']) {
        expect(text).toContain(part);
      }
    });

    test('in one answer has tables, kinds, keys and the foreign-key graph', async () => {
      const all = getOverview.output.parse(await shop.session.overview(undefined, signal()));
      const listed = await shop.session.tables(signal());
      // Partitions are parts of an existing table.
      expect(listed).toEqual(expect.arrayContaining(all.tables.map(({ name }) => name)));
      expect(all.tables.map(({ name }) => name)).toEqual(expect.arrayContaining(['customers', 'orders', 'shipments']));
      expect(all.tables.find(({ name }) => name === 'order_totals')?.kind).toMatch(/view/);
      expect(all.foreignKeys).toContain('orders(customer_id) -> customers(id)');
      expect(all.truncated).toBe(false);
      const one = await shop.session.overview(['orders'], signal());
      expect(one.tables.map(({ name }) => name)).toEqual(['orders']);
      expect(one.tables[0]?.columns[0]).toMatch(/^id .*PK/);
      expect(await shop.session.overview(['orders', 'ordres', 'orders', 'qqqqqqq'], signal())).toEqual({
        ...one,
        unknown: [
          { name: 'ordres', near: expect.arrayContaining(['orders']) },
          { name: 'qqqqqqq', near: [] },
        ],
      });
      expect(one.referencedBy).toContain('order_lines(order_id) -> orders(id)');
      const alone = await shop.session.overview(['orders'], signal(), [KEYS_ALONE]);
      expect(alone.referencedBy).toEqual(one.referencedBy);
      expect(one.foreignKeys).toContain('orders(customer_id) -> customers(id)');
      const both = await shop.session.overview(['orders', 'order_lines'], signal());
      expect(both.referencedBy?.join()).not.toContain('order_lines(order_id) -> orders(id)');
      expect(both.referencedBy?.join()).toContain('shipments(order_id, line_no) -> order_lines(order_id, line_no)');
      await expect(shop.session.overview(['ordres'], signal())).rejects.toMatchObject({ code: 'E_UNKNOWN_TABLE' });
    });

    test('is searchable by part of a name and by kind', async () => {
      const found = searchSchema.output.parse(await shop.session.search('*CUSTOMER*', undefined, signal()));
      expect(found.matches).toEqual(
        expect.arrayContaining([
          { kind: 'table', name: 'customers' },
          expect.objectContaining({ kind: 'column', name: 'customer_id', table: 'orders' }),
        ]),
      );
      const views = await shop.session.search('order', 'view', signal());
      expect(views.matches.map(({ name }) => name)).toEqual(['order_totals']);
    });

    const found = async (pattern: string, kind?: Parameters<typeof shop.session.search>[1]) => {
      const answer = await shop.session.search(pattern, kind, signal());
      expect(searchSchema.output.parse(answer)).toEqual(answer);
      return answer.matches.map(
        ({ kind: own, table, name }) => `${own} ${table === undefined ? '' : `${table}.`}${name}`,
      );
    };

    test('is searched for all of several words, or for one of several alternatives', async () => {
      expect(await found('order total', 'view')).toEqual(['view order_totals']);
      expect(await found('total|customers', 'table')).toEqual(['table customers']);
      expect(await found('customers mail', 'column')).toContain('column customers.email');
      expect(await found('customers nothing')).toEqual([]);
      expect(await found('line_n? | e*l', 'column')).toEqual(
        expect.arrayContaining(['column customers.email', 'column order_lines.line_no']),
      );
    });

    test('is searched for indexes and keys', async () => {
      const [index] = (await shop.session.search('odd index', 'index', signal())).matches;
      expect(index).toMatchObject({ kind: 'index', name: 'odd index', table: expect.stringMatching(/odd/) });
      expect(index?.type).toMatch(/with space/);
      const keys = await shop.session.search('*', 'key', signal());
      const told = keys.matches.filter(({ table }) => table === 'orders').map(({ name, type }) => `${name} ${type}`);
      expect(told.join('; ')).toMatch(/customer_id/);
      expect(told.join('; ')).toMatch(/primary key|referrer_id/i);
    });

    test('tells names that are near when nothing matches, of whatever kind', async () => {
      expect(await shop.session.search('costumers', undefined, signal())).toMatchObject({
        total: 0,
        near: expect.arrayContaining(['customers']),
      });
      expect((await shop.session.search('customers', 'routine', signal())).near).toContain('customers');
      expect(await shop.session.search('qqqqqqqqqq', undefined, signal())).toEqual({
        matches: [],
        total: 0,
        truncated: false,
      });
    });

    if (engine.kind !== 'sqlite' && engine.kind !== 'mssql') {
      test('is searched in comments, and shows those of what it found', async () => {
        const { matches } = await shop.session.search('account address', undefined, signal());
        expect(matches).toEqual([
          expect.objectContaining({ kind: 'column', name: 'email', comment: expect.stringContaining('ccount') }),
        ]);
        expect(await found('who buys')).toEqual(['table customers']);
      });
    }
  });

  describe('a plan', () => {
    test('names the tables that a statement reads, and runs nothing', async () => {
      const answer = await explainOf(shop.session, "DELETE FROM orders WHERE status = 'new'", false, signal());
      expect(explanation.parse(answer)).toEqual(answer);
      const forAgents = explainQuery.output.parse(answer);
      expect(answer).toMatchObject(forAgents);
      expect(JSON.stringify(forAgents.plan)).toContain('"table":"orders"');
      expect([answer.analyzed, answer.measured]).toEqual([false, undefined]);
      expect(await count('orders')).toBe(3);
    });

    test('that is analysed measures a read and does not run a write', async () => {
      const measured = await explainOf(shop.session, 'SELECT * FROM orders', true, signal());
      expect([measured.analyzed, measured.measured?.rows]).toEqual([true, 3]);
      const write = await explainOf(shop.session, 'DELETE FROM shipments', true, signal()).catch(
        (error: unknown) => error,
      );
      expect(write).toMatchObject(write instanceof AppError ? { code: 'E_READ_ONLY' } : { analyzed: false });
      expect(await count('shipments')).toBe(2);
    });
  });

  describe('an export', () => {
    test('writes every row as CSV with a header', async () => {
      const sink = new Collected();
      await exportOf(shop.session, 'SELECT id, name AS "full name" FROM customers ORDER BY id', 'csv', sink, signal());
      const [header, first, second] = sink.text.split('\r\n');
      expect([header, first, second]).toEqual(['id,full name', '1,Ann', '2,"Bob ""the builder"""']);
      expect(sink.rows).toBe(4);
    });

    test('writes one object per line as JSON Lines, beyond every cap and without loss', async () => {
      const sink = new Collected();
      await exportOf(shop.session, engine.numbersTo(20_000), 'jsonl', sink, signal());
      const lines = sink.text.trimEnd().split('\n');
      expect([lines.length, sink.rows]).toEqual([20_000, 20_000]);
      expect(JSON.parse(lines[19_999] ?? '')).toEqual({ i: 20_000 });
      const large = new Collected();
      await exportOf(shop.session, 'SELECT loyalty_id FROM customers WHERE id = 1', 'jsonl', large, signal());
      expect(large.text).toContain('9223372036854775807');
    });

    test.each(['csv', 'jsonl'] as const)('tells exact totals and the first and last row of %s', async (format) => {
      const sql = `SELECT i, i / 10.0 AS tenth, 'no ' AS word, NULL AS gap FROM (${engine.numbersTo(30_000)}) n ORDER BY i`;
      const summary = await exportOf(shop.session, sql, format, new Collected(), signal());
      expect(summary.columns).toEqual(['i', 'tenth', 'word', 'gap']);
      expect(summary.totals).toEqual({ i: 450_015_000, tenth: expect.stringMatching(/^45001500\.0+$/) });
      expect([summary.first, summary.last]).toEqual(
        format === 'csv'
          ? [expect.stringMatching(/^1,0\.10*,no ,$/), expect.stringMatching(/^30000,3000(\.0+)?,no ,$/)]
          : [expect.stringContaining('"i":1,'), expect.stringContaining('"i":30000,')],
      );
    });

    test('tells of no rows only the columns, and of numbers as texts no total', async () => {
      const none = await exportOf(
        shop.session,
        'SELECT id FROM customers WHERE 1 = 0',
        'csv',
        new Collected(),
        signal(),
      );
      expect(none).toEqual({ columns: ['id'] });
      const texts = await exportOf(shop.session, "SELECT '12' AS a, '' AS b", 'csv', new Collected(), signal());
      expect(texts).toEqual({ columns: ['a', 'b'], first: '12,""', last: '12,""' });
    });

    test('waits for a slow sink, and ends with a failing one', async () => {
      let open = 0;
      const slow: ExportSink = {
        write: async () => {
          expect(++open).toBe(1);
          await new Promise((resolve) => setImmediate(resolve));
          open -= 1;
        },
      };
      await exportOf(shop.session, engine.numbersTo(50_000), 'csv', slow, signal());
      const full = { write: () => Promise.reject(new AppError('E_INTERNAL', 'The disk is full.')) };
      const run = exportOf(shop.session, engine.numbersTo(50_000), 'csv', full, signal());
      await expect(run).rejects.toMatchObject({ message: 'The disk is full.' });
      expect(await count('customers')).toBe(4);
    });

    test('does not run a write', async () => {
      const run = exportOf(shop.session, 'DELETE FROM shipments', 'csv', new Collected(), signal());
      await expect(run).rejects.toBeInstanceOf(AppError);
      expect(await count('shipments')).toBe(2);
    });
  });

  describe('the session', () => {
    shop.withOwnShop();

    test('reports what the database is', async () => {
      const facts = getDatabaseType.output.parse(await shop.session.facts(signal()));
      expect(facts.type).toBe(engine.kind);
      expect([facts.product, facts.version]).toEqual([expect.stringMatching(/\w/), expect.stringMatching(/\d/)]);
      expect(shop.session.guard.reason).toMatch(/\w/);
    });

    test('ends twice, ends what runs, and runs nothing after', async () => {
      const reading = readOf(shop.session, engine.endless, CAPS, signal());
      const outcome = reading.then(
        () => 'answered',
        (error: unknown) => (error instanceof AppError ? 'coded' : error),
      );
      await shop.session.end();
      await shop.session.end();
      expect(await outcome).toBe('coded');
      await expect(readOf(shop.session, 'SELECT 1', CAPS, signal())).rejects.toBeInstanceOf(AppError);
    });
  });
});

function rowsOf(outcome: ReadOutcome): RowSet {
  if (outcome.kind === 'rows') return outcome.rows;
  throw new Error(`The engine took the statement for a write: ${outcome.verb}`);
}

class Collected implements ExportSink {
  readonly #chunks: Buffer[] = [];
  rows = 0;

  get text(): string {
    return Buffer.concat(this.#chunks).toString('utf8');
  }

  async write(chunk: Buffer, rows: number): Promise<void> {
    // After this resolves, the engine reuses the chunk.
    this.#chunks.push(Buffer.from(chunk));
    this.rows += rows;
  }
}
