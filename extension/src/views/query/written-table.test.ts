import { writtenTable } from './written-table.ts';

test.each([
  ['sqlite', 'customers', 'customers'],
  ['sqlite', 'Order Lines', '"Order Lines"'],
  ['sqlite', 'a.b', '"a.b"'],
  ['postgres', 'sales.orders', 'sales.orders'],
  ['postgres', 'Orders', '"Orders"'],
  ['postgres', 'user', '"user"'],
  ['mysql2', 'Orders', 'Orders'],
  ['mysql2', 'shop.order', 'shop.`order`'],
  ['mysql2', 'a`b', '`a``b`'],
  ['mssql', 'dbo2.a]b', 'dbo2.[a]]b]'],
  ['mssql', '2nd', '[2nd]'],
] as const)('%s: %s is written %s', (kind, name, written) => {
  expect(writtenTable(name, kind)).toBe(written);
});
