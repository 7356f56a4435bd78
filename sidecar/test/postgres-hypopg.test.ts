import { withoutHypopg } from '../../fixtures/labs/engines/hypopg-server.ts';
import { type PrivateEngine, startPrivateEngine } from '../../fixtures/labs/engines.ts';
import { assertMade, describeUnless } from '../../fixtures/labs/needs.ts';
import type { ServerTarget, Session } from '../src/engines/engine.ts';
import { postgresEngine } from '../src/engines/postgres/open.ts';
import { engineContext, targetOf } from './helpers/engine-target.ts';
import { askPostgres } from './helpers/postgres-lab.ts';
import { explainOf } from './helpers/statements.ts';

const TABLES = `
CREATE TABLE big (id int PRIMARY KEY, n int, k int, code varchar(20), "Odd" int, doc json);
INSERT INTO big SELECT i, i % 100, i, i, i FROM generate_series(1, 5000) AS g(i);
CREATE TABLE few (k int);
INSERT INTO few VALUES (1), (19);
CREATE SCHEMA other;
CREATE TABLE other.big_too AS SELECT * FROM big;
ANALYZE big, few, other.big_too`;

/** Anybody may write a function of that name. */
const IMPOSTOR = `
CREATE TABLE called (who text);
CREATE FUNCTION hypopg_create_index(text, OUT indexrelid oid, OUT indexname text) RETURNS SETOF record LANGUAGE plpgsql
  AS $$ BEGIN INSERT INTO called VALUES ('impostor'); RAISE EXCEPTION 'called'; END $$`;

describeUnless(withoutHypopg()?.notRun, 'Postgres with HypoPG', () => {
  let engine: PrivateEngine | undefined;
  let superuser: ServerTarget | undefined;
  let session: Session | undefined;

  beforeAll(async () => {
    engine = await startPrivateEngine('hypopg');
    superuser = targetOf(engine.superuserUrl ?? engine.url, 5432);
    await askPostgres(superuser, 'CREATE EXTENSION hypopg');
    await askPostgres(targetOf(engine.url, 5432), TABLES);
    session = postgresEngine.open(targetOf(engine.url, 5432), engineContext());
  }, 120_000);

  afterAll(async () => {
    await session?.end();
    await engine?.stop();
  });

  async function missing(sql: string, of: Session | undefined = session): Promise<string[]> {
    assertMade(of);
    const { flags } = await explainOf(of, sql, false, AbortSignal.timeout(30_000));
    return flags.flatMap(({ flag, message }) => (flag === 'missing-index' ? message : []));
  }

  test.each([
    ['an equality', 'SELECT * FROM big WHERE n = 5', 'big (n)', 'n = 5'],
    ['a text', "SELECT * FROM big WHERE code = '5'", 'big (code)', "(code)::text = '5'::text"],
    ['two columns', 'SELECT id FROM big WHERE k < 900 AND n = 2', 'big (n, k)', '(n = 2) AND (k < 900)'],
    ['a narrow range', 'SELECT * FROM big WHERE k > 4990', 'big (k)', 'k > 4990'],
    ['a name with quotes', 'SELECT * FROM big WHERE "Odd" = 5', 'big ("Odd")', '"Odd" = 5'],
    ['a join', 'SELECT * FROM few JOIN big ON big.k = few.k AND few.k = 19', 'big (k)', 'k = 19'],
    ['a table elsewhere', 'SELECT * FROM other.big_too WHERE n = 5', 'other.big_too (n)', 'n = 5'],
    ['a change', 'UPDATE big SET k = 1 WHERE n = 5', 'big (n)', 'n = 5'],
  ])('names the index that it plans to search: %s', async (_what, sql, index, search) => {
    expect(await missing(sql)).toEqual([
      `An index on ${index} would be used: planned with it, Postgres searches (${search}) instead of reading all rows.`,
    ]);
  });

  test('names the index that it plans to read in order', async () => {
    expect(await missing('SELECT * FROM few JOIN big ON big.k = few.k')).toEqual([
      expect.stringMatching(
        /^An index on big \(k\) would be used: planned with it, Postgres reads the rows in its order and expects \d\d% less work\.$/,
      ),
    ]);
  });

  test.each([
    ['an expression', 'SELECT * FROM big WHERE n + 0 = 5'],
    ['nearly all rows', 'SELECT * FROM big WHERE n > 1'],
    ['no condition', 'SELECT * FROM big'],
    ['a number as a text', "SELECT * FROM big WHERE n::text = '5'"],
    ['a type that has no order', "SELECT * FROM big WHERE doc::text = '5'"],
  ])('names none that it would not search: %s', async (_what, sql) => {
    expect((await missing(sql)).filter((message) => message.startsWith('An index on'))).toEqual([]);
  });

  test('what it tried is gone: later plans use no index that does not exist, and the catalogue has none', async () => {
    assertMade(session);
    assertMade(superuser);
    for (let call = 0; call < 3; call += 1) {
      const { plan } = await explainOf(session, 'SELECT * FROM big WHERE n = 5', false, AbortSignal.timeout(30_000));
      expect(plan).toMatchObject([{ operation: 'scan', table: 'big' }]);
    }
    expect(await askPostgres(superuser, "SELECT indexname FROM pg_indexes WHERE tablename = 'big'")).toEqual([
      ['big_pkey'],
    ]);
  });

  test("somebody else's function of that name is not called; the index is named as a guess", async () => {
    assertMade(engine);
    assertMade(superuser);
    await askPostgres(superuser, 'CREATE DATABASE devdb_impostor OWNER lab');
    const target = { ...targetOf(engine.url, 5432), database: 'devdb_impostor' };
    await askPostgres(target, TABLES);
    await askPostgres(target, IMPOSTOR);
    const there = postgresEngine.open(target, engineContext());
    try {
      expect(await missing('SELECT * FROM big WHERE n = 5', there)).toEqual([
        'An index on big (n) may help: the statement looks for rows by its columns. It was not tried.',
      ]);
      expect(await askPostgres(target, 'SELECT * FROM called')).toEqual([]);
    } finally {
      await there.end();
    }
  });
});
