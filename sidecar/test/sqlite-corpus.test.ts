import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '@devdb/shared/errors';
import Database from 'better-sqlite3';
import * as z from 'zod';
import type { Caps, Session } from '../src/engines/engine.ts';
import { sqlite } from '../src/engines/sqlite/session.ts';
import { engineContext } from './helpers/engine-target.ts';
import { sqliteBundle } from './helpers/engines-under-test.ts';
import { type ScratchDatabase, scratchDatabase } from './helpers/sqlite-shop.ts';
import { checkOf, explainOf, exportOf, previewOf, readOf } from './helpers/statements.ts';

const CAPS: Caps = { rows: 100, bytes: 64 * 1024, cellBytes: 4096 };
const corpus = z
  .object({
    README: z.string(),
    schema: z.array(z.string()),
    statements: z.array(
      z.object({ sql: z.string(), effect: z.enum(['read', 'write', 'refused']), note: z.string().optional() }),
    ),
  })
  .parse(JSON.parse(readFileSync(join(__dirname, '../../fixtures/corpus/sqlite.json'), 'utf8')));

let bundle: Awaited<ReturnType<typeof sqliteBundle>>;
let scratch: ScratchDatabase;
let session: Session;
let before: { readonly bytes: Buffer; readonly other: Buffer; readonly files: readonly string[] };

beforeAll(async () => {
  bundle = await sqliteBundle();
  scratch = scratchDatabase(corpus.schema);
  const other = new Database(join(scratch.dir, 'other.db'));
  other.exec('CREATE TABLE secrets(a)');
  other.close();
  session = sqlite.open({ file: scratch.file }, engineContext(scratch.dir, bundle.dir));
  before = state();
});

afterAll(async () => {
  await session.end();
  bundle.remove();
  scratch.remove();
});

function state(): typeof before {
  return {
    bytes: readFileSync(scratch.file),
    other: readFileSync(join(scratch.dir, 'other.db')),
    files: readdirSync(scratch.dir).sort(),
  };
}

function inDir(sql: string): string {
  return sql.replaceAll('{dir}', scratch.dir);
}

/** How a statement that is run as a read ends: as it was judged, or with an error code. */
async function endingOf(sql: string): Promise<string> {
  try {
    return (await readOf(session, sql, CAPS, AbortSignal.timeout(20_000))).kind;
  } catch (error) {
    if (error instanceof AppError) return error.code;
    throw error;
  }
}

/** The settings of the reading connection, as the next read sees them. */
async function guard(): Promise<unknown> {
  const sql = `SELECT (SELECT query_only FROM pragma_query_only), (SELECT trusted_schema FROM pragma_trusted_schema),
    (SELECT writable_schema FROM pragma_writable_schema), (SELECT locking_mode FROM pragma_locking_mode),
    (SELECT group_concat(name) FROM pragma_database_list WHERE name <> 'temp')`;
  const outcome = await readOf(session, sql, CAPS, AbortSignal.timeout(20_000));
  return outcome.kind === 'rows' ? outcome.rows.rows[0] : outcome.kind;
}

describe('a statement of the corpus, run as a read,', () => {
  const named = corpus.statements.map((entry) => ({ ...entry, name: JSON.stringify(entry.sql) }));

  test.each(named)('leaves database, folder and guard unchanged: $name', async ({ sql, effect }) => {
    const ending = await endingOf(inDir(sql));
    const expected = { read: ['rows'], write: ['is-write'], refused: ['E_SQL'] }[effect];
    expect(expected).toContain(ending);
    expect(await guard()).toEqual([1, 0, 0, 'normal', 'main']);
    const after = state();
    expect(after.files).toEqual(before.files);
    expect(after.bytes.equals(before.bytes)).toBe(true);
    expect(after.other.equals(before.other)).toBe(true);
  });

  test('contains every known way around the guard, at least 80 of them', () => {
    expect(corpus.statements.filter(({ effect }) => effect !== 'read').length).toBeGreaterThanOrEqual(80);
    expect(new Set(corpus.statements.map(({ sql }) => sql)).size).toBe(corpus.statements.length);
  });
});

describe('a statement of the corpus, exported,', () => {
  const risky = corpus.statements.filter(({ effect }) => effect !== 'read');

  test('is not run when it is not a read', async () => {
    const sink = { write: () => Promise.reject(new Error('There was something to write.')) };
    for (const { sql } of risky) {
      const run = exportOf(session, inDir(sql), 'csv', sink, AbortSignal.timeout(20_000));
      await expect(run).rejects.toMatchObject({ code: expect.stringMatching(/^E_(?:SQL|READ_ONLY)$/) });
    }
    expect(state()).toEqual(before);
    expect(await guard()).toEqual([1, 0, 0, 'normal', 'main']);
  });
});

describe('a statement of the corpus, explained,', () => {
  test('changes nothing, analysed or not', async () => {
    for (const { sql } of corpus.statements) {
      const run = explainOf(session, inDir(sql), true, AbortSignal.timeout(20_000));
      await run.catch((error: unknown) => expect(error).toMatchObject({ code: expect.stringMatching(/^E_/) }));
    }
    expect(state()).toEqual(before);
    expect(await guard()).toEqual([1, 0, 0, 'normal', 'main']);
  });
});

describe('a statement of the corpus, previewed or compiled for a question,', () => {
  test('changes nothing and holds no lock', async () => {
    for (const { sql } of corpus.statements.filter(({ effect }) => effect === 'write')) {
      const signal = AbortSignal.timeout(20_000);
      const runs = [checkOf(session, inDir(sql), signal), previewOf(session, inDir(sql), signal)];
      const isCoded = (error: unknown) => expect(error).toMatchObject({ code: expect.stringMatching(/^E_/) });
      await Promise.all(runs.map((run) => run.catch(isCoded)));
    }
    const writer = new Database(scratch.file, { timeout: 0 });
    writer.exec('BEGIN EXCLUSIVE; ROLLBACK');
    writer.close();
    expect(readdirSync(scratch.dir).sort()).toEqual(before.files);
    expect(contents()).toEqual(dump);
  });

  const dump = (() => {
    const fresh = scratchDatabase(corpus.schema);
    const rows = contentsOf(fresh.file);
    fresh.remove();
    return rows;
  })();
  const contents = (): unknown => contentsOf(scratch.file);
});

/** Schema and rows: after a rolled-back transaction the bytes may differ, these must not. */
function contentsOf(file: string): unknown {
  const db = new Database(file, { readonly: true });
  const queries = [
    'SELECT type, name, sql FROM sqlite_schema',
    'SELECT * FROM users',
    'SELECT * FROM notes',
    'SELECT * FROM log',
  ];
  const rows = queries.map((sql) => db.prepare(sql).safeIntegers().all());
  db.close();
  return rows;
}
