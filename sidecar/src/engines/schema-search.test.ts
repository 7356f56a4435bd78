import { searched } from './schema-search.ts';

const names = (pattern: string) => searched(CANDIDATES, pattern, undefined).matches.map(({ name }) => name);

const CANDIDATES = [
  { kind: 'column', name: 'tenant', table: 'invoice', type: 'int' },
  { kind: 'index', name: 'by_day', table: 'invoice', type: 'unique (placed_on, tenant)' },
  { kind: 'key', name: 'PRIMARY', table: 'invoice', type: 'primary key (tenant, no)' },
  { kind: 'key', name: 'line_ibfk_1', table: 'line', type: 'foreign key (tenant, no) -> invoice(tenant, no)' },
] as const;

test('an index and a key are found by their columns, and a key by the table it refers to', () => {
  expect(names('tenant no')).toEqual(['PRIMARY', 'line_ibfk_1']);
  expect(names('placed_on')).toEqual(['by_day']);
  expect(names('line invoice')).toEqual(['line_ibfk_1']);
});

test('the words that every key has find none, nor does the type of a column', () => {
  expect(names('foreign')).toEqual([]);
  expect(names('int')).toEqual([]);
});
