import { factsAbout, wordsFor } from './schema-words.ts';

const TABLES = [
  { name: 'customers', written: 'customers', columns: ['id INTEGER PK', 'name TEXT NOT NULL'] },
  { name: 'Order Lines', written: '"Order Lines"', columns: ['"line no" integer PK', 'total numeric(10,2)'] },
  { name: 'sales.orders', written: 'sales.orders', columns: ['id integer'] },
];
const textsFor = (before: string, text = before) => wordsFor(TABLES, before, text).map(({ text: word }) => word);

test('after a table and a point come its columns', () => {
  expect(textsFor('SELECT customers.')).toEqual(['id', 'name']);
  expect(textsFor('SELECT sales.orders.i')).toEqual(['id']);
});

test('a name that the statement gives a table stands for it', () => {
  expect(textsFor('SELECT c.na', 'SELECT c.na FROM customers c')).toEqual(['id', 'name']);
  expect(textsFor('SELECT c.', 'SELECT c. FROM customers AS c')).toEqual(['id', 'name']);
});

test('elsewhere come the tables, and the columns of those in use', () => {
  expect(textsFor('SELECT ', 'SELECT  FROM customers')).toEqual([
    'customers',
    '"Order Lines"',
    'sales.orders',
    'id',
    'name',
  ]);
  expect(textsFor('SELECT ')).toEqual(['customers', '"Order Lines"', 'sales.orders']);
});

test('a quoted column is completed with its quotes', () => {
  expect(wordsFor([{ name: 'lines', written: 'lines', columns: ['"line no" integer PK'] }], 'lines.', '')).toEqual([
    { kind: 'column', text: '"line no"', detail: 'integer PK (lines)' },
  ]);
});

test('a word is explained: a table by its columns, a column by its tables', () => {
  expect(factsAbout(TABLES, 'Customers')).toBe('customers\n  id INTEGER PK\n  name TEXT NOT NULL');
  expect(factsAbout(TABLES, 'id')).toBe('customers.id INTEGER PK (customers)\nsales.orders.id integer (sales.orders)');
  expect(factsAbout(TABLES, 'nothing')).toBeUndefined();
});
