import { chmodSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AppError } from '@devdb/shared/errors';
import * as z from 'zod';
import type { Caps, ServerTarget, Session } from '../src/engines/engine.ts';
import { mysqlEngine } from '../src/engines/mysql/open.ts';
import { engineContext, MYSQL_KINDS, type MysqlLab, mysqlLab } from './helpers/mysql-lab.ts';

const CAPS: Caps = { rows: 100, bytes: 64 * 1024, cellBytes: 4096 };
const corpus = z
  .object({
    README: z.string(),
    schema: z.array(z.string()),
    asRoot: z.array(z.string()),
    statements: z.array(
      z.object({ sql: z.string(), effect: z.enum(['read', 'write', 'refused']), note: z.string().optional() }),
    ),
  })
  .parse(JSON.parse(readFileSync(join(__dirname, '../../fixtures/corpus/mysql.json'), 'utf8')));

/** Functions and views of root are there only where the run has a root. */
const NEEDS_ROOT = /set_global|write_file|nested_global|v_global|v_outer/;

describe.each(MYSQL_KINDS)('a statement of the corpus, run as a read on %s,', (kind) => {
  let lab: MysqlLab | undefined;
  let dir: string;

  beforeAll(async () => {
    lab = await mysqlLab(kind);
    dir = mkdtempSync(join(realpathSync(tmpdir()), 'devdb-corpus-'));
    // The server runs as another user.
    chmodSync(dir, 0o777);
    if (lab === undefined) return;
    for (const sql of corpus.schema) await lab.ask(sql);
    for (const sql of lab.superuser === undefined ? [] : corpus.asRoot) {
      await lab.ask(placed(sql, lab.target), lab.superuser);
    }
  });

  afterAll(async () => {
    await lab?.remove();
    rmSync(dir, { recursive: true, force: true });
  });

  function placed(sql: string, target: ServerTarget): string {
    return sql.replaceAll('{dir}', dir).replaceAll('{db}', target.database);
  }

  /** All that a statement could have left behind. */
  async function state({ ask, superuser }: MysqlLab): Promise<unknown> {
    const shared = superuser ?? undefined;
    return {
      rows: await ask('CHECKSUM TABLE users, log'),
      made: await ask(
        `SELECT TABLE_NAME, CREATE_TIME, TABLE_TYPE FROM information_schema.TABLES WHERE TABLE_SCHEMA = database() ORDER BY 1`,
      ),
      routines: await ask(
        'SELECT ROUTINE_NAME FROM information_schema.ROUTINES WHERE ROUTINE_SCHEMA = database() ORDER BY 1',
      ),
      triggers: await ask('SHOW TRIGGERS'),
      columns: await ask('SHOW COLUMNS FROM users'),
      databases: await ask("SHOW DATABASES LIKE 'devdb\\_corpus%'", shared),
      users: superuser === undefined ? [] : await ask("SELECT user FROM mysql.user WHERE user LIKE 'corpus%'", shared),
      settings: await ask(
        'SELECT @@global.max_error_count, @@global.read_only, @@global.local_infile, @@global.max_connections',
      ),
      locks: await ask("SELECT IS_FREE_LOCK('devdb')"),
      files: readdirSync(dir),
    };
  }

  async function runAll(openAs: (all: MysqlLab) => ServerTarget | undefined): Promise<void> {
    const target = lab === undefined ? undefined : openAs(lab);
    if (lab === undefined || target === undefined) return;
    const session = mysqlEngine.open(target, engineContext());
    try {
      const before = await state(lab);
      const misjudged: unknown[] = [];
      for (const { sql, effect } of corpus.statements) {
        if (lab.superuser === undefined && NEEDS_ROOT.test(sql)) continue;
        const text = placed(sql, target);
        const judged = await session.classify(text);
        const ending = await endingOf(session, text);
        if (judged.effect !== effect || !ENDINGS[effect].test(ending)) misjudged.push({ sql, judged, ending });
        expect([sql, await state(lab)]).toEqual([sql, before]);
      }
      expect(misjudged).toEqual([]);
    } finally {
      await session.end();
    }
  }

  // Nothing but the grammar of the other product may end a read in an error.
  const ENDINGS = { read: /^rows$/, write: /^is-write$/, refused: /^E_SQL$/ } as const;

  it('leaves everything as it was for an ordinary user, whose guard is enforced', async () => {
    await runAll(({ target }) => target);
    if (lab === undefined) return;
    const session = mysqlEngine.open(lab.target, engineContext());
    await session.facts(AbortSignal.timeout(20_000));
    if (lab.superuser !== undefined) expect(session.guard.strength).toBe('enforced');
    await session.end();
  }, 180_000);

  it('leaves everything as it was for root, whose guard says what to do', async () => {
    await runAll(({ superuser }) => superuser);
    if (lab?.superuser === undefined) return;
    const session = mysqlEngine.open(lab.superuser, engineContext());
    await session.facts(AbortSignal.timeout(20_000));
    expect(session.guard).toEqual({ strength: 'guarded', reason: expect.stringContaining('devdb role --print') });
    await session.end();
  }, 180_000);
});

/** How a statement that is run as a read ends: as what it was taken for, or as the code of the error. */
async function endingOf(session: Session, sql: string): Promise<string> {
  try {
    return (await session.read(sql, CAPS, AbortSignal.timeout(20_000))).kind;
  } catch (error) {
    if (error instanceof AppError) return error.code;
    throw error;
  }
}
