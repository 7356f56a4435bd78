import { isFilter, passesFilter } from './table-filter.ts';

test.each([
  ['order_lines', 'order', true],
  ['Order_Lines', 'LINES ord', true],
  ['billing.invoices', 'billing inv', true],
  ['orders', 'orders x', false],
  ['orders', '', true],
])('%s passes %j: %s', (name, filter, passes) => {
  expect(passesFilter(name, filter)).toBe(passes);
});

test('blanks alone are no filter', () => {
  expect([isFilter(' \t '), isFilter(' a')]).toEqual([false, true]);
});
