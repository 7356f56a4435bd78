import { overviewText } from '@devdb/shared/overview-text';
import { MOST_LOOKUPS, OVERVIEW_CHARS_PER_TOKEN, WIDE_OVERVIEW_TOKENS } from './limits.ts';
import type { OverviewTable } from './overview-facts.ts';
import { outline } from './overview-outline.ts';

const plain = { isKey: false, notNull: false, isUnique: false, isGenerated: false };

function table(name: string, columns: readonly string[], more: Partial<OverviewTable> = {}): OverviewTable {
  return {
    name,
    written: name,
    from: `"${name}"`,
    kind: 'table',
    rows: 10,
    columns: columns.map((column, at) => ({ ...plain, name: column, type: 'text', isKey: at === 0 })),
    keys: [],
    ...more,
  };
}

const to = (parent: string, column = `${parent}_ref`) => ({
  columns: [column],
  parent,
  parentName: parent,
  parentColumns: ['id'],
});
const told = (...tables: readonly OverviewTable[]) => outline(tables, undefined).answer.tables;

describe('lookup tables', () => {
  const flagged = (...tables: readonly OverviewTable[]) =>
    told(...tables).flatMap(({ name, lookup }) => (lookup === true ? name : []));
  const pointing = (parent: string) => table('things', ['id', `${parent}_ref`], { keys: [to(parent)] });

  test.each([
    ['codes with labels', table('priorities', ['code', 'label'])],
    ['a code and a name', table('vat_rates', ['code', 'name', 'percent'])],
    ['a telling name', table('order_statuses', ['id', 'name'])],
    ['no statistics yet', table('order_status', ['id', 'name'], { rows: null })],
    ['statistics from before its rows', table('countries', ['code', 'name'], { rows: 0 })],
  ])('are recognised by their shape: %s', (_what, one) => {
    expect(flagged(one)).toEqual([one.name]);
  });

  test('are recognised by a table that refers to them', () => {
    const regions = table('regions', ['id', 'name', 'manager']);
    expect(flagged(regions)).toEqual([]);
    expect(flagged(regions, pointing('regions'))).toEqual(['regions']);
  });

  test.each([
    ['more than 30 rows', table('order_statuses', ['id', 'name'], { rows: 31 })],
    ['no row for certain', table('order_statuses', ['id', 'name'], { rows: 0, atMost: true })],
    ['a view', table('order_statuses', ['id', 'name'], { kind: 'view' })],
    ['people', table('roles', ['id', 'name', 'email'])],
    ['accounts', table('roles', ['id', 'name', 'password_hash'])],
    [
      'many columns',
      table(
        'order_types',
        Array.from({ length: 11 }, (_, at) => `name${at}`),
      ),
    ],
    ['a table that points to itself alone', table('regions', ['id', 'name', 'up'], { keys: [to('regions', 'up')] })],
  ])('are not: %s', (_what, one) => {
    expect(flagged(one)).toEqual([]);
  });

  test('are read only when asked for, and not more than one answer holds', () => {
    const one = table('kinds', ['code', 'label']);
    expect(outline([one], undefined).lookups).toEqual([]);
    expect(outline([one], undefined, ['lookups']).lookups).toEqual([{ name: 'kinds', from: '"kinds"', ordered: true }]);
    const many = Array.from({ length: MOST_LOOKUPS + 1 }, (_, at) => table(`kind_${at}_type`, ['code', 'label']));
    const { answer, lookups } = outline(many, undefined, ['lookups']);
    expect(lookups).toHaveLength(MOST_LOOKUPS);
    expect(answer.more).toMatch(/^Only 40 lookup tables/);
  });
});

test('columns of codes, and those that mark a row as deleted, are named', () => {
  const columns = ['id', 'deleted_at', 'isActive', 'archived', 'enabled', 'status', 'order_type', 'state_code'];
  const others = ['deleted_by', 'active_users', 'typed', 'stateful', 'undeleted', 'activated_at'];
  expect(told(table('t', [...columns, ...others]))[0]).toMatchObject({
    softDelete: ['deleted_at', 'isActive', 'archived', 'enabled'],
    kinds: ['status', 'order_type', 'state_code'],
  });
  const declared = table('t', ['id', 'status'], { keys: [to('statuses', 'status')] });
  expect(told(declared)[0]).not.toHaveProperty('kinds');
  expect(told(table('t', ['id', 'deleted_at', 'kind'], { kind: 'view' }))[0]).not.toHaveProperty('softDelete');
});

describe('a wide schema', () => {
  const wideColumns = ['id', 'hub_ref', ...Array.from({ length: 28 }, (_, at) => `some_longer_column_${at}`)];
  const leaves = Array.from({ length: 60 }, (_, at) => table(`leaf_${at}`, wideColumns));
  const hub = table('zz_hub', wideColumns);
  const joined = table('zz_joined', wideColumns, { keys: [to('zz_hub', 'hub_ref')] });

  test('lists every table with counts and keys, and all columns of the most joined', () => {
    const { answer } = outline([...leaves, hub, joined], undefined);
    expect(answer.tables).toHaveLength(62);
    expect(answer.foreignKeys).toEqual(['zz_joined(hub_ref) -> zz_hub(id)']);
    const byName = new Map(answer.tables.map((one) => [one.name, one]));
    for (const name of ['zz_hub', 'zz_joined']) {
      expect(byName.get(name)?.columns).toHaveLength(30);
      expect(byName.get(name)).not.toHaveProperty('columnCount');
    }
    expect(byName.get('leaf_59')).toMatchObject({ columns: ['id text PK'], columnCount: 30, rows: 10 });
    expect(answer.truncated).toBe(true);
    expect(answer.more).toMatch(/name them in tables for all of their columns/);
    expect(overviewText(answer).length).toBeLessThanOrEqual(WIDE_OVERVIEW_TOKENS * OVERVIEW_CHARS_PER_TOKEN + 200);
  });

  test('keeps the columns of declared keys where others are left out', () => {
    const pointing = leaves.map((one) => ({ ...one, keys: [to('zz_hub', 'hub_ref')] }));
    const { answer } = outline([...pointing, hub], undefined);
    expect(answer.tables.find(({ columnCount }) => columnCount !== undefined)?.columns).toEqual([
      'id text PK',
      'hub_ref text',
    ]);
  });

  test('lists all columns of the tables that are named', () => {
    const { answer } = outline([...leaves, hub, joined], { tables: leaves.slice(0, 40), unknown: [] });
    expect(answer.tables.map(({ columns }) => columns.length)).toEqual(leaves.slice(0, 40).map(() => 30));
    expect(answer.truncated).toBe(false);
  });
});

test('a named table lists guessed references to it, too', () => {
  const customers = table('customers', ['id']);
  const orders = table('orders', ['id', 'customer_id']);
  const { answer } = outline([customers, orders], { tables: [customers], unknown: [] });
  expect(answer.guessedKeys).toEqual(['orders(customer_id) -> customers(id)']);
});
