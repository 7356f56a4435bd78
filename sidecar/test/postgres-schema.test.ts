import { assertMade, suiteOn } from '../../fixtures/labs/needs.ts';
import type { ServerTarget, Session } from '../src/engines/engine.ts';
import { postgresEngine } from '../src/engines/postgres/open.ts';
import { engineContext } from './helpers/engine-target.ts';
import { errorOf } from './helpers/error-of.ts';
import { type PostgresLab, postgresLab } from './helpers/postgres-lab.ts';
import { explainOf, readOf } from './helpers/statements.ts';

const CAPS = { rows: 10, bytes: 32 * 1024, cellBytes: 4 * 1024 };

const { it } = suiteOn('postgres');

let lab: PostgresLab | undefined;
let session: Session | undefined;

beforeAll(async () => {
  lab = await postgresLab(['01-schema.sql', '02-rows.sql']);
  if (lab !== undefined) session = postgresEngine.open(lab.target, engineContext());
}, 120_000);

afterAll(async () => {
  await session?.end();
  await lab?.remove();
});

function signal(): AbortSignal {
  return AbortSignal.timeout(20_000);
}

/** The catalogue's facts about a table, without numbers that differ between databases. */
const FACTS = `
SELECT c.relkind, c.relpersistence, c.reloptions, c.relrowsecurity, pg_get_expr(c.relpartbound, c.oid),
  (SELECT json_agg(json_build_array(a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull, a.attidentity, a.attgenerated,
      a.attcollation::regcollation, pg_get_expr(d.adbin, d.adrelid), col_description(c.oid, a.attnum), a.attislocal) ORDER BY a.attnum)
     FROM pg_attribute a LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
    WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped),
  (SELECT json_agg(json_build_array(k.conname, k.contype, pg_get_constraintdef(k.oid), k.condeferrable, k.condeferred) ORDER BY k.conname)
     FROM pg_constraint k WHERE k.conrelid = c.oid),
  (SELECT json_agg(json_build_array(pg_get_indexdef(i.indexrelid), i.indisvalid) ORDER BY i.indexrelid::regclass::text) FROM pg_index i WHERE i.indrelid = c.oid),
  (SELECT json_agg(pg_get_triggerdef(t.oid) ORDER BY t.tgname) FROM pg_trigger t WHERE t.tgrelid = c.oid AND NOT t.tgisinternal),
  (SELECT json_agg(json_build_array(s.seqstart, s.seqincrement, s.seqtypid::regtype)) FROM pg_depend p JOIN pg_sequence s ON s.seqrelid = p.objid
    WHERE p.refobjid = c.oid AND p.deptype IN ('a', 'i')),
  obj_description(c.oid), pg_get_viewdef(c.oid), pg_get_partkeydef(c.oid),
  (SELECT json_agg(polname) FROM pg_policy WHERE polrelid = c.oid)
FROM pg_class c WHERE c.oid = to_regclass($name$ NAME $name$)`;

function sqlName(shown: string): string {
  const [schema, table] = shown.startsWith('billing.') ? ['billing', shown.slice(8)] : ['public', shown];
  return `"${schema}"."${table.replaceAll('"', '""')}"`;
}

async function factsOf(target: ServerTarget, table: string): Promise<unknown> {
  return lab?.ask(FACTS.replace('NAME', sqlName(table)), target);
}

/** Tables before those that reference them. */
const ORDER = [
  'customers',
  'products',
  'orders',
  'order_lines',
  'shipments',
  'billing.invoices',
  'events',
  'events_2024',
  'events_rest',
  'odd "name" [x]',
  '日本語',
  'order',
  'scratch',
  'no_columns',
  'parent',
  'child',
  'order_totals',
  'active_customers',
  'billing.totals',
];

describe('get-schema on Postgres', () => {
  it('gives for every table a text that creates the same table in an empty database', async () => {
    assertMade(lab);
    assertMade(session);
    const empty = await lab.freshDatabase();
    for (const table of ORDER) {
      await lab.ask(await session.schema(table, signal()), empty);
      expect([table, await factsOf(empty, table)]).toEqual([table, await factsOf(lab.target, table)]);
    }
    expect((await session.tables(signal())).toSorted()).toEqual(ORDER.toSorted());
  }, 120_000);

  it('creates a table without foreign keys including what it uses, and needs nothing else', async () => {
    assertMade(lab);
    assertMade(session);
    const empty = await lab.freshDatabase();
    await lab.ask(await session.schema('products', signal()), empty);
    expect(await factsOf(empty, 'products')).toEqual(await factsOf(lab.target, 'products'));
  }, 60_000);

  it('finds a table by its name in quotes, in other case and with its schema', async () => {
    assertMade(session);
    const texts = await Promise.all(
      ['customers', 'public.customers', 'Customers', '"public"."customers"'].map((name) =>
        session?.schema(name, signal()),
      ),
    );
    expect(new Set(texts).size).toBe(1);
  });

  it('suggests similar tables for a missing one', async () => {
    await expect(session?.schema('custmers', signal())).rejects.toMatchObject({
      code: 'E_UNKNOWN_TABLE',
      hint: 'Near names: customers.',
    });
  });

  it("qualifies all names whatever the role's search path is", async () => {
    assertMade(lab);
    const other = postgresEngine.open(
      { ...lab.target, options: { options: '-c search_path=billing' } },
      engineContext(),
    );
    expect(await other.schema('billing.invoices', signal())).toBe(await session?.schema('billing.invoices', signal()));
    await other.end();
  });
});

