import Database from 'better-sqlite3';
import { type ScratchDatabase, scratchDatabase, shopDatabase } from '../../../test/helpers/sqlite-shop.ts';
import { listTables } from './catalog.ts';
import { schemaText } from './schema.ts';

let shop: ScratchDatabase;
beforeAll(() => {
  shop = shopDatabase();
});
afterAll(() => shop.remove());

const OBJECTS = `SELECT type, name, tbl_name FROM sqlite_schema WHERE name NOT LIKE 'sqlite_stat%' AND name <> 'sqlite_sequence'
  ORDER BY name`;

describe('schemaText', () => {
  test('contains everything about a table as it was written', () => {
    const db = shop.open();
    const text = schemaText(db, 'Orders');
    expect(text).toMatch(/^CREATE TABLE orders \(\n {2}id INTEGER PRIMARY KEY AUTOINCREMENT,/);
    expect(text).toContain('REFERENCES customers (id) ON DELETE CASCADE');
    expect(text).toContain("CREATE INDEX orders_open ON orders (placed_at) WHERE status = 'new';");
    expect(text).toMatch(/CREATE TRIGGER orders_touch [\s\S]*END;$/);
    expect(schemaText(db, 'customers')).toContain('-- one account per address');
    db.close();
  });

  test('creates the same table with its columns, keys and indexes on an empty database', () => {
    const db = shop.open();
    for (const table of listTables(db)) {
      const text = schemaText(db, table);
      const copy = new Database(':memory:');
      copy.exec(text);
      expect(schemaText(copy, table)).toBe(text);
      const parts = ['index_list', 'foreign_key_list', 'table_xinfo'].filter(() => table !== 'broken_view');
      // A view's columns come from tables the copy does not have.
      for (const pragma of table === 'order_totals' ? [] : parts) {
        const sql = `SELECT * FROM pragma_${pragma}(?)`;
        expect(copy.prepare(sql).all(table)).toEqual(db.prepare(sql).all(table));
      }
      copy.close();
    }
    db.close();
  });

  test('restores the whole shop from its parts', () => {
    const db = shop.open();
    const copy = new Database(':memory:');
    for (const table of listTables(db)) copy.exec(schemaText(db, table));
    expect(copy.prepare(OBJECTS).all()).toEqual(db.prepare(OBJECTS).all());
    copy.close();
    db.close();
  });

  test.each(['-- note', '/* note */', '/* never closed', '-- a\n-- /* b'])(
    'can be run when a view ends in %j',
    (comment) => {
      const scratch = scratchDatabase([`CREATE VIEW v AS SELECT 1 AS a ${comment}`]);
      const db = scratch.open();
      const text = `${schemaText(db, 'v')}\nCREATE TABLE after(a);`;
      const copy = new Database(':memory:');
      copy.exec(text);
      expect(listTables(copy)).toEqual(['after', 'v']);
      copy.close();
      db.close();
      scratch.remove();
    },
  );

  test("keeps a view's triggers and suggests similar tables for an unknown one", () => {
    const db = shop.open();
    expect(schemaText(db, 'order_totals')).toContain('CREATE TRIGGER order_totals_delete INSTEAD OF DELETE');
    expect(() => schemaText(db, 'order_total')).toThrow(
      expect.objectContaining({ code: 'E_UNKNOWN_TABLE', message: 'No table "order_total".' }),
    );
    db.close();
  });
});
