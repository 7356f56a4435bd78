import type { PlanNode } from '@devdb/shared/plans';
import { type ScratchDatabase, scratchDatabase, shopDatabase } from '../../../test/helpers/sqlite-shop.ts';
import { explain } from './plan.ts';

const NUMBERS = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1500)';
let shop: ScratchDatabase;
let large: ScratchDatabase;

beforeAll(() => {
  shop = shopDatabase();
  large = scratchDatabase([
    `CREATE TABLE big(id INTEGER PRIMARY KEY, a, b); CREATE TABLE other(x); CREATE INDEX by_a ON big(a);
     CREATE TABLE keyed(k PRIMARY KEY) WITHOUT ROWID; CREATE TABLE sparse(id INTEGER PRIMARY KEY);
     INSERT INTO sparse VALUES (1), (1000000);`,
    `${NUMBERS} INSERT INTO big SELECT i, i, i FROM n`,
    `${NUMBERS} INSERT INTO other SELECT i FROM n`,
    `${NUMBERS} INSERT INTO keyed SELECT i FROM n`,
  ]);
});
afterAll(() => {
  shop.remove();
  large.remove();
});

function explained(scratch: ScratchDatabase, sql: string): ReturnType<typeof explain> {
  const db = scratch.open();
  try {
    return explain(db, sql);
  } finally {
    db.close();
  }
}

function outline(nodes: readonly PlanNode[], depth = 0): string[] {
  return nodes.flatMap(({ operation, table, index, children }) => [
    '  '.repeat(depth) + [operation, table, index].filter((part) => part !== undefined).join(' / '),
    ...outline(children, depth + 1),
  ]);
}

