import * as fc from 'fast-check';
import { processorMs } from '../../../fixtures/labs/processor-time.ts';
import { nearNames } from './near-names.ts';

const NAMES = ['users', 'user_roles', 'orders', 'order_items', 'products', 'UserSessions', 'x'];

describe('nearNames', () => {
  test.each([
    ['user', ['users', 'user_roles', 'UserSessions']],
    ['usres', ['users']],
    ['USERS', ['users']],
    ['OrderItems', ['order_items']],
    ['public.users', ['users']],
    ['prodcut', ['products']],
    ['nothing_like_it', []],
    ['', []],
  ])('finds what %j may have meant', (wanted, expected) => {
    expect(nearNames(wanted, NAMES)).toEqual(expect.arrayContaining(expected));
    expect(nearNames(wanted, NAMES)[0]).toBe(expected[0]);
  });

  test('gives at most the requested number, nearest first', () => {
    expect(nearNames('user', ['users', 'user', 'userss', 'use'], 2)).toEqual(['user', 'use']);
  });

  test('finds every name by itself, in any case', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z]{1,40}$/), (name) => {
        expect(nearNames(name.toUpperCase(), ['other_name_here', name])).toContain(name);
      }),
    );
  });

  test('stays quick for long names and many of them', () => {
    const started = processorMs();
    nearNames(
      'a'.repeat(100_000),
      Array.from({ length: 10_000 }, (_, at) => `${'a'.repeat(40)}${at}${'b'.repeat(200)}`),
    );
    expect(processorMs() - started).toBeLessThan(10_000);
  });
});
