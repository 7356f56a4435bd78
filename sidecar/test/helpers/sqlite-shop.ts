import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';

const SQL_DIR = join(__dirname, '../../../fixtures/sql/sqlite');

export interface ScratchDatabase {
  /** A folder with nothing but this database. */
  readonly dir: string;
  readonly file: string;
  /** A handle, opened as the reading child opens it. */
  readonly open: () => Database.Database;
  readonly remove: () => void;
}

/** The fixture's shop in a temporary folder. */
export function shopDatabase(): ScratchDatabase {
  return scratchDatabase(['01-schema.sql', '02-rows.sql'].map((name) => readFileSync(join(SQL_DIR, name), 'utf8')));
}

/** A database made by these scripts, in a temporary folder. */
export function scratchDatabase(scripts: readonly string[]): ScratchDatabase {
  // The corpus uses this name without quotes: after a minus, a digit would start an invalid number.
  const dir = mkdtempSync(join(tmpdir(), 'devdb-sqlite-x'));
  const file = join(dir, 'scratch.db');
  const db = new Database(file);
  for (const script of scripts) db.exec(script);
  db.close();
  return { dir, file, open: () => guarded(file), remove: () => rmSync(dir, { recursive: true, force: true }) };
}

function guarded(file: string): Database.Database {
  const db = new Database(file, { readonly: true, fileMustExist: true });
  db.pragma('query_only = ON');
  db.pragma('trusted_schema = OFF');
  return db;
}
