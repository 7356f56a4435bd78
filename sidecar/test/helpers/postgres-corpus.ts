import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isErrorCode } from '@devdb/shared/errors';
import * as z from 'zod';
import type { ServerTarget, Session } from '../../src/engines/engine.ts';
import { postgresEngine } from '../../src/engines/postgres/open.ts';
import type { CorpusFolder } from './corpus-folder.ts';
import { engineContext } from './engine-target.ts';
import type { PostgresLab } from './postgres-lab.ts';
import { checkOf, explainOf, exportOf, previewOf } from './statements.ts';

export const postgresCorpus = z
  .object({
    schema: z.array(z.string()),
    statements: z.array(z.object({ sql: z.string(), outcome: z.enum(['rows', 'is-write', 'refused', 'error']) })),
  })
  .parse(JSON.parse(readFileSync(join(import.meta.dirname, '../../../fixtures/corpus/postgres.json'), 'utf8')));

const CAPS = { rows: 100, bytes: 100_000, cellBytes: 4096 };

/** Everything that a statement could have changed, as one text. */
const STATE = `
SELECT md5(table_to_xml('accounts', true, true, '')::text), txt.* FROM (
  SELECT (SELECT md5(string_agg(concat_ws(' ', oid, relname, relowner, relacl, relfilenode, reltuples), ',' ORDER BY oid)) FROM pg_class WHERE oid >= 16384),
         (SELECT md5(string_agg(concat_ws(' ', oid, proname), ',' ORDER BY oid)) FROM pg_proc WHERE oid >= 16384),
         (SELECT md5(string_agg(concat_ws(' ', oid, typname), ',' ORDER BY oid)) FROM pg_type WHERE oid >= 16384),
         (SELECT md5(string_agg(nspname, ',' ORDER BY oid)) FROM pg_namespace WHERE nspname !~ 'temp'),
         (SELECT md5(string_agg(concat_ws(' ', rolname, rolconfig::text), ',' ORDER BY oid)) FROM pg_roles),
         (SELECT md5(string_agg(collname, ',' ORDER BY oid)) FROM pg_collation),
         (SELECT count(*) FROM pg_description WHERE objoid >= 16384), (SELECT count(*) FROM pg_largeobject_metadata),
         (SELECT count(*) FROM pg_extension), (SELECT count(*) FROM pg_replication_slots),
         (SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'), (SELECT count(*) FROM pg_prepared_xacts),
         (SELECT last_value || ' ' || is_called FROM accounts_id_seq), (SELECT count(*) FROM pg_db_role_setting),
         (SELECT md5(string_agg(name || setting, ',' ORDER BY name)) FROM pg_settings WHERE source <> 'session')
) AS txt`;

/** A superuser's view of everything that a statement could have changed. */
export async function postgresState(
  { ask }: Pick<PostgresLab, 'ask'>,
  superuser: ServerTarget,
  folder: CorpusFolder,
): Promise<string> {
  return JSON.stringify([await ask(STATE, superuser), folder.files()]);
}

async function outcomeOf(session: Session, sql: string): Promise<string> {
  try {
    const statement = await session.prepare(sql, AbortSignal.timeout(20_000));
    if (statement.effect === 'refused') return 'refused';
    // As run-query does before it asks: a statement the server cannot compile is an error.
    if (statement.effect === 'write') await statement.check(AbortSignal.timeout(20_000));
    return (await statement.read(CAPS, AbortSignal.timeout(20_000))).kind;
  } catch (error) {
    const { code, details }: { code?: unknown; details?: { refused?: unknown } } = Object(error);
    if (!isErrorCode(code)) throw error;
    return details?.refused === true ? 'refused' : 'error';
  }
}

/** All other ways in which a read runs something. Only their effects matter here, not their answers. */
async function tryOtherWays(session: Session, sql: string): Promise<void> {
  const sink = { write: async () => undefined };
  await Promise.allSettled([
    exportOf(session, sql, 'csv', sink, AbortSignal.timeout(20_000)),
    explainOf(session, sql, true, AbortSignal.timeout(20_000)),
    checkOf(session, sql, AbortSignal.timeout(20_000)),
    previewOf(session, sql, AbortSignal.timeout(20_000)),
  ]);
}

/** A session is reset after its answer: locks taken by a view are released a moment later. */
async function settled(state: () => Promise<string>, wanted: string): Promise<string> {
  const deadline = performance.now() + 3_000;
  let now = await state();
  while (now !== wanted && performance.now() < deadline) now = await state();
  return now;
}

/** Reads every statement of the corpus in every way; returns unexpected outcomes and changes. */
export async function runPostgresCorpus(
  target: ServerTarget,
  folder: CorpusFolder,
  state: () => Promise<string>,
): Promise<string[]> {
  const session = postgresEngine.open(target, engineContext());
  const problems: string[] = [];
  try {
    const before = await state();
    for (const { sql: text, outcome } of postgresCorpus.statements) {
      const sql = text.replaceAll('{dir}', folder.path);
      const got = await outcomeOf(session, sql);
      // A server may lack the function; and from version 16 on creating a large object is refused, while before it was
      // rolled back.
      const mayDiffer = outcome === 'is-write' && (got === 'error' || sql.includes('large_view'));
      if (got !== outcome && !mayDiffer) problems.push(`${sql}: ${got}, expected ${outcome}`);
      await tryOtherWays(session, sql);
      const after = await settled(state, before);
      if (after !== before) {
        problems.push(`${sql}: changed ${before} to ${after}`);
        return problems;
      }
    }
  } finally {
    await session.end();
  }
  return problems;
}
