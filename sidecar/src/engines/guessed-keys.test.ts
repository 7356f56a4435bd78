import { guessedKeys } from './guessed-keys.ts';
import type { OverviewTable } from './overview-facts.ts';

/** `id int PK` is a column with its marks; `-> other` behind it a declared key. */
function table(name: string, columns: readonly string[], kind = 'table'): OverviewTable {
  return {
    name,
    written: name,
    from: name,
    kind,
    rows: null,
    columns: columns.map((column) => {
      const [own = '', type = ''] = column.split(' ');
      const isKey = column.includes(' PK');
      return { name: own, type, isKey, notNull: false, isUnique: false, isGenerated: false };
    }),
    keys: columns.flatMap((column) => {
      const [own = ''] = column.split(' ');
      const parent = / -> (\w+)/.exec(column)?.[1];
      return parent === undefined ? [] : [{ columns: [own], parent, parentName: parent, parentColumns: ['id'] }];
    }),
  };
}

const guesses = (...tables: readonly OverviewTable[]): string[] => guessedKeys(tables).map(({ text }) => text);

const customers = table('customers', ['id int PK', 'name text']);

test.each([
  ['singular', 'customers', 'customer_id'],
  ['a plural in -ies', 'categories', 'category_id'],
  ['a plural in -es', 'addresses', 'address_id'],
  ['camel case', 'customers', 'customerId'],
  ['camel case in quotes', 'customers', '"customerId"'],
  ['several words', 'OrderLines', 'order_line_id'],
  ['a role before the name', 'teams', 'home_team_id'],
  ['the name as it is', 'staff', 'staff_id'],
  ['the schema left out', 'billing.invoices', 'invoice_id'],
])('a column that names the key of a table is guessed: %s', (_what, parent, column) => {
  const child = table('child', ['id int PK', `${column} int`]);
  expect(guesses(table(parent, ['id int PK']), child)).toEqual([`child(${column}) -> ${parent}(id)`]);
});

test('a key with a name of its own is found by that name', () => {
  const products = table('goods', ['product_no text PK']);
  expect(guesses(products, table('lines', ['product_no text', 'old_product_no text']))).toEqual([
    'lines(product_no) -> goods(product_no)',
    'lines(old_product_no) -> goods(product_no)',
  ]);
});

test('nothing is guessed without a reason', () => {
  expect(guesses(customers, table('orders', ['id int PK', 'customer_id int -> customers']))).toEqual([]);
  expect(guesses(customers, table('orders', ['customer_id text']))).toEqual([]);
  expect(guesses(customers, table('orders', ['id int PK', 'customer int', 'name text', 'uid int']))).toEqual([]);
  expect(guesses(customers, table('open_orders', ['customer_id int'], 'view'))).toEqual([]);
  expect(guesses(table('customers', ['customer_id int PK']))).toEqual([]);
});

test('where two tables could be meant, none is, unless one is in the same schema', () => {
  const two = [table('sales.orders', ['id int PK']), table('archive.orders', ['id int PK'])];
  expect(guesses(...two, table('lines', ['order_id int']))).toEqual([]);
  expect(guesses(...two, table('sales.lines', ['order_id int']))).toEqual([
    'sales.lines(order_id) -> sales.orders(id)',
  ]);
});

test('two tables whose keys have one name point nowhere, a shared key named for its parent does', () => {
  expect(guesses(table('a', ['product_no text PK']), table('b', ['product_no text PK']))).toEqual([]);
  expect(guesses(customers, table('profiles', ['customer_id int PK']))).toEqual([
    'profiles(customer_id) -> customers(id)',
  ]);
});

test('a key of several columns is no target', () => {
  expect(guesses(table('lines', ['order int PK', 'id int PK']), table('notes', ['line_id int']))).toEqual([]);
});
