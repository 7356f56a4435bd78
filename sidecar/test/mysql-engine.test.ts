import { setTimeout as pause } from 'node:timers/promises';
import { AppError } from '@devdb/shared/errors';
import { assertMade, suiteOn } from '../../fixtures/labs/needs.ts';
import type { Caps, ExportSink, RowSet, Session } from '../src/engines/engine.ts';
import { mysqlEngine } from '../src/engines/mysql/session.ts';
import { engineContext } from './helpers/engine-target.ts';
import { MYSQL_KINDS, type MysqlLab, mysqlLab } from './helpers/mysql-lab.ts';
import { checkOf, explainOf, exportOf, previewOf, readOf, writeOf } from './helpers/statements.ts';

const CAPS: Caps = { rows: 500, bytes: 256 * 1024, cellBytes: 4096 };
const BUSY = 'SELECT BENCHMARK(2000000000, SHA2("x", 512))';
const STOPPED_WITHIN_MS = 100;
const LOOK_AGAIN_MS = 20;

const signal = (): AbortSignal => AbortSignal.timeout(30_000);

describe.each(MYSQL_KINDS)('the engine on %s', (kind) => {
  const { it } = suiteOn(kind);
  let lab: MysqlLab | undefined;
  let session: Session;

  beforeAll(async () => {
    lab = await mysqlLab(kind, ['01-schema.sql', '02-rows.sql']);
    if (lab !== undefined) session = mysqlEngine.open(lab.target, engineContext());
  });

  afterAll(async () => {
    await session?.end();
    await lab?.remove();
  });

  /** A test that queries the server itself. */
  function withLab(run: (lab: MysqlLab) => Promise<void>): () => Promise<void> {
    return async () => {
      assertMade(lab);
      await run(lab);
    };
  }

  async function rows(sql: string, caps: Caps = CAPS): Promise<RowSet> {
    const outcome = await readOf(session, sql, caps, signal());
    if (outcome.kind === 'rows') return outcome.rows;
    throw new Error(`taken for a write: ${sql}`);
  }

  describe('values', () => {
    it.each([
      ['9007199254740993', '9007199254740993'],
      ['-9223372036854775808', '-9223372036854775808'],
      ['18446744073709551615', '18446744073709551615'],
      ['42', 42],
      ['19.90', 19.9],
      ['12345678901234567890.1234567890', '12345678901234567890.1234567890'],
      ['CAST(0.5 AS DECIMAL(40,30))', 0.5],
      ['1e300', 1e300],
      ['TRUE', 1],
      ['NULL', null],
      ["''", ''],
      ["'ä 👩‍💻'", 'ä 👩‍💻'],
      ["x'00ff'", { bytes: 2, hex: '00ff' }],
      ["CAST('2024-03-10 02:30:00.123456' AS DATETIME(6))", '2024-03-10 02:30:00.123456'],
      ["CAST('-838:59:59' AS TIME)", '-838:59:59'],
      ["CAST('0001-01-01' AS DATE)", '0001-01-01'],
      ['1 / 3', 0.3333],
      ['SUM(1)', 1],
    ])('are lossless: %s', async (sql, expected) => {
      assertMade(lab);
      expect((await rows(`SELECT ${sql} AS v`)).rows).toEqual([[expected]]);
    });

    it(
      'of awkward columns keep what the server stored',
      withLab(async () => {
        const { columns, rows: all } = await rows('SELECT * FROM measurements ORDER BY id');
        expect(all[0]).toEqual([
          1,
          257,
          '18446744073709551615',
          { bytes: 25, hex: expect.stringMatching(/^00000000/) },
          { bytes: 2, hex: 'cafe' },
          { bytes: 4, hex: '00010203' },
          '-838:59:59.000',
          1901,
          1.1,
          '12345678901234567890.12345678901234567891',
          42,
          'line\nbreak',
          '0000-00-00',
        ]);
        expect(all[1]?.slice(4, 8)).toEqual([
          { bytes: 0, hex: '' },
          { bytes: 4, hex: '00000000' },
          '26:00:00.500',
          2155,
        ]);
        expect(all[2]?.slice(1)).toEqual(new Array(12).fill(null));
        expect(columns.map(({ type }) => type).slice(0, 8)).toEqual([
          'int',
          'bit(9)',
          'bit(64)',
          expect.stringMatching(/geometry|point/),
          'blob',
          'binary',
          'time(3)',
          'year',
        ]);
      }),
    );

    it(
      'of JSON are its text, and of a latin1 table are characters',
      withLab(async () => {
        const json = await rows("SELECT attributes FROM products WHERE sku = 'A-1'");
        expect(json.columns[0]?.type).toBe('json');
        expect(String(json.rows[0]?.[0])).toContain('9007199254740993');
        expect((await rows('SELECT what FROM old_log')).rows).toEqual([['café']]);
      }),
    );

    it(
      'of columns with the same name are kept side by side',
      withLab(async () => {
        const { columns, rows: all } = await rows('SELECT 1 AS a, 2 AS a, 3 AS `b c`');
        expect([columns.map(({ name }) => name), all]).toEqual([['a', 'a', 'b c'], [[1, 2, 3]]]);
      }),
    );

    it(
      'of a timestamp are in UTC, whatever the server’s zone',
      withLab(async ({ ask }) => {
        await ask(
          "SET time_zone = '+05:00'; CREATE TABLE zones (at timestamp); INSERT INTO zones VALUES ('2024-06-01 05:00:00')",
        );
        expect((await rows('SELECT at FROM zones')).rows).toEqual([['2024-06-01 00:00:00']]);
      }),
    );
  });

  describe('a result', () => {
    it(
      'ends at the row cap, with and without a LIMIT of its own, and the next call works',
      withLab(async () => {
        const many = 'SELECT a.id FROM customers a, customers b, customers c, customers d, customers e, customers f';
        for (const sql of [many, `${many} LIMIT 1000000`]) {
          const answer = await rows(sql, { ...CAPS, rows: 10 });
          expect([answer.rowCount, answer.truncated]).toEqual([10, true]);
        }
        const whole = await rows(`${many} LIMIT 10`, { ...CAPS, rows: 10 });
        expect([whole.rowCount, whole.truncated]).toEqual([10, false]);
        expect((await rows('SELECT 1')).rows).toEqual([[1]]);
      }),
    );

    it(
      'is cut at the byte cap and cells at theirs',
      withLab(async () => {
        const cell = await rows("SELECT REPEAT('ä', 10000) AS v");
        expect([cell.cut, String(cell.rows[0]?.[0]).length]).toEqual([[{ row: 0, column: 0, length: 20_000 }], 2048]);
        const bytes = await rows("SELECT REPEAT('x', 1000) FROM customers a, customers b, customers c", {
          ...CAPS,
          bytes: 5000,
        });
        expect([bytes.rowCount, bytes.truncated]).toEqual([4, true]);
      }),
    );

    it(
      'carries warnings as messages',
      withLab(async () => {
        const answer = await rows("SELECT CAST('abc' AS SIGNED)");
        expect(answer.messages).toEqual([expect.stringMatching(/^Warning 1292: /)]);
      }),
    );

    it(
      'of a million rows leaves memory flat',
      withLab(async () => {
        await rows('SELECT 1');
        const before = process.memoryUsage().rss;
        const million = `${Array.from({ length: 10 }, (_, at) => `customers t${at}`).join(', ')}`;
        const answer = await rows(`SELECT t0.*, t1.name FROM ${million} LIMIT 1000000`, { ...CAPS, rows: 10_000 });
        expect(answer.truncated).toBe(true);
        expect(process.memoryUsage().rss - before).toBeLessThan(80 * 1024 * 1024);
      }),
    );
  });

  describe('a signal that aborts', () => {
    /** Statements of this suite's user still running on the server, without this query itself. */
    async function running({ ask }: MysqlLab): Promise<number> {
      const all = await ask(
        "SELECT count(*) FROM information_schema.PROCESSLIST WHERE INFO LIKE '%devdb-marker%' AND ID <> connection_id()",
      );
      return Number(all[0]?.[0]);
    }

    it.each([
      ['a statement that computes', `${BUSY} /* devdb-marker */`],
      ['a statement that sleeps', 'SELECT SLEEP(60) /* devdb-marker */'],
      [
        'a statement that sends rows',
        'SELECT a.id FROM customers a, customers b, customers c, customers d, customers e, customers f, customers g, customers h, customers i, customers j WHERE SLEEP(0.01) = 0 /* devdb-marker */',
      ],
    ])('stops %s on the server within 100 ms, with its own reason', async (_, sql) => {
      assertMade(lab);
      const reason = new AppError('E_TIMEOUT', 'That took too long.');
      const controller = new AbortController();
      const reading = readOf(session, sql, { ...CAPS, rows: 1_000_000 }, controller.signal).catch(
        (error: unknown) => error,
      );
      const { promise: started, resolve } = Promise.withResolvers<void>();
      const look = setInterval(
        () => void running(lab ?? missing()).then((count) => count > 0 && resolve()),
        LOOK_AGAIN_MS,
      );
      await started;
      clearInterval(look);
      const aborted = performance.now();
      controller.abort(reason);
      expect(await reading).toBe(reason);
      expect(performance.now() - aborted).toBeLessThan(STOPPED_WITHIN_MS);
      await pause(STOPPED_WITHIN_MS - (performance.now() - aborted));
      expect(await running(lab)).toBe(0);
      expect((await rows('SELECT 1')).rows).toEqual([[1]]);
    });

    it(
      'rolls back a running write, and ends a call before it starts',
      withLab(async ({ ask }) => {
        const controller = new AbortController();
        const writing = writeOf(session, 'UPDATE events SET payload = SLEEP(5)', CAPS, undefined, controller.signal);
        const reason = new AppError('E_CANCELLED', 'No longer wanted.');
        setTimeout(() => controller.abort(reason), 200);
        await expect(writing).rejects.toBe(reason);
        await expect(writeOf(session, 'DELETE FROM events', CAPS, undefined, AbortSignal.abort(reason))).rejects.toBe(
          reason,
        );
        expect(await ask("SELECT count(*) FROM events WHERE payload IN ('one', 'two')")).toEqual([[2]]);
      }),
    );

    it(
      'leaves no connection behind that answers another call',
      withLab(async () => {
        const calls = Array.from({ length: 30 }, async (_, at) => {
          if (at % 3 > 0) return (await rows(`SELECT ${at}, SLEEP(0.02)`)).rows[0]?.[0];
          return readOf(session, 'SELECT SLEEP(30)', CAPS, AbortSignal.timeout(50 + at)).then(
            () => 'ran',
            () => at,
          );
        });
        expect(await Promise.all(calls)).toEqual(Array.from({ length: 30 }, (_, at) => at));
      }),
    );
  });

  describe('a write', () => {
    it(
      'reports how many rows it has changed, and how many it only matched',
      withLab(async ({ ask }) => {
        const outcome = await writeOf(
          session,
          "UPDATE events SET payload = 'one' WHERE id IN (1, 2)",
          CAPS,
          undefined,
          signal(),
        );
        expect(outcome).toMatchObject({
          kind: 'done',
          rows: { affectedRows: 1, messages: [expect.stringMatching(/^2 rows matched, 1 changed/)] },
        });
        await ask("UPDATE events SET payload = 'two' WHERE id = 2");
      }),
    );

    it(
      'is dry-run without a trace on an InnoDB table',
      withLab(async ({ ask }) => {
        expect(await previewOf(session, 'DELETE FROM shipments', signal())).toEqual({
          affectedRows: 2,
          estimate: undefined,
        });
        expect(await ask('SELECT count(*) FROM shipments')).toEqual([[2]]);
      }),
    );

    it.each([
      ['a MyISAM table', 'DELETE FROM old_log', /plan looks at/],
      ['a table with a trigger', "UPDATE orders SET status = 'new'", /plan looks at/],
      [
        'numbers that AUTO_INCREMENT would give',
        "INSERT INTO customers (email) VALUES ('x@y'), ('z@y')",
        /inserts 2 rows/,
      ],
      ['a function that answers differently each time', 'DELETE FROM shipments WHERE RAND() < 2', /plan looks at/],
      ['a statement that commits by itself', 'DROP TABLE shipments', /a dry run is not possible/],
      ['a procedure', 'CALL forget_orders()', /stored procedure/],
      ['a function that writes', "SELECT add_log('x')", /effects DevDB cannot see/],
    ])('is not dry-run on %s: an estimate is given', async (_, sql, estimate) => {
      assertMade(lab);
      const tables = 'CHECKSUM TABLE old_log, orders, customers, shipments';
      const before = await lab.ask(tables);
      expect(await previewOf(session, sql, signal())).toEqual({
        affectedRows: undefined,
        estimate: expect.stringMatching(estimate),
      });
      expect(await lab.ask(tables)).toEqual(before);
    });

    it(
      'uses up no number during its preview',
      withLab(async ({ ask }) => {
        const next =
          "SET @@session.information_schema_stats_expiry = 0; SELECT AUTO_INCREMENT FROM information_schema.TABLES WHERE TABLE_SCHEMA = database() AND TABLE_NAME = 'customers'";
        const question = kind === 'mysql' ? next : next.slice(next.indexOf('SELECT'));
        const before = await ask(question);
        await previewOf(session, "INSERT INTO customers (email) VALUES ('x@y')", signal());
        expect(await ask(question)).toEqual(before);
      }),
    );

    it(
      'that would change a different number of rows than agreed changes none',
      withLab(async ({ ask }) => {
        expect(await writeOf(session, 'DELETE FROM shipments', CAPS, 1, signal())).toEqual({
          kind: 'count-differs',
          affectedRows: 2,
        });
        expect(await ask('SELECT count(*) FROM shipments')).toEqual([[2]]);
      }),
    );

    it(
      'of a procedure returns its first row set and reports that there are more',
      withLab(async () => {
        const outcome = await writeOf(session, 'CALL two_sets()', CAPS, undefined, signal());
        expect(outcome).toMatchObject({
          kind: 'done',
          rows: { rows: [[1]], messages: [expect.stringContaining('1 more set')] },
        });
      }),
    );

    it(
      'that fails leaves nothing half done',
      withLab(async ({ ask }) => {
        await expect(
          writeOf(session, 'UPDATE customers SET email = NULL', CAPS, undefined, signal()),
        ).rejects.toMatchObject({ code: 'E_SQL', details: { errno: 1048 } });
        expect(await ask('SELECT count(email) FROM customers')).toEqual([[4]]);
      }),
    );

    it(
      'waits for a lock no longer than configured, and reports who holds it',
      withLab(async ({ target, ask }) => {
        const other = mysqlEngine.open(target, engineContext());
        const holding = writeOf(
          other,
          'UPDATE shipments SET id = id + SLEEP(4) * 0',
          CAPS,
          undefined,
          AbortSignal.timeout(2_500),
        );
        const held = holding.catch((error: unknown) => error);
        // It has locked its first row by then.
        while (
          (await ask("SELECT 1 FROM information_schema.PROCESSLIST WHERE STATE = 'User sleep' AND DB = DATABASE()"))
            .length === 0
        )
          await pause(LOOK_AGAIN_MS);
        const preview = await previewOf(session, 'DELETE FROM shipments', signal());
        expect(preview.estimate).toMatch(/Another session holds some of its rows/);
        await held;
        await other.end();
        expect(await ask('SELECT count(*) FROM shipments')).toEqual([[2]]);
      }),
    );
  });

  describe('an error', () => {
    it(
      'keeps the server’s message, its number and the position',
      withLab(async () => {
        await expect(rows('SELECT 1 FROM customers WHERE ORDER')).rejects.toMatchObject({
          code: 'E_SQL',
          message: expect.stringMatching(/syntax/),
          details: { errno: 1064, sqlState: '42000', position: 31 },
        });
      }),
    );

    it(
      'of an unknown name suggests similar ones',
      withLab(async () => {
        await expect(rows('SELECT * FROM custmers')).rejects.toMatchObject({
          code: 'E_UNKNOWN_TABLE',
          message: 'No table "custmers".',
          hint: expect.stringContaining('customers'),
        });
        await expect(rows('SELECT emial FROM customers')).rejects.toMatchObject({
          code: 'E_SQL',
          hint: expect.stringContaining('email'),
          details: { errno: 1054 },
        });
      }),
    );

    it(
      'of a mistake is reported by check, which runs nothing',
      withLab(async ({ ask }) => {
        await expect(checkOf(session, 'SELEKT 1', signal())).rejects.toMatchObject({ code: 'E_SQL' });
        await expect(checkOf(session, 'DELETE FROM ordres', signal())).rejects.toMatchObject({
          code: 'E_UNKNOWN_TABLE',
        });
        for (const sql of [
          'DELETE FROM orders',
          'DROP TABLE orders',
          'CREATE TRIGGER t BEFORE INSERT ON orders FOR EACH ROW SET NEW.id = 1',
        ]) {
          await checkOf(session, sql, signal());
        }
        expect(await ask('SELECT count(*) FROM orders')).toEqual([[3]]);
      }),
    );
  });

  describe('an export', () => {
    it(
      'writes every row, waits for a slow sink and ends with a failing one',
      withLab(async () => {
        const many =
          'SELECT a.id, b.email FROM customers a, customers b, customers c, customers d, customers e, customers f, customers g, customers h';
        let open = 0;
        let written = 0;
        const slow: ExportSink = {
          write: async (_, count) => {
            expect(++open).toBe(1);
            await new Promise((resolve) => setImmediate(resolve));
            open -= 1;
            written += count;
          },
        };
        await exportOf(session, many, 'csv', slow, signal());
        expect(written).toBe(4 ** 8);
        const full: ExportSink = { write: () => Promise.reject(new AppError('E_INTERNAL', 'The disk is full.')) };
        await expect(exportOf(session, many, 'jsonl', full, signal())).rejects.toMatchObject({
          message: 'The disk is full.',
        });
        await expect(exportOf(session, 'DELETE FROM events', 'csv', slow, signal())).rejects.toMatchObject({
          code: 'E_READ_ONLY',
        });
        expect((await rows('SELECT 1')).rows).toEqual([[1]]);
      }),
    );

    it(
      'of an empty result has its header, and of text its characters',
      withLab(async () => {
        const chunks: Buffer[] = [];
        const sink: ExportSink = { write: async (chunk) => void chunks.push(Buffer.from(chunk)) };
        await exportOf(
          session,
          'SELECT name, photo, NULL AS n FROM customers WHERE id IN (3, 4)',
          'csv',
          sink,
          signal(),
        );
        await exportOf(
          session,
          "SELECT b'101' AS b, 'a\"b,c' AS q, 12.50 AS d FROM customers WHERE id < 0",
          'csv',
          sink,
          signal(),
        );
        await exportOf(
          session,
          "SELECT CAST(b'101' AS UNSIGNED), flags, 'a\"b,c', 12.50 FROM measurements WHERE id = 1",
          'csv',
          sink,
          signal(),
        );
        const [header, first, second, empty, , row] = Buffer.concat(chunks).toString().split('\r\n');
        expect([header, first, second]).toEqual(['name,photo,n', 'Çağla 👩‍💻,"",', '"",00000000,']);
        expect([empty, row]).toEqual(['b,q,d', '5,257,"a""b,c",12.50']);
      }),
    );
  });

  describe('a plan', () => {
    it(
      'is not made where planning would run a function that changes something',
      withLab(async ({ ask }) => {
        const sql = "UPDATE events SET payload = 'x' WHERE id = add_log('planned')";
        await expect(explainOf(session, sql, false, signal())).rejects.toMatchObject({ code: 'E_READ_ONLY' });
        expect((await previewOf(session, sql, signal())).estimate).toMatch(/effects DevDB cannot see/);
        expect(await ask("SELECT count(*) FROM old_log WHERE what = 'planned'")).toEqual([[0]]);
      }),
    );

    it(
      'is one tree for all servers and names the tables behind aliases',
      withLab(async () => {
        const answer = await explainOf(
          session,
          "SELECT o.id FROM orders o JOIN order_lines AS l ON l.order_id = o.id WHERE o.status = 'new'",
          false,
          signal(),
        );
        const text = JSON.stringify(answer.plan);
        expect(text).toContain('"table":"orders"');
        expect(text).toContain('"table":"order_lines"');
        expect(text).toContain('"index":"orders_open"');
        expect(answer.analyzed).toBe(false);
      }),
    );

    it(
      'measures a read and never runs a write',
      withLab(async ({ ask }) => {
        const read = await explainOf(session, 'SELECT * FROM orders', true, signal());
        expect([read.analyzed, read.measured?.rows]).toEqual([true, 3]);
        for (const sql of [
          'DELETE FROM orders',
          'INSERT INTO events SELECT 9, at, payload FROM events',
          'UPDATE orders o JOIN order_lines l ON l.order_id = o.id SET l.quantity = 0',
        ]) {
          expect(await explainOf(session, sql, true, signal())).toMatchObject({ analyzed: false });
        }
        expect(await ask('SELECT (SELECT count(*) FROM orders), (SELECT sum(quantity) FROM order_lines)')).toEqual([
          [3, '14'],
        ]);
      }),
    );
  });
});

function missing(): never {
  throw new Error('There is no server.');
}
