import type { GraphTable } from '../page-messages.ts';
import { keyLine, spokenTable } from './spoken.ts';
import { boxOf } from './table-box.ts';

const widthOf = (text: string) => text.length * 7;
const column = (name: string, type = 'integer', isKey = false) => ({ name, type, isKey, notNull: false });

const orders: GraphTable = {
  name: 'orders',
  kind: 'table',
  columns: [column('id', 'integer', true), column('customer_id'), column('shop_id'), column('note', 'text')],
  keys: [
    { columns: ['customer_id'], parent: 'customers', parentColumns: ['id'], isGuessed: false },
    { columns: ['shop_id'], parent: 'shops', parentColumns: [], isGuessed: true },
  ],
};

test('marks keys of its own, keys to others and guessed ones', () => {
  expect(boxOf(orders, widthOf).lines.map(({ mark }) => mark)).toEqual(['PK', 'FK', '~FK', '']);
});

test('is wide enough for its longest column, and long texts are cut', () => {
  const [narrow, wide] = [boxOf(orders, widthOf), boxOf({ ...orders, columns: [column('c'.repeat(30))] }, widthOf)];
  expect(wide.width).toBeGreaterThan(narrow.width);
  const long = boxOf(
    { ...orders, name: '𝒂'.repeat(500), columns: [column('b'.repeat(500), 't'.repeat(500))] },
    widthOf,
  );
  expect([...long.title]).toHaveLength(40);
  expect(long.width).toBeLessThan(700);
});

test('of very many columns shows keys first and says how many more there are', () => {
  const many = Array.from({ length: 60 }, (_, at) => column(`c${at}`));
  const { lines } = boxOf({ ...orders, columns: [...many, ...orders.columns] }, widthOf);
  expect(lines.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['id', 'customer_id', 'shop_id', '… 34 more columns']),
  );
  expect(lines).toHaveLength(31);
});

test('is read out with its columns, what it references and what references it', () => {
  const items: GraphTable = {
    name: 'items',
    kind: 'table',
    columns: [],
    keys: [{ columns: ['a', 'b'], parent: 'orders', parentColumns: [], isGuessed: false }],
  };
  expect(spokenTable(orders, [orders, items])).toBe(
    'orders, table, 4 columns: id integer key, customer_id integer, shop_id integer, note text; references customers by customer_id, shops by shop_id (guessed); referenced by items',
  );
  expect(spokenTable({ ...items, keys: [] }, [])).toBe('items, table, 0 columns');
});

test('a key in one line names both ends', () => {
  expect(orders.keys.map((key) => keyLine('orders', key))).toEqual([
    'orders(customer_id) → customers(id)',
    'orders(shop_id) → shops (guessed)',
  ]);
});
