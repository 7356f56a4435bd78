import { searchSchema as definition } from '@devdb/shared/tools/search-schema';
import * as fc from 'fast-check';
import { type ScratchDatabase, scratchDatabase, shopDatabase } from '../../../test/helpers/sqlite-shop.ts';
import { nameMatcher, searchSchema } from './search.ts';

let shop: ScratchDatabase;
beforeAll(() => {
  shop = shopDatabase();
});
afterAll(() => shop.remove());

function search(pattern: string, kind?: Parameters<typeof searchSchema>[2]): ReturnType<typeof searchSchema> {
  const db = shop.open();
  try {
    return definition.output.parse(searchSchema(db, pattern, kind));
  } finally {
    db.close();
  }
}

describe('searchSchema', () => {
  test('finds a part of a name in any case, tables before columns', () => {
    expect(search('ORDER_')).toEqual({
      matches: [
        { kind: 'table', name: 'order_lines' },
        { kind: 'view', name: 'order_totals' },
        { kind: 'column', name: 'order_id', table: 'order_lines', type: 'INTEGER' },
        { kind: 'column', name: 'order_id', table: 'order_totals', type: 'INTEGER' },
        { kind: 'column', name: 'order_id', table: 'shipments', type: 'INTEGER' },
      ],
      total: 5,
      truncated: false,
    });
  });

  test('narrows to a kind and knows no routines', () => {
    expect(search('order*', 'view').matches).toEqual([{ kind: 'view', name: 'order_totals' }]);
    expect(search('*', 'routine')).toEqual({ matches: [], total: 0, truncated: false });
    expect(search('*', 'table').total).toBe(9);
    expect(search('order_totals', 'column').total).toBe(0);
  });

  test('takes every character but * and ? as it is', () => {
    expect(search('%').total).toBe(0);
    expect(search('[x]').matches.map(({ name }) => name)).toEqual(['odd "name" [x]']);
    expect(search('GRÖSSE').total).toBe(0);
    expect(search('GRÖ?E').total).toBe(1);
    expect(search('ord_rs').total).toBe(0);
  });

  test('gives at most 200 matches and the number of all', () => {
    const columns = Array.from({ length: 300 }, (_, at) => `c${at}`).join(', ');
    const scratch = scratchDatabase([`CREATE TABLE t(${columns})`]);
    const db = scratch.open();
    const { matches, total, truncated } = searchSchema(db, 'c*', undefined);
    expect([matches.length, total, truncated]).toEqual([200, 300, true]);
    db.close();
    scratch.remove();
  });
});

describe('nameMatcher', () => {
  test('agrees with the same pattern as a regular expression', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', '*', '?'), maxLength: 8 });
    const name = fc.string({ unit: fc.constantFrom('a', 'b', 'A'), maxLength: 8 });
    fc.assert(
      fc.property(text, name, (pattern, candidate) => {
        const wild = /[*?]/.test(pattern);
        const source = pattern.replaceAll('*', '.*').replaceAll('?', '.');
        const expected = new RegExp(wild ? `^${source}$` : source, 'i').test(candidate);
        expect(nameMatcher(pattern)(candidate)).toBe(expected);
      }),
      { numRuns: 3_000 },
    );
  });

  test('is not slowed down by many stars', () => {
    const matches = nameMatcher(`${'*a'.repeat(90)}*b`);
    const started = performance.now();
    expect(matches('a'.repeat(5_000))).toBe(false);
    expect(performance.now() - started).toBeLessThan(5_000);
  });
});
