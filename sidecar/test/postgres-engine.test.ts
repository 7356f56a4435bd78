import { assertMade, suiteOn } from '../../fixtures/labs/needs.ts';
import type { Caps, RowSet, Session } from '../src/engines/engine.ts';
import { ServerConnection } from '../src/engines/postgres/connection.ts';
import { postgresEngine } from '../src/engines/postgres/open.ts';
import { committedNow } from '../src/engines/postgres/reach.ts';
import { NotRunAsJudged } from '../src/engines/postgres/wire/statement-run.ts';
import { engineContext } from './helpers/engine-target.ts';
import { type PostgresLab, postgresLab } from './helpers/postgres-lab.ts';
import { checkOf, exportOf, previewOf, readOf, writeOf } from './helpers/statements.ts';

const { it } = suiteOn('postgres');

const CAPS: Caps = { rows: 500, bytes: 1024 * 1024, cellBytes: 4096 };
let lab: PostgresLab | undefined;
let session: Session | undefined;

beforeAll(async () => {
  lab = await postgresLab(['01-schema.sql', '02-rows.sql']);
  if (lab !== undefined) session = postgresEngine.open(lab.target, engineContext());
}, 120_000);

afterAll(async () => {
  await session?.end();
  await lab?.remove();
});

function signal(): AbortSignal {
  return AbortSignal.timeout(20_000);
}

async function rowsOf(sql: string, caps = CAPS): Promise<RowSet> {
  assertMade(session);
  const outcome = await readOf(session, sql, caps, signal());
  if (outcome.kind === 'is-write') throw new Error(`${sql} was taken for a write`);
  return outcome.rows;
}

describe('values of Postgres', () => {
  const cases: readonly (readonly [sql: string, type: string, cell: unknown])[] = [
    ['1::smallint', 'smallint', 1],
    ['9007199254740991::bigint', 'bigint', 9007199254740991],
    ['9007199254740993::bigint', 'bigint', '9007199254740993'],
    ['(-9223372036854775808)::bigint', 'bigint', '-9223372036854775808'],
    ['1.50::numeric(10,2)', 'numeric(10,2)', '1.50'],
    ['19.99', 'numeric', 19.99],
    ['12345678901234567890.1234567890', 'numeric', '12345678901234567890.1234567890'],
    ["'NaN'::numeric", 'numeric', 'NaN'],
    ['0.1::double precision', 'double precision', 0.1],
    ["'-0'::double precision", 'double precision', '-0'],
    ["'Infinity'::real", 'real', 'Infinity'],
    ["'1e300'::double precision", 'double precision', 1e300],
    ["'2024-03-10'::date", 'date', '2024-03-10'],
    ["'0044-03-15 BC'::date", 'date', '0044-03-15 BC'],
    ["'2024-03-10 02:30:00.123456'::timestamp", 'timestamp without time zone', '2024-03-10 02:30:00.123456'],
    ["'infinity'::timestamptz", 'timestamp with time zone', 'infinity'],
    ["'23:59:60+05:45'::timetz", 'time with time zone', '24:00:00+05:45'],
    ["'1 year 2 mons 3.5 secs'::interval", 'interval', '1 year 2 mons 00:00:03.5'],
    [`'{"a": 1, "a": 2,  "n": 9007199254740993}'::json`, 'json', '{"a": 1, "a": 2,  "n": 9007199254740993}'],
    [`'{"n": 9007199254740993}'::jsonb`, 'jsonb', '{"n": 9007199254740993}'],
    ["'\\x00ff'::bytea", 'bytea', { bytes: 2, hex: '00ff' }],
    ["'\\x'::bytea", 'bytea', { bytes: 0, hex: '' }],
    ['true', 'boolean', true],
    ['false', 'boolean', false],
    ['NULL::integer', 'integer', null],
    ["'(1,2)'::point", 'point', '(1,2)'],
    ['ARRAY[1, NULL, 3]', 'integer[]', '{1,NULL,3}'],
    ["'10.0.0.1/8'::inet", 'inet', '10.0.0.1/8'],
    ["B'0101'", 'bit', '0101'],
    ["'paid'::order_status", 'order_status', 'paid'],
    ["'[1,2)'::billing.price_range", 'billing.price_range', '[1,2)'],
    ["'größe 👩‍💻'", 'text', 'größe 👩‍💻'],
    ["''", 'text', ''],
    ["'a'::varchar(7)", 'character varying(7)', 'a'],
    ["'2024-01-01 00:00'::timestamp(3)", 'timestamp(3) without time zone', '2024-01-01 00:00:00'],
  ];

  it.each(cases)('%s comes as %s without loss', async (sql, type, cell) => {
    assertMade(session);
    const rows = await rowsOf(`SELECT ${sql} AS x`);
    expect(rows).toEqual({ columns: [{ name: 'x', type }], rows: [[cell]], rowCount: 1, truncated: false });
  });

  it('keeps columns of the same name apart', async () => {
    assertMade(session);
    const rows = await rowsOf('SELECT 1 AS a, 2 AS a');
    expect(rows?.columns.map(({ name }) => name)).toEqual(['a', 'a']);
    expect(rows?.rows).toEqual([[1, 2]]);
  });

  it("reads the same whatever the role's settings are", async () => {
    assertMade(lab);
    const odd =
      '-c datestyle=German -c bytea_output=escape -c intervalstyle=iso_8601 -c client_encoding=LATIN1 -c extra_float_digits=-5';
    const other = postgresEngine.open({ ...lab.target, options: { options: odd } }, engineContext());
    const sql = `SELECT '2024-03-10'::date, '\\x00ff'::bytea, '1 day'::interval, 'größe €', 0.1::float8 + 0.2::float8`;
    const outcome = await readOf(other, sql, CAPS, signal());
    expect(outcome).toMatchObject({
      rows: { rows: [['2024-03-10', { bytes: 2, hex: '00ff' }, '1 day', 'größe €', 0.30000000000000004]] },
    });
    await other.end();
  });

  it('carries notices as messages', async () => {
    assertMade(session);
    const rows = await rowsOf("SELECT to_tsquery('english', 'the')");
    expect(rows?.messages).toEqual([expect.stringMatching(/^NOTICE: text-search query contains only stop words/)]);
  });
});

