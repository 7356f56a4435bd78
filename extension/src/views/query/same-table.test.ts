import { sameTable } from './same-table.ts';

const TABLES = ['orders', 'Orders', 'customers', 'sales.customers', 'Order Lines', 'public.x'].map((name) => ({
  name,
  written: name,
  columns: [],
}));

test.each([
  [['orders'], 'orders'],
  [['Orders'], 'Orders'],
  [['ORDERS'], undefined],
  [['CUSTOMERS'], 'customers'],
  [['sales', 'customers'], 'sales.customers'],
  [['Sales', 'Customers'], 'sales.customers'],
  [['dbo', 'customers'], 'customers'],
  [['other', 'customers'], undefined],
  [['Order Lines'], 'Order Lines'],
  [['x'], undefined],
  [['sales.customers'], 'sales.customers'],
  [['nothing'], undefined],
  [[], undefined],
])('%j is %s', (path, name) => {
  expect(sameTable(TABLES, path)?.name).toBe(name);
});
