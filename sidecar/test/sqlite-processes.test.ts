import { spawn } from 'node:child_process';
import { constants, getPriority } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { AppError } from '@devdb/shared/errors';
import Database from 'better-sqlite3';
import { describeOnLinux } from '../../fixtures/labs/needs.ts';
import { ChildHandle } from '../src/engines/sqlite/child-handle.ts';
import { IdleChildren } from '../src/engines/sqlite/idle-children.ts';
import {
  SQLITE_EXPORT_CHILDREN,
  SQLITE_MAX_CHILDREN,
  SQLITE_MOST_SLOW_CHILDREN,
  WAITING_STATEMENT_MS,
} from '../src/engines/sqlite/limits.ts';
import { nativeBindingFile } from '../src/host/native.ts';
import { errorOf } from './helpers/error-of.ts';
import { sqliteRunner } from './helpers/sqlite-bundle.ts';
import { childrenFor, holdsOpen, isGone, memoryOf, until } from './helpers/sqlite-processes.ts';
import {
  CAPS,
  ENDLESS,
  rowsRead,
  rowsReadWhenFree,
  type SqliteLab,
  soon,
  sqliteLab,
} from './helpers/sqlite-session.ts';
import { exportOf, readOf } from './helpers/statements.ts';
import { runSql } from './helpers/temp-project.ts';

const MIB = 1024 * 1024;
const ROWS = 1_000_000;
/** Takes a good part of a second of CPU time, and has one correct answer. */
const MEDIUM =
  'WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c LIMIT 1500000) SELECT count(*), max(i) FROM c';
/** Enough of them that one would meet a child that is busy with an endless one, if any did. */
const SMALL_STATEMENTS = 40;