describe('caps on Postgres', () => {
  it('stops at the row cap and says so', async () => {
    assertMade(session);
    const rows = await rowsOf('SELECT g FROM generate_series(1, 100000) g', { ...CAPS, rows: 3 });
    expect(rows).toMatchObject({ rows: [[1], [2], [3]], rowCount: 3, truncated: true });
    expect(await rowsOf('SELECT g FROM generate_series(1, 3) g', { ...CAPS, rows: 3 })).toMatchObject({
      truncated: false,
    });
  });

  it('cuts a cell and lists it with its full length', async () => {
    assertMade(session);
    const rows = await rowsOf("SELECT 1, repeat('é', 5000000), decode(repeat('ff', 100000), 'hex')");
    expect(rows?.cut).toEqual([
      { row: 0, column: 1, length: 10_000_000 },
      { row: 0, column: 2, length: 100_000 },
    ]);
  });

  it('refuses a row too long to be held, and continues', async () => {
    assertMade(session);
    await expect(rowsOf("SELECT repeat('x', 300000000)")).rejects.toMatchObject({
      code: 'E_SQL',
      message: expect.stringContaining('256 MiB'),
    });
    expect((await rowsOf('SELECT 1'))?.rows).toEqual([[1]]);
  }, 60_000);

  it('leaves nothing running on the server after a cap', async () => {
    assertMade(lab);
    assertMade(session);
    await rowsOf("SELECT pg_sleep(0.001), 'capped' FROM generate_series(1, 1000000)", { ...CAPS, rows: 1 });
    await nothingRuns('capped');
  });
});

/** Resolves when no statement with this mark is running any more. */
async function nothingRuns(mark: string): Promise<void> {
  const sql = `SELECT count(*) FROM pg_stat_activity WHERE state = 'active' AND query LIKE '%${mark}%' AND pid <> pg_backend_pid()`;
  for (;;) {
    const [[running] = []] = (await lab?.ask(sql)) ?? [];
    if (running === '0') return;
  }
}

