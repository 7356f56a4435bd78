import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isErrorCode } from '@devdb/shared/errors';
import * as z from 'zod';
import type { ServerTarget, Session } from '../../src/engines/engine.ts';
import { postgresEngine } from '../../src/engines/postgres/open.ts';
import type { CorpusFolder } from './corpus-folder.ts';
import { eachUnchanged } from './each-unchanged.ts';
import { engineContext } from './engine-target.ts';
import { askPostgres, withPostgres } from './postgres-lab.ts';
import { checkOf, explainOf, exportOf, previewOf, readOf } from './statements.ts';

const list = z.array(z.string());

/** A database with code hidden behind everything that a statement can reach without naming it. */
export const reachCorpus = z
  .object({ reach: z.object({ extensions: list, schema: list, reached: list, plain: list }) })
  .parse(JSON.parse(readFileSync(join(import.meta.dirname, '../../../fixtures/corpus/postgres.json'), 'utf8'))).reach;

const CAPS = { rows: 100, bytes: 100_000, cellBytes: 4096 };
const soon = (): AbortSignal => AbortSignal.timeout(60_000);

/** Makes the database as a superuser. Returns the statements this server refused: older ones lack some features. */
export async function makeReach(superuser: ServerTarget, folder: CorpusFolder): Promise<string[]> {
  const refused: string[] = [];
  await withPostgres(superuser, async (client) => {
    for (const text of [...reachCorpus.extensions, ...reachCorpus.schema]) {
      try {
        await client.query(text.replaceAll('{dir}', folder.path));
      } catch (error) {
        refused.push(`${text}: ${String(error)}`);
      }
    }
  });
  folder.empty();
  return refused;
}

/** Every way in which a statement reaches the server before anybody has agreed. */
export function waysOf(session: Session, sql: string): Readonly<Record<string, () => Promise<unknown>>> {
  return {
    read: () => readOf(session, sql, CAPS, soon()),
    export: () => exportOf(session, sql, 'jsonl', { write: async () => undefined }, soon()),
    explain: () => explainOf(session, sql, false, soon()),
    analyze: () => explainOf(session, sql, true, soon()),
    check: () => checkOf(session, sql, soon()),
    preview: () => previewOf(session, sql, soon()),
  };
}

/** How a way ended: the kind of a read, or an error code. */
export async function endOf(way: () => Promise<unknown>): Promise<unknown> {
  try {
    const outcome = await way();
    return typeof outcome === 'object' && outcome !== null && 'kind' in outcome ? outcome.kind : 'done';
  } catch (error) {
    const { code }: { code?: unknown } = Object(error);
    if (!isErrorCode(code)) throw error;
    return code;
  }
}

/** What others would see of an executed statement: its rows, its sequences, its locks, its files. */
const STATE = `
SELECT md5((SELECT string_agg(l::text, ',' ORDER BY l.id) FROM ledger l)),
       (SELECT count(*) FROM pg_class WHERE oid >= 16384), (SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'),
       (SELECT count(*) FROM checks) + (SELECT count(*) FROM triggered) + (SELECT count(*) FROM defaults)
         + (SELECT count(*) FROM ruled) + (SELECT count(*) FROM pairs) + (SELECT count(*) FROM notes)`;

/** The state as one text, seen by a superuser. */
export async function reachState(superuser: ServerTarget): Promise<string> {
  return JSON.stringify(await askPostgres(superuser, STATE));
}

/** Tries every statement in every way, now and then as the first of a session; returns what went wrong. */
export async function runReached(
  target: ServerTarget,
  superuser: ServerTarget,
  folder: CorpusFolder,
): Promise<string[]> {
  const problems: string[] = [];
  const before = await reachState(superuser);
  const session = postgresEngine.open(target, engineContext());
  const attempts = [...reachCorpus.reached.entries()];
  try {
    await eachUnchanged(
      attempts,
      REACHED_AT_ONCE,
      () => folder.files(),
      async ([at, sql]) => {
        problems.push(...(await tryAll(session, sql)));
        if (at % FRESH_EVERY !== 0) return;
        const fresh = postgresEngine.open(target, engineContext());
        problems.push(...(await tryAll(fresh, sql, (at / FRESH_EVERY) % WAYS)));
        await fresh.end();
      },
    );
  } finally {
    await session.end();
  }
  const after = await reachState(superuser);
  if (after !== before) problems.push(`the database changed from ${before} to ${after}`);
  return problems;
}

/** This many statements are tried between two checks of their effects. */
export const REACHED_AT_ONCE = 8;
const FRESH_EVERY = 5;
const WAYS = 6;

async function tryAll(session: Session, sql: string, first = 0): Promise<string[]> {
  const problems: string[] = [];
  const ways = Object.entries(waysOf(session, sql));
  for (const [name, way] of [...ways.slice(first), ...ways.slice(0, first)]) {
    const end = await endOf(way);
    if (end === 'rows' || (name === 'export' && end === 'done')) problems.push(`${name} ${sql}: was run as a read`);
  }
  return problems;
}

/** Reads every ordinary statement; returns those that were misjudged. */
export async function runPlain(target: ServerTarget, folder: CorpusFolder): Promise<string[]> {
  const session = postgresEngine.open(target, engineContext());
  const problems: string[] = [];
  const work = async (sql: string): Promise<void> => {
    const { read = neverCalled, export: exported = neverCalled } = waysOf(session, sql);
    const ends = [await endOf(read), await endOf(exported)];
    if (ends.join() !== 'rows,done') problems.push(`${sql}: ${ends.join()}`);
  };
  try {
    await eachUnchanged(reachCorpus.plain, REACHED_AT_ONCE, () => folder.files(), work);
  } finally {
    await session.end();
  }
  return problems;
}

function neverCalled(): never {
  throw new Error('There is no such way.');
}
