import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '@devdb/shared/errors';
import * as z from 'zod';
import type { Caps, ServerTarget, Session } from '../../src/engines/engine.ts';
import { mysqlEngine } from '../../src/engines/mysql/session.ts';
import type { CorpusFolder } from './corpus-folder.ts';
import { engineContext } from './engine-target.ts';
import type { MysqlLab } from './mysql-lab.ts';
import { judgementOf, readOf } from './statements.ts';

const CAPS: Caps = { rows: 100, bytes: 64 * 1024, cellBytes: 4096 };

export const mysqlCorpus = z
  .object({
    README: z.string(),
    schema: z.array(z.string()),
    asRoot: z.array(z.string()),
    statements: z.array(
      z.object({ sql: z.string(), effect: z.enum(['read', 'write', 'refused']), note: z.string().optional() }),
    ),
    hidden: z.object({
      objects: z.array(z.string()),
      ofMariadb: z.array(z.string()),
      asked: z.array(z.string()),
      unseen: z.array(z.string()),
      plain: z.array(z.string()),
    }),
  })
  .parse(JSON.parse(readFileSync(join(__dirname, '../../../fixtures/corpus/mysql.json'), 'utf8')));

/** Root's functions and views exist only where the run has root. */
const NEEDS_ROOT = /set_global|write_file|nested_global|v_global|v_outer/;

// Only syntax of the other product may make a read fail.
const ENDINGS = { read: /^rows$/, write: /^is-write$/, refused: /^E_SQL$/ } as const;

/** A statement of the corpus that was not judged as it says. */
export interface Misjudged {
  readonly sql: string;
  readonly effect: keyof typeof ENDINGS;
  readonly judged: string;
  readonly ending: string;
}

/** Makes the objects that the statements use. */
export async function makeMysqlCorpus(lab: MysqlLab, folder: CorpusFolder): Promise<void> {
  for (const sql of mysqlCorpus.schema) await lab.ask(sql);
  for (const sql of lab.superuser === undefined ? [] : mysqlCorpus.asRoot) {
    await lab.ask(placed(sql, lab.target, folder), lab.superuser);
  }
}

function placed(sql: string, target: ServerTarget, folder: CorpusFolder): string {
  return sql.replaceAll('{dir}', folder.path).replaceAll('{db}', target.database);
}

/** Everything that a statement could have changed. */
async function stateOf({ ask, superuser }: MysqlLab, folder: CorpusFolder): Promise<unknown> {
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
    databases: await ask("SHOW DATABASES LIKE 'devdb\\_corpus%'", superuser),
    users: superuser === undefined ? [] : await ask("SELECT user FROM mysql.user WHERE user LIKE 'corpus%'", superuser),
    settings: await ask(
      'SELECT @@global.max_error_count, @@global.read_only, @@global.local_infile, @@global.max_connections',
    ),
    locks: await ask("SELECT IS_FREE_LOCK('devdb')"),
    files: folder.files(),
  };
}

/** Reads every statement as this user and expects no change; returns those that were misjudged. */
export async function runMysqlCorpus(lab: MysqlLab, target: ServerTarget, folder: CorpusFolder): Promise<Misjudged[]> {
  const session = mysqlEngine.open(target, engineContext());
  try {
    const before = await stateOf(lab, folder);
    const misjudged: Misjudged[] = [];
    for (const { sql, effect } of mysqlCorpus.statements) {
      if (lab.superuser === undefined && NEEDS_ROOT.test(sql)) continue;
      const text = placed(sql, target, folder);
      const judged = (await judgementOf(session, text)).effect;
      const ending = await endingOf(session, text);
      if (judged !== effect || !ENDINGS[effect].test(ending)) misjudged.push({ sql, effect, judged, ending });
      expect([sql, await stateOf(lab, folder)]).toEqual([sql, before]);
    }
    return misjudged;
  } finally {
    await session.end();
  }
}

/** How a statement that is run as a read ends: as it was judged, or with an error code. */
async function endingOf(session: Session, sql: string): Promise<string> {
  try {
    return (await readOf(session, sql, CAPS, AbortSignal.timeout(20_000))).kind;
  } catch (error) {
    if (error instanceof AppError) return error.code;
    throw error;
  }
}
