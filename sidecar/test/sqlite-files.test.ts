import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import type { Session } from '../src/engines/engine.ts';
import { tellTimeLeft } from '../src/host/time-left.ts';
import { errorOf } from './helpers/error-of.ts';
import { sqliteRunner } from './helpers/sqlite-bundle.ts';
import { CAPS, rowsRead, type SqliteLab, soon, sqliteLab } from './helpers/sqlite-session.ts';
import { explainOf, exportOf, previewOf, readOf, writeOf } from './helpers/statements.ts';
import { rowsOf, runSql } from './helpers/temp-project.ts';

const NOBODY = 65_534;
/** Long enough to keep a process busy while the next one starts. */
const BUSY_READ =
  'WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c LIMIT 300000) SELECT count(*) FROM c, t';
const TABLE = 'CREATE TABLE t (a); INSERT INTO t VALUES (1), (2);';

describe('SQLite files', () => {
  let lab: SqliteLab;
  let runner: string;
  beforeAll(async () => {
    lab = await sqliteLab();
    runner = await sqliteRunner(lab.bundleDir);
  });
  afterAll(() => lab.end());

  const at = (name: string) => join(lab.dir, name);
  const readError = (file: string) => errorOf(readOf(lab.session(file), 'SELECT * FROM t', CAPS, soon()));

  it('says that a file is missing', async () => {
    const file = at('missing.db');
    expect(await readError(file)).toMatchObject({
      code: 'E_NO_CONNECTION',
      message: `There is no database file ${file}.`,
      hint: expect.stringContaining('path'),
    });
    expect(existsSync(file)).toBe(false);
    expect(await errorOf(writeOf(lab.session(file), 'CREATE TABLE t (a)', CAPS, undefined, soon()))).toMatchObject({
      code: 'E_NO_CONNECTION',
    });
    expect(existsSync(file)).toBe(false);
  });

  it('says that a folder of the path is missing', async () => {
    expect(await readError(at('no/such/folder.db'))).toMatchObject({ code: 'E_NO_CONNECTION' });
  });

  it('says that a path is a folder', async () => {
    mkdirSync(at('folder.db'));
    expect((await readError(at('folder.db'))).message).toContain('is a folder');
  });

  it('takes an empty file for the empty database that it is', async () => {
    writeFileSync(at('empty.db'), '');
    const session = lab.session(at('empty.db'));
    expect(await session.tables(soon())).toEqual([]);
    expect(await writeOf(session, 'CREATE TABLE t (a)', CAPS, undefined, soon())).toMatchObject({ kind: 'done' });
    expect(await session.tables(soon())).toEqual(['t']);
  });

  it.each([
    ['text', 'This is a text, long enough to be taken for a page of a database. '.repeat(80)],
    ['a short file', 'short'],
  ])('reports that %s is not a database, or is encrypted', async (name, content) => {
    const file = at(`${name}.db`);
    writeFileSync(file, content);
    const error = await readError(file);
    expect(error).toMatchObject({ code: 'E_NO_CONNECTION', details: { engineCode: 'SQLITE_NOTADB' } });
    expect(error.message).toMatch(/is not a SQLite database, or it is encrypted/);
    expect(readFileSync(file, 'utf8')).toBe(content);
  });

  it('says that a database is damaged', async () => {
    const file = runSql(at('damaged.db'), `${TABLE} CREATE TABLE u AS SELECT hex(randomblob(3000)) AS x FROM t;`);
    const bytes = readFileSync(file);
    bytes.fill(0xff, 4096);
    writeFileSync(file, bytes);
    expect(await readError(file)).toMatchObject({ code: 'E_SQL', details: { engineCode: 'SQLITE_CORRUPT' } });
  });

  it.each(['with spaces in it.db', 'ékezetes—数据.db', 'quo\'te"s;.db', '%41?mode=memory#.db', '-dash.db', ':memory:'])(
    'opens a file named %j',
    async (name) => {
      const session = lab.session(runSql(at(name), TABLE));
      expect(await rowsRead(session, 'SELECT * FROM t')).toMatchObject({ rows: [[1], [2]] });
      await writeOf(session, 'INSERT INTO t VALUES (3)', CAPS, 1, soon());
      expect(rowsOf(at(name), 'SELECT max(a) FROM t')).toEqual([[3]]);
    },
  );

  it.each(['trailing blank.db ', ' ', 'line break.db\n'])('opens a file named %j, spaces included', async (name) => {
    renameSync(runSql(at('to-rename.db'), TABLE), at(name));
    const session = lab.session(at(name));
    expect(await rowsRead(session, 'SELECT count(*) FROM t')).toMatchObject({ rows: [[2]] });
    expect(await writeOf(session, 'INSERT INTO t VALUES (3)', CAPS, 1, soon())).toMatchObject({ kind: 'done' });
    expect(await rowsRead(session, 'SELECT count(*) FROM t')).toMatchObject({ rows: [[3]] });
    expect(
      readdirSync(lab.dir).filter((other) => other.startsWith(name.trim()) && other.trim() === name.trim()),
    ).toContain(name);
  });

  it('reads a WAL database that a writer is using, as of its last commit', async () => {
    const file = runSql(at('wal.db'), `PRAGMA journal_mode = WAL; ${TABLE}`);
    const session = lab.session(file);
    expect(await rowsRead(session, 'SELECT count(*) FROM t')).toMatchObject({ rows: [[2]] });
    const writer = new Database(file);
    writer.exec('BEGIN IMMEDIATE; INSERT INTO t VALUES (3)');
    expect(await rowsRead(session, 'SELECT count(*) FROM t')).toMatchObject({ rows: [[2]] });
    writer.exec('COMMIT');
    expect(await rowsRead(session, 'SELECT count(*) FROM t')).toMatchObject({ rows: [[3]] });
    writer.close();
  });

  it('leaves nothing beside a WAL database that no other program uses', async () => {
    mkdirSync(at('wal-folder'));
    const file = runSql(at('wal-folder/wal.db'), `PRAGMA journal_mode = WAL; ${TABLE}`);
    const before = readFileSync(file);
    const session = lab.session(file);
    expect(await rowsRead(session, 'SELECT count(*) FROM t')).toMatchObject({ rows: [[2]] });
    await session.end();
    expect(readdirSync(at('wal-folder'))).toEqual(['wal.db']);
    expect(readFileSync(file).equals(before)).toBe(true);
  });

  it.each([
    [
      'reads of several processes',
      async (session: Session) => {
        await Promise.all(Array.from({ length: 4 }, () => rowsRead(session, BUSY_READ)));
      },
    ],
    [
      'a write between reads',
      async (session: Session) => {
        await rowsRead(session, 'SELECT * FROM t');
        await writeOf(session, 'INSERT INTO t VALUES (3)', CAPS, 1, soon());
        await rowsRead(session, 'SELECT * FROM t');
      },
    ],
    [
      'writes beside reads of several processes',
      async (session: Session) => {
        const reads = Array.from({ length: 4 }, () => rowsRead(session, BUSY_READ));
        await writeOf(session, 'INSERT INTO t VALUES (3)', CAPS, 1, soon());
        await Promise.all([...reads, rowsRead(session, 'SELECT * FROM t')]);
      },
    ],
    [
      'a dry run',
      async (session: Session) => {
        await rowsRead(session, 'SELECT * FROM t');
        await previewOf(session, 'DELETE FROM t', soon());
      },
    ],
  ])('leaves nothing beside a WAL database after %s', async (what, use) => {
    const folder = at(`wal after ${what}`);
    mkdirSync(folder);
    const session = lab.session(runSql(join(folder, 'wal.db'), `PRAGMA journal_mode = WAL; ${TABLE}`));
    await use(session);
    await session.end();
    expect(readdirSync(folder)).toEqual(['wal.db']);
  });

  it('leaves a write in the file itself and nothing beside it, when no other program has the database open', async () => {
    mkdirSync(at('wal-write'));
    const session = lab.session(runSql(at('wal-write/wal.db'), `PRAGMA journal_mode = WAL; ${TABLE}`));
    await rowsRead(session, 'SELECT * FROM t');
    await writeOf(session, 'INSERT INTO t VALUES (3)', CAPS, 1, soon());
    expect(readdirSync(at('wal-write'))).toEqual(['wal.db']);
    expect(await rowsRead(session, 'SELECT count(*) FROM t')).toMatchObject({ rows: [[3]] });
  });

  it('releases a WAL database it has written to soon after the last call', async () => {
    mkdirSync(at('wal-idle'));
    const session = lab.session(runSql(at('wal-idle/wal.db'), `PRAGMA journal_mode = WAL; ${TABLE}`));
    await Promise.all([rowsRead(session, BUSY_READ), rowsRead(session, BUSY_READ)]);
    await writeOf(session, 'INSERT INTO t VALUES (3)', CAPS, 1, soon());
    expect(await rowsRead(session, 'SELECT count(*) FROM t')).toMatchObject({ rows: [[3]] });
    while (readdirSync(at('wal-idle')).length > 1) await new Promise((resolve) => setTimeout(resolve, 50));
    expect(rowsOf(at('wal-idle/wal.db'), 'SELECT count(*) FROM t')).toEqual([[3]]);
  }, 10_000);

  it('keeps rows in a WAL that another program left behind', async () => {
    mkdirSync(at('wal-left'));
    const file = runSql(at('wal-left/wal.db'), `PRAGMA journal_mode = WAL; ${TABLE}`);
    runAndBeKilled(file, 'INSERT INTO t VALUES (3)');
    const before = readFileSync(file);
    const session = lab.session(file);
    expect(await rowsRead(session, 'SELECT count(*) FROM t')).toMatchObject({ rows: [[3]] });
    await session.end();
    expect(readFileSync(file).equals(before)).toBe(true);
    expect(readdirSync(at('wal-left'))).toContain('wal.db-wal');
  });

  it('does not touch a WAL that another program is using', async () => {
    const file = runSql(at('shared-wal.db'), `PRAGMA journal_mode = WAL; ${TABLE}`);
    const session = lab.session(file);
    await rowsRead(session, 'SELECT count(*) FROM t');
    const writer = new Database(file);
    writer.exec('INSERT INTO t VALUES (3)');
    await session.end();
    expect(existsSync(`${file}-wal`)).toBe(true);
    expect(writer.prepare('SELECT count(*) FROM t').pluck().get()).toBe(3);
    writer.close();
  });

  it('reports that a database is locked, after its waiting time', async () => {
    const file = runSql(at('locked.db'), TABLE);
    const holder = new Database(file);
    holder.exec('BEGIN EXCLUSIVE');
    const session = lab.session(file);
    const [read, write] = await Promise.all([
      errorOf(readOf(session, 'SELECT * FROM t', CAPS, soon())),
      errorOf(writeOf(session, 'DELETE FROM t', CAPS, undefined, soon())),
    ]);
    for (const error of [read, write]) {
      expect(error).toMatchObject({ code: 'E_NO_CONNECTION', hint: expect.stringContaining('try again') });
      expect(error.message).toMatch(/^The database is locked/);
    }
    holder.exec('ROLLBACK');
    expect(await rowsRead(session, 'SELECT count(*) FROM t')).toMatchObject({ rows: [[2]] });
    holder.close();
  }, 20_000);

  it('waits for the readers at the end of a change for as long as the call has time then', async () => {
    const file = runSql(at('read-on.db'), TABLE);
    const reader = new Database(file);
    reader.exec('BEGIN');
    reader.prepare('SELECT * FROM t').all();
    const controller = new AbortController();
    tellTimeLeft(controller.signal, () => 4_000);
    // Long enough to show in tenths of a second on any machine.
    const counted = 'WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c LIMIT 2000000) SELECT i FROM c';
    const slowly = `INSERT INTO t SELECT count(*) FROM (${counted})`;
    const error = await errorOf(writeOf(lab.session(file), slowly, CAPS, undefined, controller.signal));
    expect(error.message).toMatch(/^The database is locked/);
    // At the beginning it would have been 3: what the statement took is gone.
    expect(Number(/within ([\d.]+) seconds/.exec(error.message)?.[1])).toBeLessThan(3);
    reader.close();
    expect(rowsOf(file, 'SELECT count(*) AS n FROM t')).toEqual([[2]]);
  });

  it('reads as soon as a lock is released', async () => {
    const file = runSql(at('soon-free.db'), TABLE);
    const holder = new Database(file);
    holder.exec('BEGIN EXCLUSIVE');
    const reading = rowsRead(lab.session(file), 'SELECT count(*) FROM t');
    expect(await Promise.race([reading, new Promise((resolve) => setTimeout(resolve, 300, 'waiting'))])).toBe(
      'waiting',
    );
    holder.exec('COMMIT');
    expect(await reading).toMatchObject({ rows: [[2]] });
    holder.close();
  });

  it('rolls back a killed writer and continues reading', async () => {
    const file = runSql(
      at('hot.db'),
      `${TABLE} CREATE TABLE big AS SELECT hex(randomblob(2000)) AS x FROM t, t, t, t, t, t, t, t;`,
    );
    killInTransaction(file);
    expect(existsSync(`${file}-journal`)).toBe(true);
    const session = lab.session(file);
    expect(await rowsRead(session, 'SELECT count(*) FROM big')).toMatchObject({ rows: [[256]] });
    expect(await rowsRead(session, "SELECT count(*) FROM big WHERE x = 'gone'")).toMatchObject({ rows: [[0]] });
    expect(existsSync(`${file}-journal`)).toBe(true);
  });

  describe('with a journal that came with the project', () => {
    let folder = '';
    let file = '';
    let count = 0;
    beforeEach(() => {
      count += 1;
      folder = at(`hot-${count}`);
      mkdirSync(folder);
      file = runSql(
        join(folder, 'app.db'),
        `${TABLE} CREATE TABLE big AS SELECT hex(randomblob(2000)) AS x FROM t, t, t, t, t, t, t, t;`,
      );
    });
    const bytesOf = () =>
      Object.fromEntries(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name))]));

    it('reads the state before it, and changes no byte', async () => {
      killInTransaction(file);
      const before = bytesOf();
      const session = lab.session(file);
      const gone = "SELECT count(*) FROM big WHERE x = 'gone'";
      for (let twice = 0; twice < 2; twice += 1) expect(await rowsRead(session, gone)).toMatchObject({ rows: [[0]] });
      expect(await session.tables(soon())).toEqual(['big', 't']);
      expect(await session.facts(soon())).toMatchObject({ type: 'sqlite' });
      await explainOf(session, gone, true, soon());
      await exportOf(session, gone, 'csv', { write: async () => undefined }, soon());
      expect(await previewOf(session, 'DELETE FROM big', soon())).not.toHaveProperty('affectedRows');
      expect(bytesOf()).toEqual(before);
      await session.end();
      expect(bytesOf()).toEqual(before);
      expect(readdirSync(tmpdir()).filter((name) => name.startsWith('devdb-aside-'))).toEqual([]);
    });

    it('notices what another program makes of it, and lets a change repair it', async () => {
      killInTransaction(file);
      const session = lab.session(file);
      expect(await rowsRead(session, 'SELECT count(*) FROM t')).toMatchObject({ rows: [[2]] });
      expect(await writeOf(session, 'INSERT INTO t VALUES (3)', CAPS, 1, soon())).toMatchObject({ kind: 'done' });
      expect(existsSync(`${file}-journal`)).toBe(false);
      expect(await rowsRead(session, 'SELECT count(*) FROM t')).toMatchObject({ rows: [[3]] });
      expect(await rowsRead(session, "SELECT count(*) FROM big WHERE x = 'gone'")).toMatchObject({ rows: [[0]] });
    });

    it('is not opened at all, for reading or writing, where the journal names another file', async () => {
      killInTransaction(file);
      const target = join(folder, 'precious.txt');
      writeFileSync(target, 'mine');
      nameInJournal(`${file}-journal`, target);
      const before = bytesOf();
      const session = lab.session(file);
      const runs = [
        readOf(session, 'SELECT 1 FROM t', CAPS, soon()),
        writeOf(session, 'DELETE FROM t', CAPS, undefined, soon()),
        previewOf(session, 'DELETE FROM t', soon()),
        session.tables(soon()),
      ];
      for (const error of await Promise.all(runs.map(errorOf))) {
        expect(error).toMatchObject({
          code: 'E_NO_CONNECTION',
          message: expect.stringContaining('names another file'),
        });
      }
      expect(bytesOf()).toEqual(before);
    });

    it.each(['-journal', '-wal', '-shm'])('is not opened where %s is a link', async (ending) => {
      const outside = at(`outside-${count}`);
      writeFileSync(outside, 'mine');
      symlinkSync(outside, `${file}${ending}`);
      const session = lab.session(file);
      const runs = [
        readOf(session, 'SELECT 1 FROM t', CAPS, soon()),
        writeOf(session, 'DELETE FROM t', CAPS, undefined, soon()),
      ];
      for (const error of await Promise.all(runs.map(errorOf)))
        expect(error).toMatchObject({ code: 'E_NO_CONNECTION' });
      expect(readFileSync(outside, 'utf8')).toBe('mine');
    });

    it('is dry-run and read in place beside a finished journal', async () => {
      writeFileSync(`${file}-journal`, Buffer.alloc(4096));
      expect(await previewOf(lab.session(file), 'DELETE FROM t', soon())).toMatchObject({ affectedRows: 2 });
    });
  });

  it('rolls back a killed writer for the catalogue and for an export too', async () => {
    const file = runSql(
      at('hot2.db'),
      `${TABLE} CREATE TABLE big AS SELECT hex(randomblob(2000)) AS x FROM t, t, t, t, t, t, t, t;`,
    );
    killInTransaction(file);
    expect(await lab.session(file).tables(soon())).toEqual(['big', 't']);
    killInTransaction(file);
    let rows = 0;
    await exportOf(
      lab.session(file),
      'SELECT * FROM big',
      'csv',
      {
        write: async (_chunk, n) => {
          rows += n;
        },
      },
      soon(),
    );
    expect(rows).toBe(256);
  });

  it('notices that the file was replaced', async () => {
    const file = runSql(at('replaced.db'), TABLE);
    const session = lab.session(file);
    expect(await rowsRead(session, 'SELECT count(*) FROM t')).toMatchObject({ rows: [[2]] });
    renameSync(runSql(at('other.db'), 'CREATE TABLE t (a); INSERT INTO t VALUES (9)'), file);
    expect(await rowsRead(session, 'SELECT * FROM t')).toMatchObject({ rows: [[9]] });
  });

  it('notices that the file was deleted and recreated', async () => {
    const file = runSql(at('deleted.db'), TABLE);
    const copy = at('copy.db');
    copyFileSync(file, copy);
    const session = lab.session(file);
    expect(await rowsRead(session, 'SELECT count(*) FROM t')).toMatchObject({ rows: [[2]] });
    rmSync(file);
    expect(await errorOf(readOf(session, 'SELECT * FROM t', CAPS, soon()))).toMatchObject({ code: 'E_NO_CONNECTION' });
    copyFileSync(copy, file);
    expect(await rowsRead(session, 'SELECT count(*) FROM t')).toMatchObject({ rows: [[2]] });
  });

  describe('for a user with few permissions', () => {
    /** In a process of a user subject to permissions, since root may do everything. */
    function runAsNobody(file: string, effect: 'read' | 'write', sql: string) {
      const root = process.getuid?.() === 0;
      const { stdout, stderr } = spawnSync(process.execPath, [runner, lab.bundleDir, file, effect, sql], {
        encoding: 'utf8',
        ...(root ? { uid: NOBODY, gid: NOBODY } : {}),
      });
      if (stdout === '') throw new Error(stderr);
      return JSON.parse(stdout);
    }

    const folder = () => join(lab.dir, 'guarded');
    beforeAll(() => {
      mkdirSync(folder());
      for (const path of [join(lab.dir, '..'), lab.dir, lab.bundleDir]) chmodSync(path, 0o755);
      runSql(join(folder(), 'plain.db'), TABLE);
      runSql(join(folder(), 'wal.db'), `PRAGMA journal_mode = WAL; ${TABLE}`);
      runSql(join(folder(), 'secret.db'), TABLE);
      chmodSync(join(folder(), 'plain.db'), 0o444);
      chmodSync(join(folder(), 'wal.db'), 0o444);
      chmodSync(join(folder(), 'secret.db'), 0o000);
      chmodSync(folder(), 0o555);
    });
    afterAll(() => chmodSync(folder(), 0o755));

    it('reads a read-only file in a read-only folder', () => {
      expect(runAsNobody(join(folder(), 'plain.db'), 'read', 'SELECT * FROM t')).toMatchObject({
        kind: 'rows',
        rows: { rows: [[1], [2]] },
      });
    });

    it('reports that a read-only file cannot be written', () => {
      const { error } = runAsNobody(join(folder(), 'plain.db'), 'write', 'DELETE FROM t');
      expect(error).toMatchObject({ code: 'E_SQL', hint: expect.stringContaining('right to write') });
      expect(error.message).toContain('cannot be written');
    });

    it('explains what a WAL database needs', () => {
      const { error } = runAsNobody(join(folder(), 'wal.db'), 'read', 'SELECT * FROM t');
      expect(error.code).toBe('E_NO_CONNECTION');
      expect(error.message).toContain('-wal and -shm');
    });

    it('reports that a file may not be read', () => {
      const { error } = runAsNobody(join(folder(), 'secret.db'), 'read', 'SELECT * FROM t');
      expect(error).toMatchObject({ code: 'E_NO_CONNECTION', hint: expect.stringContaining('right to read') });
    });
  });
});

