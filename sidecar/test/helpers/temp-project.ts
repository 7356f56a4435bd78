import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';

/** A temporary project folder with its own home beside it. */
export interface TempProject {
  readonly home: string;
  readonly root: string;
  /** Makes (or changes) a SQLite file of the project and returns its path. */
  database(name: string, sql: string): string;
  /** Another project that shares the home. */
  another(name: string): { readonly root: string; database(name: string, sql: string): string };
  remove(): void;
}

export function tempProject(): TempProject {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), 'devdb-test-')));
  const home = join(dir, 'home');
  const project = (name: string) => {
    const root = join(dir, name);
    mkdirSync(root);
    return { root, database: (file: string, sql: string) => runSql(join(root, file), sql) };
  };
  return {
    home,
    ...project('project'),
    another: project,
    remove: () => rmSync(dir, { recursive: true, force: true }),
  };
}

/** Runs a script of statements on a SQLite file and returns the file's path. */
export function runSql(file: string, sql: string): string {
  const db = new Database(file);
  try {
    db.exec(sql);
  } finally {
    db.close();
  }
  return file;
}

/** All rows of a read, bypassing the sidecar. */
export function rowsOf(file: string, sql: string): unknown[] {
  const db = new Database(file, { readonly: true });
  try {
    return db.prepare(sql).raw().all();
  } finally {
    db.close();
  }
}