describe('errors of Postgres', () => {
  it.each([
    ['SELECT nam FROM customers', 'E_SQL', 'column "nam" does not exist', 'Near columns: name.', '42703', 8],
    [
      'SELECT * FROM costumers',
      'E_UNKNOWN_TABLE',
      'relation "costumers" does not exist',
      'Near names: customers.',
      '42P01',
      15,
    ],
    ['SELEC 1', 'E_SQL', 'syntax error at or near "SELEC"', undefined, '42601', 1],
    ["SELECT 'größe', nam FROM customers", 'E_SQL', 'column "nam" does not exist', 'Near columns: name.', '42703', 17],
    ["SELECT 'größe' x y", 'E_SQL', 'syntax error at or near "y"', undefined, '42601', 18],
  ])('%s keeps message, code and position', async (sql, code, message, hint, engineCode, position) => {
    assertMade(session);
    await expect(rowsOf(sql)).rejects.toMatchObject({ code, message, hint, details: { engineCode, position } });
  });

  it('checks a statement without running it', async () => {
    assertMade(lab);
    assertMade(session);
    await checkOf(session, 'DELETE FROM order_lines', signal());
    await expect(checkOf(session, 'DELETE FROM order_lins', signal())).rejects.toMatchObject({
      code: 'E_UNKNOWN_TABLE',
    });
    await expect(checkOf(session, 'DROP TABLE', signal())).rejects.toMatchObject({ code: 'E_SQL' });
    expect(await lab.ask('SELECT count(*) FROM order_lines')).toEqual([['4']]);
  });
});

