import { testOn } from '../../fixtures/labs/needs.ts';
import type { Binding, Bindings, Caps } from '../src/engines/engine.ts';
import { postgresEngine } from '../src/engines/postgres/open.ts';
import { engineContext } from './helpers/engine-target.ts';
import { type PostgresLab, postgresLab } from './helpers/postgres-lab.ts';
import { readOf } from './helpers/statements.ts';

/** What is specific to Postgres: it has to find a type for each value before it runs a statement. */
const CAPS: Caps = { rows: 500, bytes: 32 * 1024, cellBytes: 4 * 1024 };
let lab: PostgresLab | undefined;

beforeAll(async () => {
  lab = await postgresLab(['01-schema.sql', '02-rows.sql']);
});
afterAll(() => lab?.remove());

const string = (value: string | null): Binding => ({ type: 'string', value });
const integer = (value: number | null): Binding => ({ type: 'integer', value });

async function rowsOf(sql: string, params: Bindings): Promise<unknown> {
  if (lab === undefined) throw new Error('There is no Postgres in this run.');
  const session = postgresEngine.open(lab.target, engineContext());
  try {
    const outcome = await readOf(session, sql, CAPS, AbortSignal.timeout(30_000), params);
    return outcome.kind === 'rows' ? outcome.rows.rows : outcome;
  } finally {
    await session.end();
  }
}

const inPostgres = testOn('postgres');

describe('a text takes the type of its context', () => {
  inPostgres.each<readonly [string, Bindings, unknown]>([
    ['SELECT :p AS v', { p: string('a') }, [['a']]],
    ['SELECT :p IS NULL AS v', { p: string(null) }, [[true]]],
    ['SELECT concat(:p, :q) AS v', { p: string('a'), q: string(null) }, [['a']]],
    ["SELECT '2024-01-31'::date + :n AS v", { n: integer(1) }, [['2024-02-01']]],
    ['SELECT :d::date + 1 AS v', { d: string('2024-02-28') }, [['2024-02-29']]],
    ['SELECT (\'{"a":[1,2]}\'::jsonb)->:k->>:i AS v', { k: string('a'), i: integer(1) }, [['2']]],
    ['SELECT (ARRAY[10,20,30])[:i] AS v', { i: integer(2) }, [[20]]],
    ['SELECT (ARRAY[10,20,30])[:i::int] AS v', { i: integer(3) }, [[30]]],
    ['SELECT substr(:t, :from) AS v', { t: string('abc'), from: integer(2) }, [['bc']]],
    ['SELECT id FROM orders WHERE status = :s ORDER BY id', { s: string("it's sent") }, [[3]]],
    ['SELECT id FROM orders WHERE :s IS NULL OR status = :s ORDER BY id', { s: string(null) }, [[1], [2], [3]]],
    [
      'SELECT id FROM orders WHERE (:d IS NULL OR placed_at < :d) AND :d <> :x',
      { d: string('2024-01-02'), x: string('') },
      [[1]],
    ],
    ['SELECT id FROM orders WHERE placed_at < :d AND :d = :d::text', { d: string('2024-01-02') }, [[1]]],
    [
      'SELECT date_trunc(:u, placed_at)::date AS m, count(*) FROM orders GROUP BY date_trunc(:u, placed_at) ORDER BY 1',
      { u: string('month') },
      [
        ['2024-01-01', 1],
        ['2024-02-01', 2],
      ],
    ],
    [
      'SELECT name FROM customers WHERE id = ANY (:ids::bigint[]) ORDER BY id',
      { ids: string('{1,2}') },
      [['Ann'], ['Bob "the builder"']],
    ],
    [
      'SELECT :b AS v, :n AS w',
      { b: { type: 'boolean', value: true }, n: { type: 'number', value: 1.5 } },
      [[true, 1.5]],
    ],
  ])('%s %j', async (sql, params, rows) => {
    expect(await rowsOf(sql, params)).toEqual(rows);
  });

  inPostgres('a value that does not fit is reported with its name, in its place', async () => {
    const sql = 'SELECT id FROM orders WHERE id = :order_number';
    await expect(rowsOf(sql, { order_number: string('abc') })).rejects.toMatchObject({
      code: 'E_SQL',
      details: { engineCode: '22P02' },
    });
    const undecided = 'SELECT id FROM orders WHERE :when_it_was < placed_at::point';
    await expect(rowsOf(undecided, { when_it_was: string('x') })).rejects.toMatchObject({
      code: 'E_SQL',
      details: { position: undecided.indexOf('placed_at') === -1 ? 0 : expect.any(Number) },
    });
  });
});

describe('the guard with values', () => {
  inPostgres('a function that changes something makes a write of it, values or not', async () => {
    expect(await rowsOf("SELECT setval(pg_get_serial_sequence('orders', 'id'), :n)", { n: integer(9) })).toMatchObject({
      kind: 'is-write',
    });
  });

  inPostgres.each([
    ["SELECT set_config('transaction_read_only', :v, false)"],
    ['SELECT pg_read_file(:v)'],
    ["SELECT query_to_xml(:v, true, true, '')"],
    ['COPY orders TO PROGRAM :v'],
    ['SET ROLE :v'],
  ])('%s never runs', async (sql) => {
    await expect(rowsOf(sql, { v: string('off') })).rejects.toMatchObject({ code: 'E_SQL' });
  });
});
