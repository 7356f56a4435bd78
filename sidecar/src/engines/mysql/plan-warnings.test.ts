import { readWarning } from './plan-warnings.ts';

describe('readWarning', () => {
  test.each([
    [
      "Cannot use ref access on index 'by_code' due to type or collation conversion on field 'code'",
      { what: 'code of the index by_code' },
    ],
    [
      'Cannot use key `by_code` part[0] for lookup: `shop`.`big`.`code` of type `varchar` = "5" of type `int`',
      { what: 'code of the index by_code', table: 'big' },
    ],
    [
      'Cannot use key `k` part[1] for lookup: `code` of type `varchar` = "5" of type `int`',
      { what: 'code of the index k' },
    ],
  ])('finds the conversion in %s', (message, conversion) => {
    expect(readWarning(message)).toEqual(conversion);
  });

  test('passes over the other warnings of a plan', () => {
    expect(readWarning('/* select#1 */ select `shop`.`big`.`id` AS `id` from `shop`.`big`')).toBeUndefined();
  });
});
