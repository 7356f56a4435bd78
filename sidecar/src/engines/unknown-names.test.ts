import { columnsInstead, unknownTable } from './unknown-names.ts';

const quoted = (name: string) => (/^[a-z_]+$/.test(name) ? name : `"${name}"`);

test('a column that is near is named as a statement has to write it', () => {
  expect(columnsInstead('u.firstname', ['id', 'firstName', 'email'], quoted)).toEqual({
    near: ['firstName'],
    hint: 'Near columns: "firstName".',
  });
});

test('where none is near, a few columns are all named, and many are left to get-schema', () => {
  expect(columnsInstead('nosuch', ['id', 'Total'], quoted)).toEqual({
    near: [],
    hint: 'The columns are: id, "Total".',
  });
  const many = Array.from({ length: 31 }, (_, at) => `c${at}`);
  const long = Array.from({ length: 10 }, (_, at) => `${'x'.repeat(70)}${at}`);
  for (const columns of [many, long, []])
    expect(columnsInstead('nosuch', columns, quoted).hint).toBe('get-schema shows the columns.');
});

test('an unknown table has the names that are near, or where to find all', () => {
  expect(unknownTable('costumers', ['customers', 'orders'])).toMatchObject({
    code: 'E_UNKNOWN_TABLE',
    message: 'No table "costumers".',
    hint: 'Near names: customers.',
    details: { near: ['customers'] },
  });
  expect(unknownTable('zzz', ['customers']).hint).toBe('get-tables lists the tables.');
});