describe('writes on Postgres', () => {
  it('counts a plain change by a dry run that leaves nothing', async () => {
    assertMade(lab);
    assertMade(session);
    await lab.ask(
      'CREATE TABLE plain (id integer PRIMARY KEY, n integer DEFAULT 1); INSERT INTO plain VALUES (1), (2), (3)',
    );
    expect(await previewOf(session, 'UPDATE plain SET n = 2 WHERE id > 1', signal())).toEqual({ affectedRows: 2 });
    expect(await previewOf(session, 'INSERT INTO plain VALUES (9), (10)', signal())).toEqual({ affectedRows: 2 });
    expect(await lab.ask('SELECT count(*), sum(n) FROM plain')).toEqual([['3', '3']]);
    expect(
      await lab.ask("SELECT count(*) FROM pg_locks WHERE relation = 'plain'::regclass AND pid <> pg_backend_pid()"),
    ).toEqual([['0']]);
  });

  it.each([
    ['INSERT INTO orders (customer_id) VALUES (1)', 'a default that draws from a sequence'],
    ["INSERT INTO customers (email) VALUES ('x@y')", 'an identity column'],
    ["UPDATE orders SET status = 'paid'", 'a trigger'],
    ['DELETE FROM orders WHERE id = 3', 'a key that deletes in another table'],
    ["INSERT INTO events VALUES (5, '2024-01-01', 'x')", 'partitions'],
    ['WITH x AS (SELECT 1) DELETE FROM order_lines WHERE line_no = 99', 'a common table expression'],
    ['UPDATE order_lines SET quantity = add_order(1)', 'a function that writes'],
    ['INSERT INTO scratch VALUES (1)', 'row security'],
    ['CREATE TABLE made (a integer)', 'a change of the schema'],
    ['DELETE FROM parent', 'children'],
  ])('only estimates %s: %s', async (sql) => {
    assertMade(lab);
    assertMade(session);
    const before = await lab.ask('SELECT last_value, is_called FROM orders_id_seq');
    const preview = await previewOf(session, sql, signal());
    expect(preview).toEqual({ affectedRows: undefined, estimate: expect.stringMatching(/\w/) });
    expect(await lab.ask('SELECT last_value, is_called FROM orders_id_seq')).toEqual(before);
  });

  it('commits a write and reports what it changed and returned', async () => {
    assertMade(lab);
    assertMade(session);
    await lab.ask('CREATE TABLE written (id integer, at timestamptz DEFAULT now())');
    const insert = await writeOf(session, 'INSERT INTO written VALUES (1), (2) RETURNING id', CAPS, 2, signal());
    expect(insert).toMatchObject({ kind: 'done', rows: { rows: [[1], [2]], affectedRows: 2 } });
    const ddl = await writeOf(session, 'ALTER TABLE written ADD COLUMN n integer', CAPS, undefined, signal());
    expect(ddl).toEqual({ kind: 'done', rows: { columns: [], rows: [], rowCount: 0, truncated: false } });
    expect(await lab.ask('SELECT id, n FROM written ORDER BY id')).toEqual([
      [1, null],
      [2, null],
    ]);
  });

  it('completes a change whose returned rows are over the caps', async () => {
    assertMade(lab);
    assertMade(session);
    await lab.ask('CREATE TABLE many (id integer)');
    const sql = 'INSERT INTO many SELECT g FROM generate_series(1, 20000) g RETURNING id';
    const outcome = await writeOf(session, sql, { ...CAPS, rows: 5 }, undefined, signal());
    expect(outcome).toMatchObject({ rows: { rowCount: 5, truncated: true, affectedRows: 20_000 } });
    expect(await lab.ask('SELECT count(*) FROM many')).toEqual([['20000']]);
  });

  it('rolls back a change of a different number of rows than agreed', async () => {
    assertMade(lab);
    assertMade(session);
    await lab.ask('CREATE TABLE counted (id integer); INSERT INTO counted VALUES (1), (2)');
    const outcome = await writeOf(session, 'DELETE FROM counted', CAPS, 1, signal());
    expect(outcome).toEqual({ kind: 'count-differs', affectedRows: 2 });
    expect(await lab.ask('SELECT count(*) FROM counted')).toEqual([['2']]);
  });

  it('runs what cannot run in a transaction', async () => {
    assertMade(lab);
    assertMade(session);
    await lab.ask('CREATE TABLE bare (id integer)');
    for (const sql of [
      'VACUUM bare',
      'CREATE INDEX CONCURRENTLY bare_id ON bare (id)',
      'REINDEX TABLE CONCURRENTLY bare',
    ]) {
      expect((await writeOf(session, sql, CAPS, undefined, signal())).kind).toBe('done');
    }
    expect(await lab.ask("SELECT count(*) FROM pg_indexes WHERE indexname = 'bare_id'")).toEqual([['1']]);
  });

  it('rolls back a change whose deferred key fails at the commit, and says so', async () => {
    assertMade(lab);
    assertMade(session);
    const sql = 'UPDATE orders SET referrer_id = 999 WHERE id = 1';
    await expect(writeOf(session, sql, CAPS, undefined, signal())).rejects.toMatchObject({
      code: 'E_SQL',
      details: { engineCode: '23503' },
    });
    expect(await lab.ask('SELECT referrer_id FROM orders WHERE id = 1')).toEqual([[null]]);
  });

  it('says that another session holds the lock', async () => {
    assertMade(lab);
    assertMade(session);
    await lab.ask('CREATE TABLE locked (id integer)');
    const { default: pg } = await import('pg');
    const { host, port, user, password, database } = lab.target;
    const holder = new pg.Client({ host, port, user, password: password?.open(), database });
    await holder.connect();
    await holder.query('BEGIN; LOCK TABLE locked');
    await expect(previewOf(session, 'INSERT INTO locked VALUES (1)', signal())).rejects.toMatchObject({
      code: 'E_SQL',
      details: { engineCode: '55P03' },
      hint: expect.stringContaining('lock'),
    });
    await holder.end();
  }, 30_000);
});