describe('get-overview on Postgres', () => {
  it('shows tables, keys and kinds, and partitions only when they are named', async () => {
    const all = await session?.overview(undefined, signal());
    const byName = new Map(all?.tables.map((table) => [table.name, table]));
    expect(byName.get('customers')).toMatchObject({
      kind: 'table',
      comment: "Who buys; it's never empty",
      columns: expect.arrayContaining(['id bigint PK NOT NULL', 'email email NOT NULL UNIQUE', 'home billing.address']),
    });
    expect(byName.get('products')?.columns).toContain('label text GENERATED');
    expect(byName.get('events')?.kind).toBe('partitioned table');
    expect(byName.get('billing.totals')?.kind).toBe('materialized view');
    expect(byName.has('events_2024')).toBe(false);
    expect(all?.foreignKeys).toContain('billing.invoices(order_id, line_no) -> order_lines(order_id, line_no)');
    const named = await session?.overview(['events_2024'], signal());
    expect(named?.tables.map(({ name, kind }) => [name, kind])).toEqual([['events_2024', 'partition']]);
  });

  it('has the values of an enumerated type, which statements need, and leaves a long list of them out', async () => {
    assertMade(lab);
    const values = Array.from({ length: 60 }, (_, at) => `'v${at}'`).join(', ');
    await lab.ask(`CREATE TYPE many AS ENUM (${values}); CREATE TABLE picked (one order_status, other many)`);
    const [picked] = (await session?.overview(['picked'], signal()))?.tables ?? [];
    expect(picked?.columns).toEqual(["one order_status('new', 'paid', 'it''s sent')", 'other many']);
  });
});

describe('what a statement got wrong on Postgres', () => {
  it('writes names as a statement needs them: in quotes where they need them', async () => {
    assertMade(lab);
    assertMade(session);
    const shop = session;
    await lab.ask('CREATE TABLE "Person" ("firstName" text, "order" int)');
    const near = async (sql: string) => (await errorOf(readOf(shop, sql, CAPS, signal()))).hint;
    expect(await near('SELECT firstname FROM "Person"')).toBe('Near columns: "firstName".');
    expect(await near('SELECT nosuch FROM "Person"')).toBe('The columns are: "firstName", "order".');
    expect(await near('SELECT * FROM person')).toBe('Near names: "Person".');
  });
});

describe('search-schema on Postgres', () => {
  it('finds tables, columns, views and routines by part of a name and by pattern', async () => {
    const found = async (
      pattern: string,
      kind?: 'table' | 'column' | 'view' | 'routine' | 'key',
    ): Promise<string[] | undefined> =>
      (await session?.search(pattern, kind, signal()))?.matches.map(({ name }) => name);
    expect(await found('VOICE', 'table')).toEqual(['billing.invoices']);
    expect(await found('VOICE', 'key')).toContain('invoices_pkey');
    expect(await found('*_touch', 'routine')).toEqual([]);
    expect(await found('touch', 'routine')).toEqual(['touch_order']);
    expect(await found('*total*', 'view')).toEqual(['order_totals', 'billing.totals']);
    expect(await found('zip', 'column')).toEqual([]);
    expect(await session?.search('emai?', 'column', signal())).toMatchObject({
      matches: [
        { name: 'email', table: 'active_customers', type: 'email' },
        { name: 'email', table: 'customers', type: 'email' },
      ],
    });
  });
});

describe('explain-query on Postgres', () => {
  it('gives a plan of the common shape and flags a full scan that an index would save', async () => {
    assertMade(lab);
    assertMade(session);
    await lab.ask('CREATE TABLE big AS SELECT g AS id, g % 1000 AS bucket FROM generate_series(1, 50000) g');
    await lab.ask('ANALYZE big');
    const { plan, flags, analyzed } = await explainOf(session, 'SELECT * FROM big WHERE id = 7', false, signal());
    expect(plan).toMatchObject([{ operation: 'scan', table: 'big', estimatedRows: 1, children: [] }]);
    expect(flags.map(({ flag }) => flag)).toEqual(['full-scan', 'missing-index']);
    expect(analyzed).toBe(false);
  });

  it('executes a read under analyze, and never a write', async () => {
    assertMade(lab);
    assertMade(session);
    const read = await explainOf(session, 'EXPLAIN (COSTS off) SELECT * FROM customers', true, signal());
    expect(read).toMatchObject({ analyzed: true, measured: { rows: 4 } });
    const write = await explainOf(session, 'DELETE FROM order_lines', true, signal());
    expect(write).toMatchObject({ analyzed: false, plan: [{ operation: 'modify', table: 'order_lines' }] });
    const hidden = await explainOf(session, 'SELECT add_order(1)', true, signal());
    expect(hidden.analyzed).toBe(false);
    expect(await lab.ask('SELECT count(*) FROM order_lines')).toEqual([['4']]);
  });
});
