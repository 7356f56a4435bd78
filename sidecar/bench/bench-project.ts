import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

export const MANY_ROWS = 1_000_000;
export const FEW_ROWS = 1_000;

export interface BenchProject {
  readonly root: string;
  readonly database: string;
}

/** A project with one SQLite file: a table of many rows and a small one. */
export function makeBenchProject(root: string, manyRows = MANY_ROWS): BenchProject {
  rmSync(root, { recursive: true, force: true });
  mkdirSync(root, { recursive: true });
  const database = join(root, 'bench.db');
  const connection = new DatabaseSync(database);
  connection.exec(`
    PRAGMA journal_mode = WAL;
    CREATE TABLE items (id INTEGER PRIMARY KEY, name TEXT NOT NULL, price REAL NOT NULL);
    CREATE TABLE events (id INTEGER PRIMARY KEY, kind TEXT NOT NULL, amount REAL NOT NULL, note TEXT);
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${FEW_ROWS})
      INSERT INTO items SELECT i, 'item ' || i, i * 1.25 FROM n;
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${manyRows})
      INSERT INTO events SELECT i, 'kind ' || (i % 7), i * 0.5, CASE WHEN i % 3 = 0 THEN NULL ELSE 'note number ' || i END FROM n;
  `);
  connection.close();
  return { root, database };
}

/** A small query with a text never used before. */
export function smallQuery(n: number): string {
  return `SELECT id, name, price FROM items WHERE id = ${1 + ((n * 7919) % FEW_ROWS)} /* ${n} */`;
}

/** Counts to 500 million, for many seconds on any machine, without reading from disk; `n` makes the text new. */
export function slowQuery(n: number): string {
  return `WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < 500000000) SELECT count(*) + ${n} FROM c`;
}
