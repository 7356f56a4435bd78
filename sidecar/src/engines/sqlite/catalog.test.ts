import { type ScratchDatabase, scratchDatabase, shopDatabase } from '../../../test/helpers/sqlite-shop.ts';
import { findTable, listTables } from './catalog.ts';

let shop: ScratchDatabase;
beforeAll(() => {
  shop = shopDatabase();
});
afterAll(() => shop.remove());

describe('listTables', () => {
  test('names tables and views in order, without internals and shadow tables', () => {
    const db = shop.open();
    expect(listTables(db)).toEqual([
      'broken_view',
      'customers',
      'measurements',
      'odd "name" [x]',
      'order_lines',
      'order_totals',
      'orders',
      'product_search',
      'products',
      'shipments',
      '日本語',
    ]);
    db.close();
  });

  test('lists what only looks like an internal name', () => {
    const scratch = scratchDatabase(['CREATE TABLE sqliteX(a); CREATE TABLE "100%_"(a); CREATE TABLE Zed(a)']);
    const db = scratch.open();
    expect(listTables(db)).toEqual(['100%_', 'Zed', 'sqliteX']);
    db.close();
    scratch.remove();
  });
});

describe('findTable', () => {
  test.each([
    ['customers', 'customers'],
    ['CUSTOMERS', 'customers'],
    ['main.customers', 'customers'],
    ['MAIN."Customers"', 'customers'],
    ['[customers]', 'customers'],
    ['odd "name" [x]', 'odd "name" [x]'],
    ['"odd ""name"" [x]"', 'odd "name" [x]'],
    ['日本語', '日本語'],
  ])('understands %s', (wanted, name) => {
    const db = shop.open();
    expect(findTable(db, wanted).name).toBe(name);
    db.close();
  });

  test.each(['custmers', 'main.custmers'])('suggests similar names for %s', (wanted) => {
    const db = shop.open();
    expect(() => findTable(db, wanted)).toThrow(
      expect.objectContaining({
        code: 'E_UNKNOWN_TABLE',
        message: `No table "${wanted}".`,
        hint: 'Near names: customers.',
        details: { near: ['customers'] },
      }),
    );
    db.close();
  });

  test.each(["x' OR '1'='1", 'temp.customers', 'sqlite_schema', 'product_search_data', '%', "customers'"])(
    'finds no table called %s',
    (wanted) => {
      const db = shop.open();
      expect(() => findTable(db, wanted)).toThrow(expect.objectContaining({ code: 'E_UNKNOWN_TABLE' }));
      db.close();
    },
  );
});
