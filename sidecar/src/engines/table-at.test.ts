import { ENGINE_KINDS, type EngineKind } from '@devdb/shared/engines';
import * as fc from 'fast-check';
import { readerOf } from './index.ts';
import { tableAt } from './table-at.ts';

/** The name at the mark `|`, with the text that it stands on. */
async function found(kind: EngineKind, marked: string): Promise<readonly [string, readonly string[]] | undefined> {
  const offset = marked.indexOf('|');
  const sql = marked.replace('|', '');
  const table = await tableAt(await readerOf(kind), sql, offset);
  return table && [sql.slice(table.start, table.end), table.path];
}

test.each([
  ['SELECT * FROM ord|ers o', 'orders'],
  ['select 1 from a join |orders on a.id = orders.id', 'orders'],
  ['SELECT * FROM a, b x, orders| WHERE 1 = 1', 'orders'],
  ['INSERT INTO |orders (id) VALUES (1)', 'orders'],
  ['UPDATE |orders SET id = 1', 'orders'],
  ['DELETE FROM |orders', 'orders'],
  ['DROP TABLE IF EXISTS |orders', 'orders'],
  ['CREATE TABLE x (id int REFERENCES |orders (id))', 'orders'],
  ['WITH a AS (SELECT 1 FROM |orders) SELECT * FROM a', 'orders'],
  ['SELECT 1; SELECT * FROM |orders; SELECT 2', 'orders'],
  ['SELECT (SELECT 1 FROM |orders LIMIT 1)', 'orders'],
  ["SELECT * FROM |orders WHERE id = :id AND name = 'x'", 'orders'],
] as const)('every engine: a table is named in %s', async (sql, name) => {
  for (const kind of ENGINE_KINDS) expect(await found(kind, sql)).toEqual([name, [name]]);
});

test.each([
  'SELECT |orders FROM a',
  'SELECT * FROM a WHERE |orders = 1',
  'SELECT * FROM a |orders',
  'SELECT * FROM a AS |orders',
  'WITH orders AS (SELECT 1) SELECT * FROM |orders',
  'WITH RECURSIVE a AS (SELECT 1), orders (id) AS (SELECT 2) SELECT * FROM |orders',
  'UPDATE |orders SET x = 1 FROM customers orders',
  'SELECT EXTRACT(year FROM |orders) FROM a',
  "SELECT TRIM(LEADING 'x' FROM |orders) FROM a",
  'SELECT a IS DISTINCT FROM |orders FROM a',
  'INSERT INTO a (id) VALUES (1) ON DUPLICATE KEY UPDATE |orders = 1',
  'INSERT INTO a (id) VALUES (1) ON CONFLICT DO UPDATE |orders',
  'Update |orders tomorrow',
  'Insert into |orders what you like',
  'Choose from |orders',
  "SELECT 'FROM |orders'",
  'SELECT 1 -- FROM |orders',
  'SELECT a, |orders FROM b',
] as const)('no engine: there is doubt in %s', async (sql) => {
  for (const kind of ENGINE_KINDS) expect(await found(kind, sql)).toBeUndefined();
});

test.each([
  ['postgres', 'SELECT * FROM sales."Order |Lines"', 'sales."Order Lines"', ['sales', 'Order Lines']],
  ['postgres', 'SELECT * FROM ONLY |orders', 'orders', ['orders']],
  ['mysql2', 'SELECT * FROM `sh|op`.`a``b`', '`shop`.`a``b`', ['shop', 'a`b']],
  ['mssql', 'SELECT * FROM [dbo].[a]]|b]', '[dbo].[a]]b]', ['dbo', 'a]b']],
  ['sqlite', 'SELECT * FROM "o|rders"', '"orders"', ['orders']],
  ['mssql', 'SELECT * FROM |orders WHERE id = ?', 'orders', ['orders']],
  ['mysql2', 'SELECT * FROM |orders WHERE id = {id}', 'orders', ['orders']],
  ['postgres', 'SELECT * FROM |orders WHERE id = %(id)s AND b = %s', 'orders', ['orders']],
] as const)('%s: %s', async (kind, sql, text, path) => {
  expect(await found(kind, sql)).toEqual([text, path]);
});

test('any text has an answer, and what is found stands where it was asked for', async () => {
  const word = fc.constantFrom(
    'FROM',
    'JOIN',
    'orders',
    ',',
    '.',
    '(',
    ')',
    "'",
    '"',
    'SELECT',
    'WITH',
    'AS',
    'a',
    '`',
    '[',
  );
  for (const kind of ENGINE_KINDS) {
    const reader = await readerOf(kind);
    await fc.assert(
      fc.asyncProperty(fc.array(word, { maxLength: 12 }), fc.nat(40), async (words, offset) => {
        const table = await tableAt(reader, `SELECT ${words.join(' ')}`, offset);
        if (table === undefined) return;
        expect(table.start).toBeLessThanOrEqual(offset);
        expect(table.end).toBeGreaterThanOrEqual(offset);
        expect(table.path.length).toBeGreaterThan(0);
      }),
      { numRuns: 100, seed: 8 },
    );
  }
});
