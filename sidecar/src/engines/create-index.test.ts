import { createIndex } from './create-index.ts';

const quoteName = (name: string) => `"${name.replaceAll('"', '""')}"`;

test('the statement quotes every name, and its index is named for the table and the columns', () => {
  const index = { table: 'or"ders', on: '"s"."or""ders"', columns: ['customer id', 'placed_on'] };
  expect(createIndex(index, quoteName)).toBe(
    'CREATE INDEX "or""ders_customer id_placed_on_idx" ON "s"."or""ders" ("customer id", "placed_on");',
  );
});

test('a long name is cut between characters', () => {
  const statement = createIndex({ table: '👩'.repeat(80), on: 't', columns: ['c'] }, quoteName);
  expect(statement).toBe(`CREATE INDEX "${'👩'.repeat(56)}_idx" ON t ("c");`);
});

test('columns that are only carried come last', () => {
  expect(createIndex({ table: 't', on: 't', columns: ['a'], included: ['b', 'c'] }, quoteName)).toBe(
    'CREATE INDEX "t_a_idx" ON t ("a") INCLUDE ("b", "c");',
  );
});
