import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { errorOf } from './helpers/error-of.ts';
import { CAPS, type SqliteLab, soon, sqliteLab } from './helpers/sqlite-session.ts';
import { previewOf, readOf, writeOf } from './helpers/statements.ts';
import { rowsOf, runSql } from './helpers/temp-project.ts';

const SCHEMA = `
  CREATE TABLE items (id INTEGER PRIMARY KEY, name TEXT NOT NULL, price REAL CHECK (price >= 0));
  INSERT INTO items (name, price) VALUES ('a', 1), ('b', 2), ('c', 3);
  CREATE TABLE log (at TEXT, what TEXT);
  CREATE TABLE watched (id INTEGER PRIMARY KEY);
  INSERT INTO watched VALUES (1), (2);
  CREATE TRIGGER watched_gone AFTER DELETE ON watched BEGIN INSERT INTO log VALUES ('now', 'gone'); END;
  CREATE VIEW cheap AS SELECT * FROM items WHERE price < 2;`;

describe('SQLite writes', () => {
  let lab: SqliteLab;
  let file: string;
  let count = 0;
  beforeAll(async () => {
    lab = await sqliteLab();
  });
  afterAll(() => lab.end());
  beforeEach(() => {
    count += 1;
    file = runSql(join(lab.dir, `writes-${count}.db`), SCHEMA);
  });

  const all = () => rowsOf(file, 'SELECT id, name, price FROM items ORDER BY id');

  it('commits a write and reports how many rows it changed', async () => {
    const outcome = await writeOf(
      lab.session(file),
      'UPDATE items SET price = price + 1 WHERE id > 1',
      CAPS,
      undefined,
      soon(),
    );
    expect(outcome).toEqual({
      kind: 'done',
      rows: { columns: [], rows: [], rowCount: 0, truncated: false, affectedRows: 2 },
    });
    expect(all()).toEqual([
      [1, 'a', 1],
      [2, 'b', 3],
      [3, 'c', 4],
    ]);
  });

  it('returns the rows of RETURNING under the caps and changes all of them', async () => {
    const outcome = await writeOf(
      lab.session(file),
      'DELETE FROM items RETURNING id, name',
      { ...CAPS, rows: 2 },
      undefined,
      soon(),
    );
    expect(outcome).toMatchObject({
      kind: 'done',
      rows: {
        rows: [
          [1, 'a'],
          [2, 'b'],
        ],
        rowCount: 2,
        truncated: true,
        affectedRows: 3,
      },
    });
    expect(all()).toEqual([]);
  });

  it('rolls back when it would change a different number of rows than expected', async () => {
    const session = lab.session(file);
    expect(await writeOf(session, 'DELETE FROM items WHERE id > 1', CAPS, 1, soon())).toEqual({
      kind: 'count-differs',
      affectedRows: 2,
    });
    expect(all()).toHaveLength(3);
    expect(await writeOf(session, 'DELETE FROM items WHERE id > 1', CAPS, 2, soon())).toMatchObject({ kind: 'done' });
    expect(all()).toHaveLength(1);
  });

  it('leaves nothing of a failing statement', async () => {
    const session = lab.session(file);
    const error = await errorOf(writeOf(session, 'UPDATE items SET price = price - 2', CAPS, undefined, soon()));
    expect(error).toMatchObject({ code: 'E_SQL', details: { engineCode: 'SQLITE_CONSTRAINT_CHECK' } });
    expect(error.message).toContain('CHECK constraint failed');
    expect(all()).toHaveLength(3);
    expect(await writeOf(session, "INSERT INTO items(name) VALUES ('d')", CAPS, 1, soon())).toMatchObject({
      kind: 'done',
    });
  });

  it('runs DDL in a transaction, and outside what cannot run in one', async () => {
    const session = lab.session(file);
    const ddl = await writeOf(session, 'CREATE TABLE extra (a)', CAPS, undefined, soon());
    expect(ddl).toEqual({ kind: 'done', rows: { columns: [], rows: [], rowCount: 0, truncated: false } });
    await writeOf(session, 'VACUUM', CAPS, undefined, soon());
    await writeOf(session, 'PRAGMA user_version = 5', CAPS, undefined, soon());
    expect(await writeOf(session, 'PRAGMA journal_mode = WAL', CAPS, undefined, soon())).toMatchObject({
      rows: { rows: [['wal']] },
    });
    expect(rowsOf(file, 'PRAGMA user_version')).toEqual([[5]]);
    expect(await session.tables(soon())).toContain('extra');
  });

  it('never runs what is refused, under whatever name', async () => {
    const error = await errorOf(writeOf(lab.session(file), `ATTACH '${file}2' AS other`, CAPS, undefined, soon()));
    expect(error).toMatchObject({ code: 'E_SQL' });
    expect(readdirSync(lab.dir)).not.toContain(`writes-${count}.db2`);
  });

  it('previews a plain change by a dry run that leaves no trace and no lock', async () => {
    const session = lab.session(file);
    expect(await previewOf(session, 'DELETE FROM items WHERE id > 1', soon())).toEqual({ affectedRows: 2 });
    expect(await previewOf(session, "INSERT INTO items(name) VALUES ('x'), ('y')", soon())).toEqual({
      affectedRows: 2,
    });
    expect(await previewOf(session, 'UPDATE items SET price = 0 RETURNING id', soon())).toEqual({ affectedRows: 3 });
    expect(all()).toHaveLength(3);
    const other = new Database(file, { timeout: 0 });
    other.exec('BEGIN EXCLUSIVE; COMMIT');
    other.close();
  });

  it.each([
    ['DELETE FROM items WHERE id < 3', 2, 'Through foreign keys it changes 4 rows more.'],
    ['DELETE FROM items WHERE id = 2', 1, 'Through foreign keys it changes 1 row more.'],
    ['DELETE FROM items WHERE id = 3', 1, undefined],
    ["INSERT OR REPLACE INTO items VALUES (3, 'x', 1)", 1, 'Rows that conflict with the new ones are deleted.'],
    ["REPLACE INTO items VALUES (9, 'x', 1)", 1, 'Rows that conflict with the new ones are deleted.'],
  ])('previews what else %s changes', async (sql, affectedRows, estimate) => {
    runSql(
      file,
      `CREATE TABLE sold (item INTEGER REFERENCES items ON DELETE CASCADE);
       CREATE TABLE seen (item INTEGER REFERENCES items ON DELETE SET NULL);
       INSERT INTO sold VALUES (1), (1), (1); INSERT INTO seen VALUES (2);`,
    );
    expect(await previewOf(lab.session(file), sql, soon())).toEqual({ affectedRows, estimate });
    expect(rowsOf(file, 'SELECT (SELECT count(*) FROM sold), (SELECT count(item) FROM seen)')).toEqual([[3, 1]]);
    expect(all()).toHaveLength(3);
  });

  it.each([
    ['a table with triggers', 'DELETE FROM watched'],
    ['a view', 'DELETE FROM cheap'],
    ['a common table expression', 'WITH x AS (SELECT 1 AS id) DELETE FROM items WHERE id IN (SELECT id FROM x)'],
    ['a volatile function', 'DELETE FROM items WHERE random() > 0'],
  ])('does not dry-run a change of %s', async (_what, sql) => {
    if (sql.includes('cheap')) runSql(file, 'CREATE TRIGGER cheap_gone INSTEAD OF DELETE ON cheap BEGIN SELECT 1; END');
    const preview = await previewOf(lab.session(file), sql, soon());
    expect(preview.affectedRows).toBeUndefined();
    expect(preview.estimate).toMatch(/not known until/);
    expect(rowsOf(file, 'SELECT count(*) FROM log')).toEqual([[0]]);
  });

  it('describes DDL in words, and runs nothing of it', async () => {
    const session = lab.session(file);
    expect(await previewOf(session, 'DROP TABLE items', soon())).toEqual({
      estimate: expect.stringMatching(/^DROP /),
    });
    await previewOf(session, 'PRAGMA user_version = 9', soon());
    expect(all()).toHaveLength(3);
    expect(rowsOf(file, 'PRAGMA user_version')).toEqual([[0]]);
  });

  it('reports a mistake already in the preview', async () => {
    expect(await errorOf(previewOf(lab.session(file), 'DELETE FROM itms', soon()))).toMatchObject({
      code: 'E_UNKNOWN_TABLE',
      details: { near: ['items'] },
    });
  });

  it('runs the writes of one database one after the other', async () => {
    const session = lab.session(file);
    const writes = Array.from({ length: 20 }, (_, i) =>
      writeOf(session, `INSERT INTO log VALUES ('${i}', 'x')`, CAPS, 1, soon()),
    );
    expect(await Promise.all(writes)).toHaveLength(20);
    expect(rowsOf(file, 'SELECT at FROM log ORDER BY rowid').flat()).toEqual(
      Array.from({ length: 20 }, (_, i) => String(i)),
    );
  });

  it('leaves nothing of a write cancelled half-way, and the next one works', async () => {
    const session = lab.session(file);
    runSql(file, 'CREATE TABLE big (a, b); CREATE INDEX big_b ON big (b)');
    const cancel = new AbortController();
    const writing = errorOf(
      writeOf(
        session,
        'INSERT INTO big WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c) SELECT i, hex(randomblob(200)) FROM c',
        CAPS,
        undefined,
        cancel.signal,
      ),
    );
    await untilJournal(file);
    cancel.abort();
    expect(await writing).toMatchObject({ code: 'E_CANCELLED' });
    expect(await readOf(session, 'SELECT count(*) FROM big', CAPS, soon())).toMatchObject({ rows: { rows: [[0]] } });
    expect(await writeOf(session, 'INSERT INTO big VALUES (1, 2)', CAPS, 1, soon())).toMatchObject({ kind: 'done' });
  });
});

/** Resolves when a transaction has started to write. */
async function untilJournal(file: string): Promise<void> {
  const dir = join(file, '..');
  const journal = `${file}-journal`;
  while (!readdirSync(dir).some((name) => join(dir, name) === journal)) await new Promise(setImmediate);
}
