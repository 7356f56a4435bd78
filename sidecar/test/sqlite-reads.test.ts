import { join } from 'node:path';
import { errorOf } from './helpers/error-of.ts';
import { CAPS, rowsRead, type SqliteLab, soon, sqliteLab } from './helpers/sqlite-session.ts';
import { checkOf, explainOf, readOf } from './helpers/statements.ts';
import { rowsOf, runSql } from './helpers/temp-project.ts';

const SCHEMA = `
  CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT, active BOOLEAN, seen BOOL, avatar BLOB, score REAL, any_thing);
  INSERT INTO users VALUES
    (1, 'Zoë', 1, 0, x'00ff', 1.5, 'text'),
    (2, NULL, NULL, 1, NULL, NULL, 9007199254740993),
    (9223372036854775807, 'last', 0, 2, NULL, 9e999, NULL);
  CREATE VIEW names AS SELECT name FROM users;`;

describe('SQLite reads', () => {
  let lab: SqliteLab;
  let file: string;
  beforeAll(async () => {
    lab = await sqliteLab();
    file = runSql(join(lab.dir, 'reads.db'), SCHEMA);
  });
  afterAll(() => lab.end());

  it('gives columns once and rows without loss', async () => {
    const rows = await rowsRead(lab.session(file), 'SELECT * FROM users ORDER BY id');
    expect(rows).toEqual({
      columns: [
        { name: 'id', type: 'INTEGER' },
        { name: 'name', type: 'TEXT' },
        { name: 'active', type: 'BOOLEAN' },
        { name: 'seen', type: 'BOOL' },
        { name: 'avatar', type: 'BLOB' },
        { name: 'score', type: 'REAL' },
        { name: 'any_thing', type: 'TEXT' },
      ],
      rows: [
        [1, 'Zoë', true, false, { bytes: 2, hex: '00ff' }, 1.5, 'text'],
        [2, null, null, true, null, null, '9007199254740993'],
        ['9223372036854775807', 'last', false, 2, null, 'Infinity', null],
      ],
      rowCount: 3,
      truncated: false,
    });
  });

  it("names the storage class of an expression's first value, and keeps repeated column names", async () => {
    const rows = await rowsRead(
      lab.session(file),
      "SELECT NULL AS n, 1 AS n, 1.0 AS r, 'a' AS t, x'01' AS b UNION ALL SELECT NULL, 2, 2.0, 'b', x'02'",
    );
    expect(rows.columns).toEqual([
      { name: 'n', type: 'NULL' },
      { name: 'n', type: 'INTEGER' },
      { name: 'r', type: 'REAL' },
      { name: 't', type: 'TEXT' },
      { name: 'b', type: 'BLOB' },
    ]);
  });

  it('has the columns of an empty answer', async () => {
    const rows = await rowsRead(lab.session(file), 'SELECT id, 1 AS x FROM users WHERE id = 0');
    expect(rows).toMatchObject({
      columns: [
        { name: 'id', type: 'INTEGER' },
        { name: 'x', type: 'NULL' },
      ],
      rows: [],
      rowCount: 0,
      truncated: false,
    });
  });

  it('keeps NUL characters in text, replaces invalid UTF-8, and says where and how to read it', async () => {
    const session = lab.session(file);
    const rows = await rowsRead(session, `SELECT 'a' || char(0) || 'b', CAST(x'61ff62' AS TEXT) AS "odd one"`);
    expect(rows.rows).toEqual([['a\0b', 'a\uFFFDb']]);
    expect(rows.messages).toEqual([expect.stringMatching(/U\+FFFD .* CAST\(.* "odd one"/)]);
    expect(await rowsRead(session, "SELECT CAST(CAST(x'61ff62' AS TEXT) AS BLOB)")).toMatchObject({
      rows: [[{ bytes: 3, hex: '61ff62' }]],
    });
    expect(await rowsRead(session, "SELECT 'plain', 'é'")).not.toHaveProperty('messages');
  });

  it('stops at the row cap and says whether there is more', async () => {
    const session = lab.session(file);
    const numbers = (n: number) =>
      `WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c LIMIT ${n}) SELECT i FROM c`;
    expect(await rowsRead(session, numbers(500))).toMatchObject({ rowCount: 500, truncated: false });
    expect(await rowsRead(session, numbers(501))).toMatchObject({ rowCount: 500, truncated: true });
  });

  it('stops at the byte cap', async () => {
    const rows = await rowsRead(
      lab.session(file),
      "WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c LIMIT 100) SELECT i, printf('%.*c', 1000, 'é') FROM c",
    );
    expect(rows.truncated).toBe(true);
    expect(rows.cut).toBeUndefined();
    expect(Buffer.byteLength(JSON.stringify(rows.rows))).toBeLessThanOrEqual(CAPS.bytes);
  });

  it('cuts a long cell and reports its length', async () => {
    const rows = await rowsRead(lab.session(file), "SELECT 1, printf('%.*c', 5000, 'x'), zeroblob(3000)");
    expect(rows.cut).toEqual([
      { row: 0, column: 1, length: 5_000 },
      { row: 0, column: 2, length: 3_000 },
    ]);
    expect(rows.rows[0]?.[1]).toBe('x'.repeat(4_096));
    expect(rows.rows[0]?.[2]).toEqual({ bytes: 3_000, hex: '00'.repeat(2_048) });
  });

  it('reads one cell of 200 MB and releases the memory with its process', async () => {
    const session = lab.session(file);
    const rows = await rowsRead(session, "SELECT printf('%.*c', 200000000, 'x') AS huge");
    expect(rows).toMatchObject({ rowCount: 1, cut: [{ row: 0, column: 0, length: 200_000_000 }] });
    expect(await rowsRead(session, 'SELECT 1')).toMatchObject({ rows: [[1]] });
  }, 60_000);

  it('reports that a statement is a write and leaves the database unchanged', async () => {
    const session = lab.session(file);
    const before = rowsOf(file, 'SELECT count(*), max(rowid) FROM users');
    expect(await readOf(session, 'DELETE FROM users', CAPS, soon())).toMatchObject({
      kind: 'is-write',
      verb: 'DELETE',
    });
    expect(
      await readOf(
        session,
        "WITH x AS (SELECT 1) INSERT INTO users(name) SELECT 'x' FROM x RETURNING id",
        CAPS,
        soon(),
      ),
    ).toMatchObject({ kind: 'is-write' });
    expect(rowsOf(file, 'SELECT count(*), max(rowid) FROM users')).toEqual(before);
  });

  it('runs EXPLAIN of a write, which changes nothing', async () => {
    const session = lab.session(file);
    expect((await rowsRead(session, 'EXPLAIN DELETE FROM users')).rowCount).toBeGreaterThan(1);
    expect(rowsOf(file, 'SELECT count(*) FROM users')).toEqual([[3]]);
  });

  it('accepts a statement of nearly a megabyte', async () => {
    const text = 'ő'.repeat(400_000);
    const rows = await rowsRead(lab.session(file), `SELECT length('${text}'), id FROM users WHERE id < 3`);
    expect(rows.rows).toEqual([
      [400_000, 1],
      [400_000, 2],
    ]);
  });

  it('refuses several statements with a reason', async () => {
    const error = await errorOf(readOf(lab.session(file), 'SELECT 1; DELETE FROM users', CAPS, soon()));
    expect(error).toMatchObject({ code: 'E_SQL', message: expect.stringContaining('one statement') });
  });

  it('notices a column that another program has added meanwhile', async () => {
    const session = lab.session(runSql(join(lab.dir, 'changing.db'), 'CREATE TABLE t (a); INSERT INTO t VALUES (1)'));
    expect((await rowsRead(session, 'SELECT * FROM t')).columns).toHaveLength(1);
    runSql(join(lab.dir, 'changing.db'), 'ALTER TABLE t ADD COLUMN b DEFAULT 2');
    const rows = await rowsRead(session, 'SELECT * FROM t');
    expect(rows.columns.map(({ name }) => name)).toEqual(['a', 'b']);
    expect(rows.rows).toEqual([[1, 2]]);
  });

  it('suggests similar tables for a missing one', async () => {
    const error = await errorOf(readOf(lab.session(file), 'SELECT * FROM usrs', CAPS, soon()));
    expect(error).toMatchObject({ code: 'E_UNKNOWN_TABLE', message: 'No table "usrs".' });
    expect(error.details).toMatchObject({ near: ['users'], engineMessage: 'no such table: usrs' });
  });

  it('suggests similar columns for a missing one', async () => {
    const error = await errorOf(readOf(lab.session(file), 'SELECT scroe FROM users', CAPS, soon()));
    expect(error).toMatchObject({ code: 'E_SQL', message: 'no such column: scroe' });
    expect(error.hint).toContain('score');
  });

  it("keeps SQLite's own message and code, and the position where it is known", async () => {
    const session = lab.session(file);
    expect(await errorOf(readOf(session, 'SELECT FROM users', CAPS, soon()))).toMatchObject({
      code: 'E_SQL',
      message: 'near "FROM": syntax error',
      hint: expect.stringContaining('Correct the statement'),
      details: { engineCode: 'SQLITE_ERROR', position: 8 },
    });
    expect(await errorOf(readOf(session, 'SELECT abs(-9223372036854775808)', CAPS, soon()))).toMatchObject({
      code: 'E_SQL',
      message: 'integer overflow',
    });
  });

  it('checks a statement without running it', async () => {
    const session = lab.session(file);
    await checkOf(session, 'UPDATE users SET name = 1', soon());
    await checkOf(session, 'PRAGMA user_version = 7', soon());
    expect(await errorOf(checkOf(session, 'UPDATE users SET nam = 1', soon()))).toMatchObject({ code: 'E_SQL' });
    expect(await errorOf(checkOf(session, 'UPDAT users SET name = 1', soon()))).toMatchObject({ code: 'E_SQL' });
    expect(
      rowsOf(file, "SELECT count(*), (SELECT user_version FROM pragma_user_version) FROM users WHERE name = '1'"),
    ).toEqual([[0, 0]]);
  });

  it('answers queries about the catalogue', async () => {
    const session = lab.session(file);
    expect(await session.facts(soon())).toMatchObject({
      type: 'sqlite',
      product: 'SQLite',
      version: expect.stringMatching(/^3\./),
    });
    expect(await session.tables(soon())).toEqual(['names', 'users']);
    expect(await session.schema('users', soon())).toContain('CREATE TABLE users');
    expect((await session.overview(undefined, soon())).tables.map(({ name }) => name)).toEqual(['names', 'users']);
    expect((await session.search('score', undefined, soon())).matches).toMatchObject([
      { kind: 'column', name: 'score' },
    ]);
    expect(await errorOf(session.schema('user', soon()))).toMatchObject({ code: 'E_UNKNOWN_TABLE' });
  });

  it('explains, and measures a read on request', async () => {
    const session = lab.session(file);
    expect(await explainOf(session, 'SELECT * FROM users', false, soon())).toMatchObject({ analyzed: false });
    expect(await explainOf(session, 'SELECT * FROM users', true, soon())).toMatchObject({
      analyzed: true,
      measured: { rows: 3 },
    });
    expect(await explainOf(session, 'DELETE FROM users', true, soon())).toMatchObject({ analyzed: false });
    expect(rowsOf(file, 'SELECT count(*) FROM users')).toEqual([[3]]);
  });
});
