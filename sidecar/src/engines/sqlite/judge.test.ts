import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import * as fc from 'fast-check';
import * as z from 'zod';
import { processorMs } from '../../../../fixtures/labs/processor-time.ts';
import { classify, plainChange } from './judge.ts';
import { tokenize } from './tokenize.ts';

const corpus = z
  .object({
    schema: z.array(z.string()),
    statements: z.array(z.object({ sql: z.string(), effect: z.enum(['read', 'write', 'refused']) })),
  })
  .parse(JSON.parse(readFileSync(join(__dirname, '../../../../fixtures/corpus/sqlite.json'), 'utf8')));

let dir = '';
let file = '';

beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'devdb-classify-'));
  mkdirSync(join(dir, 'db'));
  file = join(dir, 'db', 'a.db');
  const db = new Database(file);
  for (const sql of corpus.schema) db.exec(sql);
  db.close();
  writeFileSync(join(dir, 'db', 'other.db'), '');
});

afterAll(() => rmSync(dir, { recursive: true, force: true }));

function inDir(sql: string): string {
  return sql.replaceAll('{dir}', join(dir, 'db'));
}

function guarded(): Database.Database {
  const db = new Database(file, { readonly: true, fileMustExist: true });
  db.pragma('query_only = ON');
  db.pragma('trusted_schema = OFF');
  return db;
}

/** The result of a statement under guard: its rows, or the error code. */
function runGuarded(db: Database.Database, sql: string): string {
  try {
    const statement = db.prepare(sql);
    if (!statement.reader) return 'no reader';
    let rows = 0;
    for (const _row of statement.raw().iterate()) if (++rows >= 50) break;
    return statement.readonly ? 'read' : 'not readonly';
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : String(error);
  }
}

describe('the corpus', () => {
  const named = corpus.statements.map((entry) => ({ ...entry, name: JSON.stringify(entry.sql) }));
  test.each(named)('$name is $effect', ({ sql, effect }) => {
    expect(classify(inDir(sql))).toMatchObject({ effect });
  });

  test('holds only reads that SQLite runs', () => {
    const db = guarded();
    const outcomes = corpus.statements
      .filter(({ effect }) => effect === 'read')
      .map(({ sql }) => [sql, runGuarded(db, inDir(sql))])
      .filter(([, outcome]) => outcome !== 'read');
    db.close();
    // SQLite does not call these read-only, but under guard they cannot change anything either.
    const asksForJournal = /^(?:EXPLAIN )?PRAGMA (?:main\.)?journal_mode$/;
    const runsNothing = /^EXPLAIN /;
    expect(outcomes.length).toBeGreaterThan(5);
    for (const [sql, outcome] of outcomes) {
      expect(outcome).toBe('not readonly');
      expect(asksForJournal.test(String(sql)) || runsNothing.test(String(sql))).toBe(true);
    }
  });
});