describeOnLinux('SQLite processes', () => {
  let lab: SqliteLab;
  let file: string;
  let count = 0;
  beforeAll(async () => {
    lab = await sqliteLab();
  });
  afterAll(() => lab.end());
  beforeEach(() => {
    count += 1;
    file = runSql(join(lab.dir, `processes-${count}.db`), 'CREATE TABLE t (a); INSERT INTO t VALUES (1), (2);');
  });

  it('ends the process of a statement that is cancelled', async () => {
    const session = lab.session(file);
    const cancel = new AbortController();
    const reading = errorOf(readOf(session, ENDLESS, CAPS, cancel.signal));
    await until('a child runs', () => childrenFor(file).length === 1);
    const [child = 0] = childrenFor(file);
    const start = performance.now();
    cancel.abort();
    expect(await reading).toMatchObject({ code: 'E_CANCELLED' });
    expect(isGone(child)).toBe(true);
    process.stdout.write(`cancelled and gone after ${(performance.now() - start).toFixed(1)} ms\n`);
    expect(await rowsRead(session, 'SELECT count(*) FROM t')).toMatchObject({ rows: [[2]] });
  });

  it("ends it at the deadline, with the deadline's own error", async () => {
    const deadline = new AbortController();
    const error = new AppError('E_TIMEOUT', 'Too late.');
    setTimeout(() => deadline.abort(error), 200);
    const start = performance.now();
    await expect(readOf(lab.session(file), ENDLESS, CAPS, deadline.signal)).rejects.toBe(error);
    process.stdout.write(`timed out ${(performance.now() - start - 200).toFixed(1)} ms after the deadline\n`);
    expect(childrenFor(file)).toEqual([]);
  });

  it('does not start a call cancelled in advance', async () => {
    const session = lab.session(file);
    expect(await errorOf(readOf(session, 'SELECT 1', CAPS, AbortSignal.abort()))).toMatchObject({
      code: 'E_CANCELLED',
    });
    expect(childrenFor(file)).toEqual([]);
    const cancel = new AbortController();
    const many = Array.from({ length: 40 }, () => errorOf(readOf(session, ENDLESS, CAPS, cancel.signal)));
    await until('children run', () => childrenFor(file).length >= 4);
    cancel.abort();
    for (const { code } of await Promise.all(many)) expect(code).toBe('E_CANCELLED');
    await until('all children are gone', () => childrenFor(file).length === 0);
  });

  it('costs one call when a child dies, and says so', async () => {
    const session = lab.session(file);
    const reading = errorOf(readOf(session, ENDLESS, CAPS, soon()));
    await until('a child runs', () => childrenFor(file).length === 1);
    for (const child of childrenFor(file)) process.kill(child, 'SIGSEGV');
    const error = await reading;
    expect(error).toMatchObject({ code: 'E_SQL', details: { crashed: true, signal: 'SIGSEGV' } });
    expect(error.message).toContain('SIGSEGV');
    expect(await rowsRead(session, 'SELECT count(*) FROM t')).toMatchObject({ rows: [[2]] });
  });

  it('replaces an idle child that died', async () => {
    const session = lab.session(file);
    await rowsRead(session, 'SELECT 1');
    const [child = 0] = childrenFor(file);
    process.kill(child, 'SIGKILL');
    await until('it is gone', () => isGone(child));
    // The child's end may not be known here yet: then one call fails, and says so.
    const outcome = await readOf(session, 'SELECT 1', CAPS, soon()).catch((error: unknown) => error);
    if (outcome instanceof AppError) expect(outcome.details).toMatchObject({ crashed: true });
    expect(await rowsRead(session, 'SELECT 1')).toMatchObject({ rows: [[1]] });
  });

  it('leaves no child behind when its own process is killed during a statement', async () => {
    const runner = await sqliteRunner(lab.bundleDir);
    const parent = spawn(process.execPath, [runner, lab.bundleDir, file, 'read', ENDLESS], { stdio: 'ignore' });
    await until('a child runs', () => childrenFor(file).length === 1);
    const [child = 0] = childrenFor(file);
    await until('the child is busy', () => holdsOpen(child, file));
    const start = performance.now();
    parent.kill('SIGKILL');
    await until('the child is gone', () => isGone(child), 5_000);
    process.stdout.write(`child gone ${(performance.now() - start).toFixed(1)} ms after its parent\n`);
  });

  it('ends everything with the session, twice if need be', async () => {
    const session = lab.session(file);
    const reads = [ENDLESS, ENDLESS, 'SELECT 1'].map((sql) =>
      readOf(session, sql, CAPS, soon()).catch((error: unknown) => error),
    );
    await until('children run', () => childrenFor(file).length >= 2);
    await Promise.all([session.end(), session.end()]);
    expect(childrenFor(file)).toEqual([]);
    await Promise.all(reads);
    expect(await errorOf(readOf(session, 'SELECT 1', CAPS, soon()))).toMatchObject({ code: 'E_CANCELLED' });
  });

  it('releases the file soon and keeps one warm child', async () => {
    const session = lab.session(file);
    await Promise.all(Array.from({ length: 4 }, () => rowsRead(session, 'SELECT count(*) FROM t')));
    await until('one child is left', () => childrenFor(file).length === 1);
    const [child = 0] = childrenFor(file);
    await until('the file is closed', () => !holdsOpen(child, file));
    expect(await rowsRead(session, 'SELECT count(*) FROM t')).toMatchObject({ rows: [[2]] });
    expect(childrenFor(file)).toEqual([child]);
  }, 30_000);

  it('answers small statements while ten endless ones run', async () => {
    const session = lab.session(file);
    const cancel = new AbortController();
    const slow = Array.from({ length: 10 }, () => errorOf(readOf(session, ENDLESS, CAPS, cancel.signal)));
    const times: number[] = [];
    while (times.length < SMALL_STATEMENTS) {
      const start = performance.now();
      expect(await rowsRead(session, `SELECT count(*) + ${times.length} FROM t`)).toMatchObject({
        rows: [[times.length + 2]],
      });
      times.push(performance.now() - start);
    }
    const sorted = times.slice(1).sort((a, b) => a - b);
    const at = (part: number) => sorted[Math.floor(sorted.length * part)]?.toFixed(2);
    process.stdout.write(
      `beside ten slow ones: first ${times[0]?.toFixed(0)} ms, p50 ${at(0.5)}, p99 ${at(0.99)} ms\n`,
    );
    await until('a few slow ones run, and children for the others', () => childrenFor(file).length <= 6);
    cancel.abort();
    for (const { code } of await Promise.all(slow)) expect(code).toBe('E_CANCELLED');
  });

  it('runs slow statements at the lowest priority, and quick ones at normal priority', async () => {
    const session = lab.session(file);
    const cancel = new AbortController();
    const slow = errorOf(readOf(session, ENDLESS, CAPS, cancel.signal));
    const priorities = () => childrenFor(file).map((pid) => getPriority(pid));
    await until('the slow one gives way', () => priorities().includes(constants.priority.PRIORITY_LOW));
    await rowsRead(session, 'SELECT count(*) FROM t');
    expect(priorities().sort((a, b) => a - b)).toEqual([getPriority(), constants.priority.PRIORITY_LOW]);
    cancel.abort();
    await slow;
  });

  it('gets to a slow statement although endless ones run', async () => {
    const session = lab.session(file);
    const cancel = new AbortController();
    const endless = Array.from({ length: 3 }, () => errorOf(readOf(session, ENDLESS, CAPS, cancel.signal)));
    expect(await rowsRead(session, MEDIUM)).toMatchObject({ rows: [[1_500_000, 1_500_000]] });
    cancel.abort();
    await Promise.all(endless);
  }, 40_000);

  it('gets to a slow statement within its patience although five endless ones run and small ones keep coming', async () => {
    const session = lab.session(file);
    const cancel = new AbortController();
    const endless = Array.from({ length: SQLITE_MOST_SLOW_CHILDREN - 1 }, (_, i) =>
      errorOf(readOf(session, `${ENDLESS} LIMIT ${i + 1}`, CAPS, cancel.signal)),
    );
    await until('they run', () => childrenFor(file).length >= 2);
    let isDone = false;
    const slow = rowsRead(session, MEDIUM).finally(() => {
      isDone = true;
    });
    const small: Promise<unknown>[] = [];
    for (let n = 0; !isDone; n += 1) {
      small.push(rowsRead(session, `SELECT count(*) + ${n} FROM t`));
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    expect(await slow).toMatchObject({ rows: [[1_500_000, 1_500_000]] });
    await Promise.all(small);
    cancel.abort();
    await Promise.all(endless);
  }, 60_000);

  it('keeps exports that never end from delaying small statements', async () => {
    const session = lab.session(file);
    const cancel = new AbortController();
    const exports = Array.from({ length: 20 }, () =>
      errorOf(
        exportOf(
          session,
          'WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c) SELECT i FROM c',
          'csv',
          { write: async () => undefined },
          cancel.signal,
        ),
      ),
    );
    await until('as many run as may', () => childrenFor(file).length >= SQLITE_EXPORT_CHILDREN);
    for (let n = 0; n < 20; n += 1)
      expect(await rowsRead(session, 'SELECT count(*) FROM t')).toMatchObject({ rows: [[2]] });
    expect(childrenFor(file).length).toBeLessThanOrEqual(SQLITE_EXPORT_CHILDREN + 2);
    cancel.abort();
    for (const { code } of await Promise.all(exports)) expect(code).toBe('E_CANCELLED');
  }, 60_000);

  it('answers every slow read in the end, including restarted ones', async () => {
    const session = lab.session(file);
    const answers = await Promise.all(Array.from({ length: 8 }, () => rowsRead(session, MEDIUM)));
    for (const { rows } of answers) expect(rows).toEqual([[1_500_000, 1_500_000]]);
  }, 60_000);

  it('never restarts an export', async () => {
    const session = lab.session(file);
    const exports = Array.from({ length: 6 }, async () => {
      let rows = 0;
      const lines: string[] = [];
      const sink = {
        write: async (chunk: Buffer, done: number) => {
          rows += done;
          if (lines.length === 0) lines.push(chunk.toString('utf8', 0, 12));
        },
      };
      await exportOf(
        session,
        'WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c LIMIT 400000) SELECT i FROM c',
        'csv',
        sink,
        soon(),
      );
      return { rows, head: lines[0] };
    });
    for (const outcome of await Promise.all(exports))
      expect(outcome).toEqual({ rows: 400_000, head: 'i\r\n1\r\n2\r\n3\r\n' });
  }, 60_000);

  it('stays small over many statements', async () => {
    const session = lab.session(file);
    for (let i = 0; i < 2_000; i += 1) await rowsRead(session, `SELECT 1 /* warm up ${i} */`);
    const [child = 0] = childrenFor(file);
    const before = memoryOf(child).now;
    for (let i = 0; i < 15_000; i += 1) await rowsRead(session, `SELECT a FROM t /* ${i} */`);
    expect(childrenFor(file)).toEqual([child]);
    // Statements that are never freed would make it 90 MiB.
    expect(memoryOf(child).now - before).toBeLessThan(45 * MIB);
  }, 60_000);

  it('gives no further statement to a child made large by one huge cell', async () => {
    const { bundleDir } = lab;
    const child = new ChildHandle({
      file,
      bundleDir,
      nativeBinding: nativeBindingFile(bundleDir),
      log: () => undefined,
    });
    await child.send({ op: 'read', sql: 'SELECT zeroblob(1000)', caps: CAPS });
    const before = child.unfit;
    await child.send({ op: 'read', sql: "SELECT printf('%.*c', 200000000, 'x')", caps: CAPS });
    const after = child.unfit;
    await child.close(false);
    expect([before, after]).toEqual([false, true]);
  }, 30_000);

  it('takes no more memory the more often one child is used', async () => {
    const { bundleDir } = lab;
    const child = new ChildHandle({
      file,
      bundleDir,
      nativeBinding: nativeBindingFile(bundleDir),
      log: () => undefined,
    });
    const idle = new IdleChildren(() => false);
    setFlagsFromString('--expose-gc');
    const collect: unknown = runInNewContext('gc');
    if (typeof collect !== 'function') throw new Error('This Node does not expose its garbage collector.');
    const heapAfter = (uses: number) => {
      for (let n = 0; n < uses; n += 1) {
        idle.add(child);
        idle.take(false);
      }
      collect();
      return process.memoryUsage().heapUsed;
    };
    const before = heapAfter(1_000);
    const grown = heapAfter(200_000) - before;
    await child.close(false);
    await idle.end();
    expect(grown).toBeLessThan(5 * MIB);
  });

  it('runs others while many wait for a lock', async () => {
    const session = lab.session(file);
    const holder = new Database(file);
    holder.exec('BEGIN EXCLUSIVE');
    const waiting = Array.from({ length: 10 }, () => rowsRead(session, 'SELECT count(*) FROM t'));
    // Needs no lock: it does not read the file.
    expect(await rowsRead(session, 'PRAGMA query_only')).toMatchObject({ rows: [[1]] });
    expect(holder.inTransaction).toBe(true);
    holder.exec('COMMIT');
    holder.close();
    for (const { rows } of await Promise.all(waiting)) expect(rows).toEqual([[2]]);
  }, 30_000);

  it('limits the number of processes, however many statements wait', async () => {
    const session = lab.session(file);
    const holder = new Database(file);
    holder.exec('BEGIN EXCLUSIVE');
    const waiting = Array.from({ length: 40 }, () => rowsReadWhenFree(session, 'SELECT count(*) FROM t'));
    let most = 0;
    const count = () => {
      most = Math.max(most, childrenFor(file).length);
      return most;
    };
    await until('the bound is reached', () => count() >= SQLITE_MAX_CHILDREN);
    // Without the limit the next four would start as soon as the last four are found to wait.
    const end = performance.now() + 3 * WAITING_STATEMENT_MS;
    await until('there was time for more', () => count() > 0 && performance.now() > end);
    expect(most).toBe(SQLITE_MAX_CHILDREN);
    holder.exec('COMMIT');
    holder.close();
    for (const { rows } of await Promise.all(waiting)) expect(rows).toEqual([[2]]);
  }, 30_000);

  describe('with a million rows', () => {
    let big: string;
    beforeAll(() => {
      big = runSql(
        join(lab.dir, 'million.db'),
        `CREATE TABLE m (id INTEGER PRIMARY KEY, name TEXT, price REAL);
         INSERT INTO m WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c LIMIT ${ROWS})
         SELECT i, 'name ' || i, i / 4.0 FROM c;`,
      );
    }, 60_000);

    it('stops a read at the caps without growing', async () => {
      const session = lab.session(big);
      await rowsRead(session, 'SELECT 1');
      const children = childrenFor(big);
      expect(children).toHaveLength(1);
      const [child = 0] = children;
      const idle = memoryOf(child).now;
      const ours = process.memoryUsage.rss();
      const start = performance.now();
      const rows = await rowsRead(session, 'SELECT * FROM m');
      const took = performance.now() - start;
      expect(rows).toMatchObject({ rowCount: 500, truncated: true });
      const grown = memoryOf(child).peak - idle;
      process.stdout.write(`capped read: ${took.toFixed(1)} ms, child grew ${(grown / MIB).toFixed(1)} MiB\n`);
      expect(grown).toBeLessThan(40 * MIB);
      expect(process.memoryUsage.rss() - ours).toBeLessThan(40 * MIB);
      await session.end();
    }, 30_000);

    it.each(['csv', 'jsonl'] as const)(
      'exports all of them as %s with flat memory, waiting for a slow sink',
      async (format) => {
        const session = lab.session(big);
        await rowsRead(session, 'SELECT 1');
        const children = childrenFor(big);
        expect(children).toHaveLength(1);
        const [child = 0] = children;
        const idle = memoryOf(child).now;
        let rows = 0;
        let chunks = 0;
        let peak = 0;
        let inside = 0;
        let ended = '';
        const start = performance.now();
        await exportOf(
          session,
          'SELECT * FROM m ORDER BY id',
          format,
          {
            async write(chunk, done) {
              inside += 1;
              expect(inside).toBe(1);
              expect(chunk.length).toBeLessThanOrEqual(64 * 1024);
              chunks += 1;
              rows += done;
              ended = chunk.toString('utf8').slice(-40);
              // The sink is slow now and then, so the child must wait meanwhile. Measured during the export: a child
              // that became slow ends with it.
              if (chunks % 20 === 0) peak = memoryOf(child).peak;
              if (chunks % 100 === 0) await new Promise((resolve) => setTimeout(resolve, 20));
              inside -= 1;
            },
          },
          soon(),
        );
        expect(peak).toBeGreaterThan(0);
        const grown = peak - idle;
        process.stdout.write(
          `export ${format}: ${(performance.now() - start).toFixed(0)} ms, child grew ${(grown / MIB).toFixed(1)} MiB\n`,
        );
        expect(rows).toBe(ROWS);
        expect(ended).toMatch(format === 'csv' ? /1000000,name 1000000,250000\r\n$/ : /"price":250000}\n$/);
        expect(grown).toBeLessThan(40 * MIB);
        await session.end();
      },
      60_000,
    );

    it("ends an export whose sink fails, with the sink's error", async () => {
      const failing = exportOf(
        lab.session(big),
        'SELECT * FROM m',
        'csv',
        {
          write: async () => {
            throw new AppError('E_OUTSIDE_PROJECT', 'The disk is full.');
          },
        },
        soon(),
      );
      expect(await errorOf(failing)).toMatchObject({ message: 'The disk is full.' });
    });

    it('ends an export that is cancelled', async () => {
      const cancel = new AbortController();
      const exporting = errorOf(
        exportOf(lab.session(big), 'SELECT * FROM m', 'csv', { write: async () => cancel.abort() }, cancel.signal),
      );
      expect(await exporting).toMatchObject({ code: 'E_CANCELLED' });
    });

    it('ends a cancelled export although its sink never answers', async () => {
      const cancel = new AbortController();
      const stuck = { write: () => new Promise<void>(() => setImmediate(() => cancel.abort())) };
      const exporting = errorOf(exportOf(lab.session(big), 'SELECT * FROM m', 'csv', stuck, cancel.signal));
      expect(await exporting).toMatchObject({ code: 'E_CANCELLED' });
    });

    it('refuses to export a write', async () => {
      const exporting = exportOf(lab.session(big), 'DELETE FROM m', 'csv', { write: async () => undefined }, soon());
      expect(await errorOf(exporting)).toMatchObject({ code: 'E_READ_ONLY' });
    });
  });
});