/** Leaves the journal of a transaction whose process was killed. */
function killInTransaction(file: string): void {
  runAndBeKilled(file, "PRAGMA cache_size = 5; BEGIN IMMEDIATE; UPDATE big SET x = 'gone'");
}

/** Turns the journal into that of a multi-file transaction, for which SQLite reads the named file and deletes it. */
function nameInJournal(journal: string, target: string): void {
  const name = Buffer.from(target);
  const end = Buffer.alloc(8);
  end.writeUInt32BE(name.length, 0);
  end.writeUInt32BE(
    name.reduce((sum, byte) => sum + byte, 0),
    4,
  );
  const page = Buffer.alloc(4);
  page.writeUInt32BE(2 ** 30 / 4096 + 1);
  appendFileSync(journal, Buffer.concat([page, name, end, Buffer.from('d9d505f920a163d7', 'hex')]));
}

/** Runs statements in a process that is then killed without closing the database. */
function runAndBeKilled(file: string, sql: string): void {
  const script = `
    const Database = require(${JSON.stringify(require.resolve('better-sqlite3'))});
    const db = new Database(${JSON.stringify(file)});
    db.exec(${JSON.stringify(sql)});
    process.kill(process.pid, 'SIGKILL');`;
  const { signal } = spawnSync(process.execPath, ['-e', script]);
  if (signal !== 'SIGKILL') throw new Error('The writer was not killed.');
}
