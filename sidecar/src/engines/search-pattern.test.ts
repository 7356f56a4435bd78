import { searchMatcher, wordsOf } from './search-pattern.ts';

const matches = (pattern: string, ...names: string[]) => searchMatcher(pattern)({ names });

describe('a search', () => {
  it.each([
    ['mail', 'E_MAIL', true],
    ['order line', 'order_lines', true],
    ['  line   order ', 'order_lines', true],
    ['order price', 'order_lines', false],
    ['email|phone', 'phone_no', true],
    ['email | phone', 'email', true],
    ['email|', 'phone', false],
    ['order line|invoice', 'invoices', true],
    ['*_id|*_no', 'line_no', true],
    ['*_id|*_no', 'notes', false],
    ['cust* *_id', 'customer_id', true],
    ['full name', 'full name', true],
    ['full n*', 'full name', true],
    ['a|b', 'a|b', true],
    ['|', 'name', false],
    [' ', 'name', false],
    ['|', 'a|b', true],
  ])('for %j in %j: %j', (pattern, name, found) => {
    expect(matches(pattern, name)).toBe(found);
  });

  it('for words of which one is the table’s finds the column, but not by the table alone', () => {
    const column = { names: ['email'], table: 'customers' };
    expect(searchMatcher('customer mail')(column)).toBe(true);
    expect(searchMatcher('customers')(column)).toBe(false);
    expect(searchMatcher('custom ers')(column)).toBe(false);
    expect(searchMatcher('orders mail')(column)).toBe(false);
  });

  it('looks into comments, where a pattern may stand anywhere', () => {
    const column = { names: ['st'], table: 'orders', comment: 'One of new, paid_out and void' };
    expect(searchMatcher('paid')(column)).toBe(true);
    expect(searchMatcher('PAID*out')(column)).toBe(true);
    expect(searchMatcher('paid orders')(column)).toBe(true);
    expect(searchMatcher('refund')(column)).toBe(false);
  });

  it('has words, for names that are near', () => {
    expect(wordsOf('cust* email|*_no')).toEqual(['cust', 'email', '_no']);
  });
});