describe('explain', () => {
  test.each([
    ['SELECT * FROM customers c WHERE c.id = 1', ['search / customers / primary key']],
    ["SELECT * FROM customers WHERE email = 'x'", ['search / customers / sqlite_autoindex_customers_1']],
    ['SELECT * FROM "odd ""name"" [x]" AS "o d" WHERE "with space" = \'a\'', ['search / odd "name" [x] / odd index']],
    ["SELECT * FROM products p WHERE sku = 'A-1'", ['search / products / primary key']],
    ['SELECT DISTINCT status FROM orders o', ['scan / orders', 'distinct']],
    ['SELECT status FROM orders ORDER BY status', ['scan / orders', 'sort']],
    [
      'SELECT 1 UNION SELECT 2',
      ['compound', '  compound part', '    constant rows', '  compound part', '    constant rows'],
    ],
    [
      'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5) SELECT * FROM n',
      ['subquery', '  recursion part', '    constant rows', '  recursion part', '    scan', 'scan'],
    ],
    [
      'DELETE FROM orders WHERE id IN (SELECT order_id FROM shipments s WHERE s.line_no = 1)',
      [
        'search / orders / primary key',
        'subquery',
        '  scan / shipments',
        'search / order_lines / sqlite_autoindex_order_lines_1',
      ],
    ],
    [
      'SELECT * FROM order_totals',
      [
        'subquery',
        '  scan / order_lines',
        '  search / products / primary key',
        '  search / orders / primary key',
        '  group',
        'scan',
      ],
    ],
    [
      'SELECT * FROM orders o WHERE EXISTS (SELECT 1 FROM customers WHERE id = o.customer_id)',
      ['scan / orders', 'search / customers / primary key'],
    ],
    [
      "SELECT * FROM customers WHERE id = 1 OR email = 'x'",
      [
        'multi-index',
        '  multi-index part',
        '    search / customers / primary key',
        '  multi-index part',
        '    search / customers / sqlite_autoindex_customers_1',
      ],
    ],
    ["SELECT * FROM product_search WHERE product_search MATCH 'x'", ['scan / product_search']],
  ])('plans %s', (sql, expected) => {
    const lines = outline(explained(shop, sql).plan);
    expect(lines).toEqual(expected);
  });

  test("keeps SQLite's words beside its own", () => {
    const [node] = explained(shop, 'EXPLAIN QUERY PLAN SELECT count(*) FROM order_lines').plan;
    expect(node).toMatchObject({ operation: 'index scan', table: 'order_lines', estimatedRows: 4 });
    expect(node?.detail).toContain('USING COVERING INDEX');
  });

  test('flags the full scan of a large table only', () => {
    expect(explained(large, 'SELECT * FROM big AS x WHERE b = 1').flags).toEqual([
      {
        flag: 'full-scan',
        table: 'big',
        message: 'Reads all rows of big (about 1500). A condition on an indexed column would read fewer.',
      },
    ]);
    expect(explained(large, 'SELECT * FROM big WHERE a = 1').flags).toEqual([]);
    expect(explained(large, 'SELECT * FROM sparse').flags).toEqual([]);
    expect(explained(large, 'SELECT * FROM keyed').flags).toMatchObject([{ flag: 'full-scan', table: 'keyed' }]);
    expect(explained(shop, 'SELECT * FROM orders').flags).toEqual([]);
    expect(explained(large, 'EXPLAIN UPDATE big SET b = 1').flags).toMatchObject([{ flag: 'full-scan' }]);
  });

  test('flags an index that SQLite builds by itself and a sort without one', () => {
    const { flags } = explained(
      shop,
      'SELECT * FROM products a JOIN products b ON a.title = b.title ORDER BY a.weight',
    );
    expect(flags.map(({ flag, table }) => [flag, table])).toEqual([
      ['missing-index', 'products'],
      ['temp-sort', undefined],
    ]);
    expect(flags[0]?.message).toContain('(title=?)');
  });

  test('names a scan that runs once for each row of another table, with how often', () => {
    const messages = (sql: string) => explained(large, sql).flags.map(({ message }) => message);
    const each = 'Reads all rows of other (about 1500) once for each row of big: 1500 times, 2250000 rows in all.';
    expect(messages('SELECT * FROM big CROSS JOIN other ON other.x > big.b').join()).toContain(each);
    expect(messages('SELECT (SELECT count(*) FROM other WHERE x > big.b) FROM big').join()).toContain(each);
    const search = 'SELECT * FROM big CROSS JOIN other ON other.x > big.b WHERE big.a = 5';
    expect(messages(search)).toEqual([
      expect.stringContaining('Reads all rows of other (about 1500) once for each row of big. An index'),
    ]);
    expect(messages('SELECT (SELECT count(*) FROM other) FROM big').join()).not.toContain('once for each');
    expect(messages('SELECT * FROM big WHERE b IN (SELECT x FROM other)').join()).not.toContain('once for each');
    expect(messages('SELECT a FROM big UNION ALL SELECT x FROM other').join()).not.toContain('once for each');
  });

  test('names a scan of a small table that runs very often', () => {
    const often = scratchDatabase([
      'CREATE TABLE few(x); INSERT INTO few VALUES (1), (2), (3); CREATE TABLE some(y);',
      `CREATE TABLE many(z); ${NUMBERS} INSERT INTO many SELECT i FROM n; ${NUMBERS} INSERT INTO some SELECT i FROM n WHERE i <= 200`,
    ]);
    const about = (sql: string) => explained(often, sql).flags.flatMap(({ table }) => table ?? []);
    expect(about('SELECT * FROM many CROSS JOIN some ON y > z')).toEqual(['many', 'some']);
    expect(about('SELECT * FROM many CROSS JOIN few ON x > z')).toEqual(['many']);
    often.remove();
  });

  test('knows the aliases inside views, through views that read views', () => {
    const script = `CREATE TABLE t(a); CREATE VIEW v1 AS SELECT q.a FROM t AS q; CREATE VIEW v2 AS SELECT a FROM v1 GROUP BY a;`;
    const nested = scratchDatabase([script]);
    expect(outline(explained(nested, 'SELECT * FROM v2').plan)[1]).toBe('  scan / t');
    nested.remove();
  });

  test('does not resolve an alias of two tables', () => {
    const sql = 'SELECT x.status FROM orders x UNION ALL SELECT x.value FROM measurements x';
    expect(outline(explained(shop, sql).plan).filter((line) => line.includes('scan'))).toEqual([
      '    scan',
      '    scan',
    ]);
  });

  test('does not mistake a common table expression for the table of its name', () => {
    const sql = 'WITH big AS MATERIALIZED (SELECT 1 AS one) SELECT * FROM big, big AS again';
    const { plan, flags } = explained(large, sql);
    expect(flags).toEqual([]);
    expect(outline(plan).join()).not.toContain('/ big');
  });

  test("leaves a mistake to SQLite's own message", () => {
    const db = shop.open();
    expect(() => explain(db, 'SELEC 1')).toThrow('near "SELEC": syntax error');
    expect(() => explain(db, 'EXPLAIN SELEC 1')).toThrow('near "SELEC": syntax error');
    db.close();
  });

  test('does not run or prepare what takes effect when explained', () => {
    const db = shop.open();
    expect(() => explain(db, 'PRAGMA query_only = OFF')).toThrow(expect.objectContaining({ code: 'E_SQL' }));
    expect(() => explain(db, 'PRAGMA user_version = 7')).toThrow(expect.objectContaining({ code: 'E_SQL' }));
    expect(() => explain(db, "ATTACH 'x' AS y")).toThrow(expect.objectContaining({ code: 'E_SQL' }));
    expect(() => explain(db, 'VACUUM')).toThrow('SQLite has no plan for VACUUM.');
    expect(db.pragma('query_only', { simple: true })).toBe(1);
    db.close();
  });

  test('plans a write and leaves the rows unchanged', () => {
    const db = shop.open();
    const count = db.prepare('SELECT count(*) FROM orders').pluck();
    const before = count.get();
    expect(explain(db, 'DELETE FROM orders').plan.length).toBeGreaterThan(0);
    expect(explain(db, "CREATE TABLE t AS SELECT * FROM orders WHERE status = 'x'").plan).toHaveLength(1);
    expect(count.get()).toBe(before);
    db.close();
  });
});
