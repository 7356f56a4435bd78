import fc from 'fast-check';
import { keyLabel, readColumn, rowsText, selectText, tablePath } from './schema-text.ts';

test.each([
  ['id INTEGER PK NOT NULL', { name: 'id', type: 'INTEGER', isKey: true, marks: ['PK', 'NOT NULL'] }],
  ['total numeric(10,2) NOT NULL', { name: 'total', type: 'numeric(10,2)', isKey: false, marks: ['NOT NULL'] }],
  ['at timestamp with time zone UNIQUE', { name: 'at', type: 'timestamp with time zone', marks: ['UNIQUE'] }],
  ['"first name" TEXT', { name: '"first name"', type: 'TEXT', marks: [] }],
  ['"a "" b" TEXT PK', { name: '"a "" b"', type: 'TEXT', marks: ['PK'] }],
  ['`order by` int GENERATED', { name: '`order by`', type: 'int', marks: ['GENERATED'] }],
  ['[x ]] y] int', { name: '[x ]] y]', type: 'int' }],
  ['untyped', { name: 'untyped', type: '', marks: [] }],
  ['untyped PK', { name: 'untyped', type: '', marks: ['PK'] }],
])('the column %j is read', (text, column) => {
  expect(readColumn(text)).toMatchObject(column);
});

test('a name in quotes is read whole, whatever it contains', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1 }), (name) => {
      const quoted = `"${name.replaceAll('"', '""')}"`;
      expect(readColumn(`${quoted} TEXT NOT NULL`)).toMatchObject({ name: quoted, type: 'TEXT' });
    }),
  );
});

test('a table of another schema is found below it; a dot is part of a name where there are no schemas', () => {
  expect(tablePath('billing.invoices', 'postgres')).toEqual({ schema: 'billing', name: 'invoices' });
  expect(tablePath('orders', 'mssql')).toEqual({ schema: undefined, name: 'orders' });
  expect(tablePath('my.table', 'sqlite')).toEqual({ schema: undefined, name: 'my.table' });
});

test.each([
  ['sqlite', 'my.table', 'SELECT id, "first name" FROM "my.table"'],
  ['postgres', 'billing.inv"oices', 'SELECT id, "first name" FROM "billing"."inv""oices"'],
  ['mysql2', 'order', 'SELECT id, "first name" FROM `order`'],
  ['mssql', 'sales.a]b', 'SELECT id, "first name" FROM [sales].[a]]b]'],
] as const)('a SELECT for %s quotes the table %s', (kind, table, statement) => {
  expect(selectText(table, ['id INTEGER', '"first name" TEXT'].map(readColumn), kind)).toBe(statement);
});

test.each([
  ['postgres', 'SELECT * FROM "t" LIMIT 5'],
  ['mysql2', 'SELECT * FROM `t` LIMIT 5'],
  ['mssql', 'SELECT TOP (5) * FROM [t]'],
] as const)('a SELECT of the first rows is written as %s wants it', (kind, statement) => {
  expect(selectText('t', [], kind, { mostRows: 5 })).toBe(statement);
});

test.each([
  ['postgres', 'SELECT * FROM "t" ORDER BY "a""b" DESC LIMIT 5'],
  ['mysql2', 'SELECT * FROM `t` ORDER BY `a"b` DESC LIMIT 5'],
  ['mssql', 'SELECT TOP (5) * FROM [t] ORDER BY [a"b] DESC'],
] as const)('the first rows in an order are those of the whole table on %s', (kind, statement) => {
  expect(selectText('t', [], kind, { mostRows: 5, order: { column: 'a"b', descending: true } })).toBe(statement);
});

test('the first rows are those of the rows that meet a condition', () => {
  const condition = `"a" = 'b' OR "a" IS NULL`;
  const order = { column: 'a', descending: false };
  expect(selectText('t', [], 'postgres', { mostRows: 5, order, condition })).toBe(
    `SELECT * FROM "t" WHERE "a" = 'b' OR "a" IS NULL ORDER BY "a" LIMIT 5`,
  );
});

test('a table without known columns is read whole', () => {
  expect(selectText('t', [], 'sqlite')).toBe('SELECT * FROM "t"');
});

test('estimates, upper bounds and unknown row counts look different', () => {
  expect([rowsText(12_345, false), rowsText(1, true), rowsText(null, false)]).toEqual(['~ 12,345 rows', '≤ 1 row', '']);
});

test('a foreign key shows its columns and its target', () => {
  expect(keyLabel('orders(customer_id) -> customers(id)')).toEqual({ columns: 'customer_id', target: 'customers(id)' });
  expect(keyLabel('a(x, y) -> b')).toEqual({ columns: 'x, y', target: 'b' });
});
