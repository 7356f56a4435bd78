import Database from 'better-sqlite3';
import { type ScratchDatabase, scratchDatabase } from '../../../test/helpers/sqlite-shop.ts';
import { withIndexAdvice } from './index-advice.ts';
import { explain } from './plan.ts';

const NUMBERS = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1500)';
let large: ScratchDatabase;

beforeAll(() => {
  large = scratchDatabase([
    `CREATE TABLE big(id INTEGER PRIMARY KEY, a, b TEXT COLLATE NOCASE, c INTEGER, "odd name", UNIQUE (c, a));
     CREATE TABLE other(x, y); CREATE VIEW seen AS SELECT * FROM big WHERE b > 'a';
     CREATE TABLE keyed(k, v, PRIMARY KEY (k)) WITHOUT ROWID`,
    `${NUMBERS} INSERT INTO big SELECT i, i, i, i, i FROM n`,
    `${NUMBERS} INSERT INTO other SELECT i, i FROM n`,
    `${NUMBERS} INSERT INTO keyed SELECT i, i FROM n`,
  ]);
});
afterAll(() => large.remove());

function advised(sql: string, scratch: ScratchDatabase = large): string[] {
  const db = scratch.open();
  try {
    const { flags } = explain(db, sql);
    const told = withIndexAdvice(db, () => new Database(':memory:'), sql, flags);
    return told.flatMap(({ flag, message }) => (flag === 'missing-index' ? message : []));
  } finally {
    db.close();
  }
}

test.each([
  ['an equality', 'SELECT * FROM big WHERE b = 1', 'big (b)', 'b=?'],
  ['a name with quotes', 'SELECT * FROM big WHERE "odd name" = 1', 'big ("odd name")', 'odd name=?'],
  ['two columns, the equal one first', 'SELECT id FROM big WHERE b > 1 AND a = 2', 'big (a, b)', 'a=? AND b>?'],
  ['a table without rowids', 'SELECT * FROM keyed WHERE v = 1', 'keyed (v)', 'v=?'],
  ['a view', 'SELECT * FROM seen WHERE b = 5', 'big (b)', 'b=?'],
  ['a join that builds an index', 'SELECT * FROM other o JOIN other p ON p.y = o.x', 'other (y)', 'y=?'],
  ['a change', 'UPDATE big SET a = 1 WHERE b = 2', 'big (b)', 'b=?'],
])('names the index that would help: %s', (_what, sql, index, constraint) => {
  expect(advised(sql)).toEqual([
    `An index on ${index} would be used: planned with it, SQLite searches (${constraint}) instead of reading all rows.`,
  ]);
});

test('gives the statement that creates the index, and SQLite then searches it, also on a handle that was open before', () => {
  const db = large.open();
  const writer = new Database(db.name);
  try {
    const sql = 'SELECT * FROM big WHERE "odd name" = 1 AND b > 2';
    const told = withIndexAdvice(db, () => new Database(':memory:'), sql, explain(db, sql).flags);
    const [create = ''] = told.flatMap(({ createIndex }) => createIndex ?? []);
    expect(create).toBe('CREATE INDEX "big_odd name_b_idx" ON "big" ("odd name", "b");');
    writer.prepare(create).run();
    expect(explain(db, sql).source).toBe('SEARCH big USING INDEX big_odd name_b_idx (odd name=? AND b>?)');
  } finally {
    writer.prepare('DROP INDEX IF EXISTS "big_odd name_b_idx"').run();
    writer.close();
    db.close();
  }
});

test.each([
  ['an expression', 'SELECT * FROM big WHERE a + 0 = 1'],
  ['no condition', 'SELECT * FROM big'],
  ['a column of the list alone', 'SELECT b FROM big'],
  ['a column that an index finds already', 'SELECT * FROM big WHERE c = 1'],
])('names none that SQLite would not search: %s', (_what, sql) => {
  expect(advised(sql)).toEqual([]);
});

test('objects that cannot be copied do not keep it from naming one, and the database stays as it is', () => {
  const odd = scratchDatabase([
    `CREATE TABLE t(a, b "VARCHAR(10); DROP TABLE t", g AS (a + 1)); ${NUMBERS} INSERT INTO t SELECT i, i FROM n;
     CREATE INDEX part ON t(a) WHERE b > 1; CREATE INDEX e ON t(lower(b)); CREATE VIEW broken AS SELECT * FROM gone;
     CREATE VIRTUAL TABLE words USING fts5(w); CREATE TRIGGER tr AFTER INSERT ON t BEGIN DELETE FROM t; END; ANALYZE`,
  ]);
  const objects = () => {
    const db = odd.open();
    const found = db.prepare('SELECT type, name, sql FROM sqlite_schema').all();
    db.close();
    return found;
  };
  const before = objects();
  expect(advised('SELECT * FROM t WHERE b = 1', odd)).toEqual([expect.stringContaining('An index on t (b) would')]);
  expect(objects()).toEqual(before);
  odd.remove();
});
