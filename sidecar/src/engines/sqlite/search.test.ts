import { searchSchema as definition } from '@devdb/shared/tools/database/search-schema';
import { type ScratchDatabase, scratchDatabase, shopDatabase } from '../../../test/helpers/sqlite-shop.ts';
import { searchSchema } from './search.ts';

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
        { kind: 'index', name: 'order_lines_sku', table: 'order_lines', type: 'unique (order_id, sku)' },
        { kind: 'key', name: 'order_id, line_no', table: 'order_lines', type: 'primary key' },
        { kind: 'key', name: 'order_id -> orders(id)', table: 'order_lines', type: 'foreign key' },
        {
          kind: 'key',
          name: 'order_id, line_no -> order_lines(order_id, line_no)',
          table: 'shipments',
          type: 'foreign key',
        },
      ],
      total: 9,
      truncated: false,
    });
  });

  test('narrows to a kind and knows no routines', () => {
    expect(search('order*', 'view').matches).toEqual([{ kind: 'view', name: 'order_totals' }]);
    expect(search('*', 'routine')).toEqual({ matches: [], total: 0, truncated: false });
    expect(search('*', 'table').total).toBe(9);
    expect(search('order_totals', 'column').total).toBe(0);
  });

  test('takes every character but * and ? literally', () => {
    expect(search('%').total).toBe(0);
    expect(search('[x]').matches.map(({ name }) => name)).toEqual(['odd "name" [x]']);
    expect(search('GRÖSSE').total).toBe(0);
    expect(search('GRÖ?E').total).toBe(1);
    expect(search('ord_rs').total).toBe(0);
  });

  test('gives at most 200 matches and the total number', () => {
    const columns = Array.from({ length: 300 }, (_, at) => `c${at}`).join(', ');
    const scratch = scratchDatabase([`CREATE TABLE t(${columns})`]);
    const db = scratch.open();
    const { matches, total, truncated } = searchSchema(db, 'c*', undefined);
    expect([matches.length, total, truncated]).toEqual([200, 300, true]);
    db.close();
    scratch.remove();
  });
});
