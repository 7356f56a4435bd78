import type { EngineKind } from '@devdb/shared/engines';
import { readerOf } from './index.ts';

async function split(kind: EngineKind, sql: string): Promise<string[]> {
  return (await (await readerOf(kind)).split(sql)).map(({ start, end }) => sql.slice(start, end));
}

const KINDS = ['sqlite', 'postgres', 'mysql2', 'mssql'] as const;

test.each(KINDS)('%s: a semicolon in a text, a name or a comment separates nothing', async (kind) => {
  const sql = `-- a; b\nSELECT 'x;y', 1 /* c; d */ ;\n\n  SELECT 2;;\nSELECT 3 -- e;\n`;
  expect(await split(kind, sql)).toEqual([`SELECT 'x;y', 1`, 'SELECT 2', 'SELECT 3']);
});

test.each(KINDS)('%s: a text that is not closed is the rest, and what stands before it is split', async (kind) => {
  const sql = `SELECT 1; SELECT 'open; SELECT 2`;
  const spans = await split(kind, sql);
  expect(spans[spans.length - 1]).toMatch(/'open; SELECT 2$/);
  if (kind !== 'postgres') expect(spans).toEqual(['SELECT 1', `SELECT 'open; SELECT 2`]);
});

test('positions are those of the editor beyond ASCII too', async () => {
  expect(await split('postgres', "SELECT 'ä👩‍💻'; SELECT '€'")).toEqual(["SELECT 'ä👩‍💻'", "SELECT '€'"]);
});

test.each([
  ['sqlite', 'CREATE TRIGGER t AFTER INSERT ON a BEGIN UPDATE a SET x = CASE WHEN 1 THEN 2 END; DELETE FROM b; END'],
  ['postgres', 'CREATE FUNCTION f() RETURNS int LANGUAGE sql AS $$ SELECT 1; SELECT 2; $$'],
  ['postgres', 'CREATE FUNCTION f() RETURNS int BEGIN ATOMIC SELECT 1; SELECT 2; END'],
  ['mysql2', 'CREATE PROCEDURE p() BEGIN IF 1 THEN SELECT 1; END IF; CASE WHEN 1 THEN SELECT 2; END CASE; END'],
  ['mssql', 'CREATE PROCEDURE p AS BEGIN BEGIN TRAN; SELECT 1; COMMIT; END'],
] as const)('%s: the body of a routine is one statement', async (kind, routine) => {
  expect(await split(kind, `SELECT 1; ${routine}; SELECT 2`)).toEqual(['SELECT 1', routine, 'SELECT 2']);
});

test('a transaction is no routine', async () => {
  expect(await split('sqlite', 'BEGIN; SELECT 1; END; SELECT 2')).toEqual(['BEGIN', 'SELECT 1', 'END', 'SELECT 2']);
});

test('GO on a line of its own separates batches of SQL Server', async () => {
  expect(await split('mssql', 'SELECT 1 AS go\nGO\nSELECT 2\n  go\n')).toEqual(['SELECT 1 AS go', 'SELECT 2']);
});
