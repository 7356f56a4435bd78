import { getOverview } from '@devdb/shared/tools/database/get-overview';
import Database from 'better-sqlite3';
import { type ScratchDatabase, scratchDatabase, shopDatabase } from '../../../test/helpers/sqlite-shop.ts';
import { MAX_OVERVIEW_BYTES } from '../limits.ts';
import type { Included } from '../overview-facts.ts';
import type { Overview } from '../overview-text.ts';
import { overview } from './overview.ts';

let shop: ScratchDatabase;
beforeAll(() => {
  shop = shopDatabase();
});
afterAll(() => shop.remove());

function overviewOf(script: string, tables?: readonly string[], include?: readonly Included[]): Overview {
  const scratch = scratchDatabase([script]);
  const db = scratch.open();
  try {
    return getOverview.output.parse(overview(db, tables, include).answer);
  } finally {
    db.close();
    scratch.remove();
  }
}

function rowsOf(script: string): number | null | undefined {
  return overviewOf(script, ['t']).tables[0]?.rows;
}

const NUMBERS = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000)';

describe('overview', () => {
  test('shows columns, keys and the foreign-key graph', () => {
    const db = shop.open();
    const { tables, foreignKeys, truncated } = overview(db, ['orders', 'MAIN.products', 'shipments', 'orders']).answer;
    expect(tables.map(({ name }) => name)).toEqual(['orders', 'products', 'shipments']);
    expect(tables[0]).toEqual({
      name: 'orders',
      kind: 'table',
      columns: [
        'id INTEGER PK',
        'customer_id INTEGER NOT NULL',
        'referrer_id INTEGER',
        'placed_at TEXT NOT NULL',
        'status TEXT NOT NULL',
      ],
      rows: 3,
      atMost: true,
      kinds: ['status'],
    });
    expect(tables[1]?.columns).toEqual(
      expect.arrayContaining(['sku TEXT PK NOT NULL', 'price REAL GENERATED', 'weight']),
    );
    expect(foreignKeys).toEqual([
      'orders(customer_id) -> customers(id)',
      'orders(referrer_id) -> customers(id)',
      'shipments(order_id, line_no) -> order_lines(order_id, line_no)',
    ]);
    expect(truncated).toBe(false);
    db.close();
  });

  test('continues after a view that cannot be read and says why', () => {
    const db = shop.open();
    const { tables } = overview(db, undefined).answer;
    expect(tables).toHaveLength(11);
    expect(tables[0]).toMatchObject({ name: 'broken_view', kind: 'view', rows: null });
    expect(tables[0]?.comment).toMatch(/^cannot be read: no such table/);
    expect(tables.find(({ name }) => name === 'product_search')?.kind).toBe('virtual table');
    expect(tables.find(({ name }) => name === 'odd "name" [x]')?.columns[1]).toBe('"with space" TEXT');
    db.close();
  });

  test('continues after circular views and a virtual table without its module', () => {
    const ghost = "('table', 'ghost', 'ghost', 0, 'CREATE VIRTUAL TABLE ghost USING no_such_module(a)')";
    const scratch = scratchDatabase([
      'CREATE TABLE fine(a); CREATE VIEW one AS SELECT * FROM two; CREATE VIEW two AS SELECT * FROM one',
    ]);
    const writer = new Database(scratch.file);
    writer.unsafeMode(true).pragma('writable_schema = ON');
    writer.exec(`INSERT INTO sqlite_schema VALUES ${ghost}`);
    writer.close();
    const db = scratch.open();
    const { tables } = overview(db, undefined).answer;
    expect(tables.map(({ name, comment }) => [name, comment])).toEqual([
      ['fine', undefined],
      ['ghost', 'cannot be read: no such module: no_such_module'],
      ['one', 'cannot be read: view one is circularly defined'],
      ['two', 'cannot be read: view two is circularly defined'],
    ]);
    db.close();
    scratch.remove();
  });

  test('marks a column that is unique by itself, not one of a pair or of a partial index', () => {
    const script = `CREATE TABLE t(a UNIQUE, b, c, d, UNIQUE (b, c)); CREATE UNIQUE INDEX i ON t(d) WHERE d > 1;
      CREATE UNIQUE INDEX e ON t(lower(b))`;
    expect(overviewOf(script).tables[0]?.columns).toEqual(['a UNIQUE', 'b', 'c', 'd']);
  });

  test.each([
    [
      'what ANALYZE counted',
      `CREATE TABLE t(a); ${NUMBERS} INSERT INTO t SELECT i FROM n; CREATE INDEX i ON t(a); ANALYZE`,
      2000,
    ],
    ['the ends of the rowids', `CREATE TABLE t(a); ${NUMBERS} INSERT INTO t SELECT i FROM n`, 2000],
    ['nothing in an empty table', 'CREATE TABLE t(a)', 0],
    ['ids that start high', 'CREATE TABLE t(id INTEGER PRIMARY KEY); INSERT INTO t VALUES (1000000), (1000001)', 2],
    [
      'no estimate for ids spread wider than the file',
      'CREATE TABLE t(id INTEGER PRIMARY KEY); INSERT INTO t VALUES (-9223372036854775808), (9223372036854775807)',
      null,
    ],
    ['a column that is called rowid', "CREATE TABLE t(rowid TEXT); INSERT INTO t VALUES ('a'), ('z')", 2],
    [
      'none when every name of the rowid is taken',
      'CREATE TABLE t(rowid, _rowid_, oid); INSERT INTO t VALUES (1, 2, 3)',
      null,
    ],
    ['none without rowids', 'CREATE TABLE t(a PRIMARY KEY) WITHOUT ROWID; INSERT INTO t VALUES (1)', null],
    ['none for a view', 'CREATE VIEW t AS SELECT 1', null],
  ])('estimates rows: %s', (_what, script, rows) => {
    expect(rowsOf(script)).toBe(rows);
  });

  test('says of a rowid estimate that it is a bound, and of what ANALYZE counted that it is not', () => {
    const [bound] = overviewOf(
      'CREATE TABLE t(a); INSERT INTO t VALUES (1), (2), (3); DELETE FROM t WHERE a = 2',
    ).tables;
    expect(bound).toMatchObject({ rows: 3, atMost: true });
    const counted = 'CREATE TABLE t(a); CREATE INDEX i ON t(a); INSERT INTO t VALUES (1), (2); ANALYZE';
    expect(overviewOf(counted).tables[0]).not.toHaveProperty('atMost');
  });

  test('has indexes and view definitions when they are asked for', () => {
    const script = `CREATE TABLE t(a PRIMARY KEY, b UNIQUE, "c d"); CREATE UNIQUE INDEX "i x" ON t("c d", a);
      CREATE INDEX e ON t(lower(b)); CREATE TABLE pair(x, y, PRIMARY KEY (y, x)); CREATE VIEW v AS SELECT a FROM t`;
    const { tables } = overviewOf(script, undefined, ['indexes', 'views']);
    expect(tables.map(({ name, indexes, definition }) => [name, indexes, definition])).toEqual([
      ['pair', ['primary key (y, x)'], undefined],
      ['t', ['key (b)', 'UNIQUE "i x" ("c d", a)', 'e ((expression))'], undefined],
      ['v', undefined, 'CREATE VIEW v AS SELECT a FROM t'],
    ]);
    expect(JSON.stringify(overviewOf(script))).not.toMatch(/indexes|definition/);
  });

  test('lists all tables of a schema that is too large, and says what is missing', () => {
    const columns = Array.from({ length: 60 }, (_, at) => `a_rather_long_column_name_${at} VARCHAR(255) NOT NULL`).join(
      ', ',
    );
    const script = Array.from({ length: 200 }, (_, at) => `CREATE TABLE t${at}(${columns});`).join('\n');
    const answer = overviewOf(script);
    expect(answer.truncated).toBe(true);
    expect(answer.tables).toHaveLength(200);
    expect(answer.tables.at(-1)).toMatchObject({ columns: [], columnCount: 60 });
    expect(answer.more).toMatch(/^\d+ tables are listed with their key columns alone: name them in tables/);
    expect(Buffer.byteLength(JSON.stringify(answer))).toBeLessThanOrEqual(MAX_OVERVIEW_BYTES + 100);
  });

  test('gives the first columns of a table that is too wide by itself', () => {
    const columns = Array.from({ length: 1900 }, (_, at) => `${'long'.repeat(20)}_${at} TEXT`);
    const answer = overviewOf(`CREATE TABLE t(${columns.join(', ')})`);
    expect(answer.truncated).toBe(true);
    expect(answer.tables[0]?.columns.length).toBeGreaterThan(1000);
    expect(answer.tables[0]?.columnCount).toBe(1900);
    expect(Buffer.byteLength(JSON.stringify(answer))).toBeLessThanOrEqual(MAX_OVERVIEW_BYTES + 200);
  });

  test("refers to the parent's key where the reference names no column, and only to the parent where it is missing", () => {
    const script = `CREATE TABLE p(x, y, PRIMARY KEY (y, x)); CREATE TABLE t(a, b, c REFERENCES gone, FOREIGN KEY (a, b) REFERENCES p)`;
    expect(overviewOf(script).foreignKeys).toEqual(['t(c) -> gone', 't(a, b) -> p(y, x)']);
  });

  test('refuses names of which none is known, and tells those that are not among others', () => {
    expect(() => overviewOf('CREATE TABLE t(a)', ['tt', 'other'])).toThrow(
      expect.objectContaining({ code: 'E_UNKNOWN_TABLE' }),
    );
    expect(overviewOf('CREATE TABLE t(a)', ['t', 'tt'])).toMatchObject({
      tables: [{ name: 't' }],
      unknown: [{ name: 'tt', near: ['t'] }],
    });
  });

  test('of a named table tells who references it, in any case of the name, at most 100', () => {
    const script = `CREATE TABLE P(id INTEGER PRIMARY KEY, up REFERENCES p); CREATE TABLE c(a REFERENCES p(id), b REFERENCES q)`;
    expect(overviewOf(script, ['P']).referencedBy).toEqual(['c(a) -> p(id)']);
    expect(overviewOf(script, ['c']).referencedBy).toBeUndefined();
    expect(overviewOf(script).referencedBy).toBeUndefined();
    const many = Array.from({ length: 120 }, (_, at) => `CREATE TABLE c${at}(a REFERENCES p(id));`).join('');
    const { referencedBy, truncated } = overviewOf(`CREATE TABLE p(id INTEGER PRIMARY KEY); ${many}`, ['p']);
    expect([referencedBy?.length, truncated]).toEqual([100, true]);
  });
});
