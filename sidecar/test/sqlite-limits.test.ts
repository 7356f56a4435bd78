import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeOnLinux } from '../../fixtures/labs/needs.ts';
import type { Session } from '../src/engines/engine.ts';
import { SQLITE_STATEMENT_MEMORY_BYTES } from '../src/engines/sqlite/limits.ts';
import { Resources } from '../src/engines/sqlite/resources.ts';
import { open } from '../src/engines/sqlite/session.ts';
import { engineContext } from './helpers/engine-target.ts';
import { errorOf } from './helpers/error-of.ts';
import { childrenFor, memoryOf } from './helpers/sqlite-processes.ts';
import { CAPS, rowsRead, type SqliteLab, soon, sqliteLab } from './helpers/sqlite-session.ts';
import { explainOf, exportOf, readOf } from './helpers/statements.ts';
import { runSql } from './helpers/temp-project.ts';

const MIB = 1024 * 1024;
const LIMITS = {
  memory: { each: 300 * MIB, all: 450 * MIB },
  temporary: { each: 60 * MIB, all: 90 * MIB },
};
/** Doubles a text until it has half a gigabyte. */
const GIANT =
  "WITH RECURSIVE c(i, s) AS (SELECT 1, 'x' UNION ALL SELECT i + 1, s || s FROM c LIMIT 29) SELECT sum(length(s)) FROM c";
const rowsOf = (rows: number) =>
  `(WITH RECURSIVE c(i, s) AS (SELECT 1, '' UNION ALL SELECT i + 1, hex(randomblob(500)) FROM c LIMIT ${rows}) SELECT i, s FROM c)`;
/** Sorts hundreds of megabytes. */
const SORT = `SELECT count(*) FROM (SELECT i, s FROM ${rowsOf(600_000)} ORDER BY s LIMIT -1 OFFSET 1)`;

describeOnLinux('what one SQLite statement may use', () => {
  let lab: SqliteLab;
  let file: string;
  const sessions: Session[] = [];
  let count = 0;
  beforeAll(async () => {
    lab = await sqliteLab();
  });
  beforeEach(() => {
    count += 1;
    file = runSql(join(lab.dir, `limits-${count}.db`), 'CREATE TABLE t (a); INSERT INTO t VALUES (1), (2);');
  });
  afterAll(async () => {
    await Promise.all(sessions.map((session) => session.end()));
    await lab.end();
  });

  function limited(of: string, resources = new Resources(LIMITS)): Session {
    const context = engineContext(lab.dir, lab.bundleDir);
    const session = open({ file: of }, context, resources);
    sessions.push(session);
    return session;
  }

  /** The peak memory of any child while a statement ran. */
  async function peakWhile(running: Promise<unknown>): Promise<number> {
    let peak = 0;
    const look = setInterval(() => {
      for (const pid of childrenFor(file)) peak = Math.max(peak, memoryOf(pid).peak || 0);
    }, 5);
    await running;
    clearInterval(look);
    return peak;
  }

  it.each([
    ['a giant text in a recursion', GIANT],
    ['a giant aggregate', `SELECT length(group_concat(s)) FROM ${rowsOf(480_000)}`],
    ['giant JSON', `SELECT length(json_group_array(s)) FROM ${rowsOf(480_000)}`],
    ['random bytes in many columns', `SELECT ${Array(6).fill('length(hex(randomblob(90000000)))').join(', ')}`],
    ['many giant cells at once', `SELECT ${Array(6).fill("printf('%.*c', 90000000, 'x')").join(', ')}`],
  ])(
    'is limited in memory: %s ends with an error that names the limit',
    async (_name, sql) => {
      const session = limited(file);
      const failing = errorOf(readOf(session, sql, CAPS, soon()));
      const peak = await peakWhile(failing);
      expect(await failing).toMatchObject({ code: 'E_SQL', details: { limit: 'memory' } });
      expect((await failing).message).toContain('300 MiB');
      // It keeps growing between two checks.
      expect(peak).toBeLessThan(1_000 * MIB);
      expect(await rowsRead(session, 'SELECT count(*) FROM t')).toMatchObject({ rows: [[2]] });
    },
    60_000,
  );

  it.each([
    ['read', (session: Session) => readOf(session, SORT, CAPS, soon())],
    ['export', (session: Session) => exportOf(session, SORT, 'csv', { write: async () => undefined }, soon())],
    ['analysed plan', (session: Session) => explainOf(session, SORT, true, soon())],
  ])(
    'is limited on the temporary disk: a sort that spills ends, as a %s',
    async (_name, run) => {
      const session = limited(file);
      const before = readdirSync(tmpdir()).filter((name) => name.startsWith('etilqs'));
      const error = await errorOf(run(session));
      expect(error).toMatchObject({ code: 'E_SQL', details: { limit: 'temporary' } });
      expect(error.message).toContain('60 MiB');
      expect(error.hint).toContain('explain-query');
      expect(readdirSync(tmpdir()).filter((name) => name.startsWith('etilqs'))).toEqual(before);
      expect(await rowsRead(session, 'SELECT count(*) FROM t')).toMatchObject({ rows: [[2]] });
    },
    60_000,
  );

  it('is limited over all databases together', async () => {
    const resources = new Resources({ ...LIMITS, temporary: { each: 1_000 * MIB, all: 90 * MIB } });
    const other = runSql(join(lab.dir, `limits-${count}-other.db`), 'CREATE TABLE t (a);');
    const ends = await Promise.all(
      [file, other].map((one) => errorOf(readOf(limited(one, resources), SORT, CAPS, soon()))),
    );
    expect(ends.map(({ details }) => details)).toContainEqual({ limit: 'temporary' });
  }, 60_000);

  it('leaves a sort and a large value below the limits alone', async () => {
    const session = lab.session(file);
    const sort = `SELECT count(*) FROM (SELECT i, s FROM ${rowsOf(100_000)} ORDER BY s LIMIT -1 OFFSET 1)`;
    expect(await rowsRead(session, sort)).toMatchObject({ rows: [[99_999]] });
    expect(await rowsRead(session, "SELECT printf('%.*c', 200000000, 'x')")).toMatchObject({ rowCount: 1 });
    expect(SQLITE_STATEMENT_MEMORY_BYTES).toBeGreaterThan(600 * MIB);
  }, 120_000);
});