describe('classify', () => {
  test('says what to do instead of a refused statement', () => {
    for (const { sql, effect } of corpus.statements.filter((entry) => entry.effect === 'refused')) {
      const statement = classify(inDir(sql));
      expect(statement.effect).toBe(effect);
      expect(statement).toHaveProperty('reason', expect.stringMatching(/^[\w;$?:@#].{15,}\.$/s));
    }
  });

  test.each([
    ['SELECT 1', 'SELECT'],
    ['with x as (select 1) select * from x', 'SELECT'],
    ['WITH x AS (SELECT 1) DELETE FROM users', 'DELETE'],
    ['explain delete from users', 'EXPLAIN'],
    ['replace into users(id) values (1)', 'REPLACE'],
    ['pragma user_version', 'PRAGMA'],
  ])('names the verb of %s', (sql, verb) => {
    expect(classify(sql)).toMatchObject({ verb });
  });

  test('does not mistake a table named like a forbidden function for a call', () => {
    expect(classify('INSERT INTO edit(a) VALUES (1)')).toMatchObject({ effect: 'write' });
    expect(classify('CREATE TABLE IF NOT EXISTS zipfile(a)')).toMatchObject({ effect: 'write' });
    expect(classify('SELECT edit FROM readfile')).toMatchObject({ effect: 'read' });
  });

  test('judges a megabyte of nesting in time', () => {
    const started = processorMs();
    for (const piece of ['EXPLAIN ', '(', 'SELECT ', '/*', "'", 'x.', '[', '--\n', '; END ', 'WITH a AS (']) {
      expect(classify(piece.repeat(1_000_000 / piece.length)).effect).not.toBe('');
    }
    expect(processorMs() - started).toBeLessThan(10_000);
  });
});

const PIECES = [
  ...'SELECT WITH AS VALUES INSERT INTO DELETE FROM UPDATE SET PRAGMA EXPLAIN QUERY PLAN ATTACH VACUUM users name id'.split(
    ' ',
  ),
  ...'query_only pragma_optimize optimize user_version journal_mode WAL OFF ON 1 ( ) , = ; . * RECURSIVE MATERIALIZED'.split(
    ' ',
  ),
  ...'CREATE TEMP TABLE TRIGGER BEGIN END DROP REPLACE COMMIT WHERE UNION ALL x RETURNING'.split(' '),
  ...[
    "'a'",
    '"users"',
    '[id]',
    '`x`',
    "'",
    '"',
    '--',
    '\n',
    '/*',
    '*/',
    '\uFEFF',
    '\0',
    '?',
    "x'00'",
    "'{dir}/new.db'",
    'é',
    '\\',
  ],
];
const soup = fc.array(fc.constantFrom(...PIECES), { maxLength: 14 }).map((pieces) => pieces.join(' '));
const expression = fc.constantFrom(
  ...['1', '*', 'id', "'a'", 'count(*)', 'random()', 'optimize(old_notes)', "load_extension('x')", 'x.name', '?'],
);
const source = fc.constantFrom(
  ...['users', 'users AS x', 'pragma_optimize', "pragma_table_info('users')", '(SELECT 1)', 'old_notes', 'nothing'],
);
const readLike = fc
  .tuple(
    fc.constantFrom('', 'EXPLAIN ', 'EXPLAIN QUERY PLAN ', 'WITH x AS (SELECT 1) ', '/* ; */ '),
    expression,
    source,
    fc.oneof(fc.constant(''), soup),
  )
  .map(([head, column, from, tail]) => `${head}SELECT ${column} FROM ${from} ${tail}`);

describe('for any statement', () => {
  test('gives one of three judgements and never throws', () => {
    fc.assert(
      fc.property(fc.oneof(soup, fc.string({ unit: 'binary' }), fc.string()), (sql) => {
        expect(['read', 'write', 'refused']).toContain(classify(sql).effect);
      }),
      { numRuns: 3_000 },
    );
  });

  test('calls nothing a read that changes file, folder or guard', () => {
    const db = guarded();
    const before = readFileSync(file);
    const seen = new Map<string, number>();
    const check = (sql: string): void => {
      if (classify(sql).effect !== 'read') return;
      const outcome = runGuarded(db, sql);
      seen.set(outcome, (seen.get(outcome) ?? 0) + 1);
      if (outcome === 'not readonly') expect(sql).toMatch(/EXPLAIN|journal_mode/i);
      expect(db.pragma('query_only', { simple: true })).toBe(1);
      expect(db.pragma('trusted_schema', { simple: true })).toBe(0);
    };
    fc.assert(
      fc.property(fc.oneof(soup, readLike), (sql) => check(inDir(sql))),
      { numRuns: 6_000 },
    );
    expect(db.pragma('database_list')).toHaveLength(1);
    db.close();
    expect(seen.get('read')).toBeGreaterThan(100);
    expect(readFileSync(file).equals(before)).toBe(true);
    expect(readdirSync(join(dir, 'db')).sort()).toEqual(['a.db', 'other.db']);
    expect(existsSync(join(dir, 'new.db'))).toBe(false);
  });
});

describe('what SQLite accepts', () => {
  test('is never called unreadable, empty or several statements', () => {
    // An in-memory database: even a prepared PRAGMA may take effect.
    const db = new Database(':memory:');
    for (const sql of corpus.schema) db.exec(sql);
    let taken = 0;
    const check = (sql: string): void => {
      try {
        db.prepare(sql);
      } catch {
        return;
      }
      // A leading empty statement is one too many here, while SQLite skips it.
      const read = tokenize(sql);
      if (read.ok && read.tokens[0]?.text === ';') return;
      // After a semicolon the driver scans by itself, and takes for a comment what SQLite takes for two operators.
      if (sql.endsWith('/*')) return;
      taken += 1;
      expect(JSON.stringify(classify(sql))).not.toMatch(/cannot read|no statement|several statements/);
    };
    fc.assert(
      fc.property(fc.oneof(readLike, soup), (sql) => check(sql.replaceAll('\0', ''))),
      { numRuns: 6_000 },
    );
    expect(taken).toBeGreaterThan(100);
    db.close();
  });

  test('is explained without effect, whatever it is', () => {
    const db = guarded();
    const before = readFileSync(file);
    let explained = 0;
    for (const { sql } of corpus.statements) {
      for (const head of ['EXPLAIN ', 'EXPLAIN QUERY PLAN ']) {
        if (classify(head + inDir(sql)).effect !== 'read') continue;
        explained += 1;
        runGuarded(db, head + inDir(sql));
      }
    }
    expect(explained).toBeGreaterThan(100);
    expect(db.pragma('query_only', { simple: true })).toBe(1);
    // Compiling a temporary table opens SQLite's temporary database, which has no file.
    const attached = z.array(z.object({ name: z.string(), file: z.string() })).parse(db.pragma('database_list'));
    expect(attached.filter((one) => one.file !== '')).toEqual([{ name: 'main', file: db.name }]);
    expect(readFileSync(file).equals(before)).toBe(true);
    expect(readdirSync(join(dir, 'db')).sort()).toEqual(['a.db', 'other.db']);
    db.close();
  });
});

describe('a PRAGMA', () => {
  const settings = (db: Database.Database): unknown =>
    names(db)
      .filter(
        (name) => !['optimize', 'incremental_vacuum', 'wal_checkpoint', 'database_list', 'module_list'].includes(name),
      )
      .map((name) => [name, db.pragma(name)]);
  const names = (db: Database.Database): string[] =>
    z
      .array(z.object({ name: z.string() }))
      .parse(db.pragma('pragma_list'))
      .map(({ name }) => name);

  test('judged as a read leaves every setting of the connection, whatever its argument', () => {
    const db = guarded();
    const before = settings(db);
    let read = 0;
    for (const name of names(db)) {
      for (const value of ['', '=1', '= -1', '(0)', "='off'", '=WAL', '(EXCLUSIVE)', '=users', "('/tmp')"]) {
        for (const head of ['PRAGMA ', 'EXPLAIN PRAGMA ', 'PRAGMA main.', 'SELECT * FROM pragma_']) {
          const sql = `${head}${name}${value}`;
          if (classify(sql).effect !== 'read') continue;
          read += 1;
          runGuarded(db, sql);
        }
      }
    }
    expect(read).toBeGreaterThan(200);
    expect(settings(db)).toEqual(before);
    db.close();
  });

  test('of this SQLite is known by name, every one of them', () => {
    const db = guarded();
    for (const name of names(db)) {
      const statement = classify(`PRAGMA ${name} = 1`);
      expect(JSON.stringify(statement)).not.toContain('knows no PRAGMA');
    }
    db.close();
  });
});

describe('plainChange', () => {
  test.each([
    ["INSERT INTO users(name) VALUES (upper('x'))", { verb: 'INSERT', table: 'users', replaces: false }],
    ['INSERT OR IGNORE INTO main.users DEFAULT VALUES', { verb: 'INSERT', table: 'users', replaces: false }],
    ['REPLACE INTO users(id) VALUES (1);', { verb: 'INSERT', table: 'users', replaces: true }],
    ['UPDATE OR REPLACE users SET id = 1', { verb: 'UPDATE', table: 'users', replaces: true }],
    [
      'UPDATE "odd ""t" SET a = (b + 1) WHERE c IN (1, 2) AND d = \'random()\'',
      { verb: 'UPDATE', table: 'odd "t', replaces: false },
    ],
    ['/* x */ DELETE FROM [users] WHERE id = 1 -- y', { verb: 'DELETE', table: 'users', replaces: false }],
    [
      'DELETE FROM users WHERE id IN (SELECT max(id) FROM users) RETURNING id',
      { verb: 'DELETE', table: 'users', replaces: false },
    ],
    [
      'INSERT INTO users(id) VALUES (1) ON CONFLICT(id) DO UPDATE SET name = 1',
      { verb: 'INSERT', table: 'users', replaces: false },
    ],
  ])('reads %s', (sql, expected) => {
    expect(plainChange(sql)).toEqual(expected);
  });

  test.each([
    'SELECT 1',
    'WITH x AS (SELECT 1) DELETE FROM users',
    'INSERT INTO users WITH x AS (SELECT 1) SELECT * FROM x',
    'DELETE FROM users WHERE random() > 0',
    'DELETE FROM users WHERE "random"() > 0',
    "DELETE FROM users WHERE at < datetime('now')",
    'DELETE FROM users WHERE at < CURRENT_TIMESTAMP',
    'INSERT INTO users(id) VALUES (last_insert_rowid())',
    'DELETE FROM users RETURNING changes()',
    'DELETE FROM users WHERE id = my_function(1)',
    'DELETE FROM temp.users',
    'DELETE FROM other.users',
    'DELETE FROM sqlite_sequence',
    'INSERT OR ROLLBACK INTO users(id) VALUES (1)',
    'UPDATE OR FAIL users SET id = 1',
    'DELETE FROM users WHERE 1 IN pragma_user_version',
    'DROP TABLE users',
    'DELETE FROM users; DELETE FROM users',
    'DELETE FROM users WHERE id = ?',
    'TRUNCATE users',
  ])('leaves %s alone', (sql) => {
    expect(plainChange(sql)).toBeUndefined();
  });
});