describe('exports from Postgres', () => {
  it('writes csv and jsonl with every row and every byte', async () => {
    assertMade(session);
    const sql = `SELECT g AS n, 'a,"b"' || g AS t, NULL AS nothing, '\\xff'::bytea AS b FROM generate_series(1, 20000) g`;
    for (const format of ['csv', 'jsonl'] as const) {
      const chunks: Buffer[] = [];
      let rows = 0;
      const sink = {
        write: async (chunk: Buffer, count: number) => {
          chunks.push(Buffer.from(chunk));
          rows += count;
        },
      };
      await exportOf(session, sql, format, sink, signal());
      const lines = Buffer.concat(chunks)
        .toString('utf8')
        .trimEnd()
        .split(format === 'csv' ? '\r\n' : '\n');
      expect(rows).toBe(20_000);
      expect(lines).toHaveLength(format === 'csv' ? 20_001 : 20_000);
      expect(lines.at(-1)).toBe(
        format === 'csv'
          ? '20000,"a,""b""20000",,ff'
          : '{"n":20000,"t":"a,\\"b\\"20000","nothing":null,"b":{"bytes":1,"hex":"ff"}}',
      );
    }
  });

  it('makes the server wait for a slow sink, and ends at once when the sink fails', async () => {
    assertMade(session);
    let chunks = 0;
    const sink = {
      write: async () => {
        chunks += 1;
        if (chunks === 20) throw new Error('disk full');
      },
    };
    const sql = "SELECT g, repeat('x', 100), 'failing sink' FROM generate_series(1, 3000000) g";
    await expect(exportOf(session, sql, 'csv', sink, signal())).rejects.toThrow('disk full');
    expect(chunks).toBe(20);
    await nothingRuns('failing sink');
  }, 30_000);

  it('accepts only a read', async () => {
    assertMade(session);
    const sink = { write: async () => undefined };
    for (const sql of ['DELETE FROM orders', 'SELECT add_order(1)']) {
      await expect(exportOf(session, sql, 'csv', sink, signal())).rejects.toMatchObject({ code: 'E_READ_ONLY' });
    }
  });
});

describe('a read that opens its transaction in the same exchange', () => {
  const OPENING = ['BEGIN READ ONLY', 'SELECT 1'];
  const HARM = "INSERT INTO devdb_opened SELECT 'harm'";

  async function onConnection(work: (connection: ServerConnection, committed: string) => Promise<void>): Promise<void> {
    assertMade(lab);
    await lab.ask('CREATE TABLE IF NOT EXISTS devdb_opened (what text)');
    const connection = await ServerConnection.open(lab.target, engineContext(), signal());
    try {
      await work(connection, await committedNow(connection));
    } finally {
      await connection.close();
    }
    await expect(lab.ask('SELECT * FROM devdb_opened')).resolves.toEqual([]);
  }

  it('gives the rows of the read alone, in an open transaction', async () => {
    await onConnection(async (connection, wanted) => {
      const rows: (readonly (string | null)[])[] = [];
      const row = (values: readonly (string | null)[]): void => void rows.push(values);
      const text = "SELECT current_setting('transaction_read_only')";
      await connection.run(text, 'statement', { row }, [], { opening: OPENING, wanted });
      expect(rows).toEqual([['on']]);
      expect(connection.inTransaction).toBe(true);
    });
  });

  it.each<[string, readonly string[], string | undefined]>([
    ['nothing has opened it', ['SELECT 1', 'SELECT 2'], undefined],
    ['it may write', ['BEGIN READ WRITE', 'SELECT 1'], undefined],
    ['somebody has committed', ['BEGIN READ WRITE', 'SELECT 1'], '1:1:'],
    ['opening it failed', ['BEGIN READ ONLY', "SELECT set_config('devdb', 'x', 1)"], undefined],
  ])('is not run where %s', async (why, opening, other) => {
    await onConnection(async (connection, committed) => {
      let opened = false;
      const before = {
        opening,
        wanted: other ?? committed,
        opened: () => {
          opened = true;
        },
      };
      await expect(connection.run(HARM, 'statement', {}, [], before)).rejects.toThrow(NotRunAsJudged);
      expect(opened).toBe(why !== 'opening it failed');
      await connection.run('ROLLBACK', 'script');
    });
  });

  it("fails in the server's words where the read itself does", async () => {
    await onConnection(async (connection, wanted) => {
      const run = (text: string) => connection.run(text, 'statement', {}, [], { opening: OPENING, wanted });
      await expect(run('SELECT nosuch FROM devdb_opened')).rejects.toMatchObject({ code: '42703' });
      await connection.run('ROLLBACK', 'script');
      await expect(run('SELECT 1/0')).rejects.toMatchObject({ code: '22012' });
      await connection.run('ROLLBACK', 'script');
      await expect(run(HARM)).rejects.toMatchObject({ code: '25006' });
    });
  });
});
