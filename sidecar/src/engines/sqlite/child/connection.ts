import { AppError } from '@devdb/shared/errors';
import Database from 'better-sqlite3';
import type { Db } from '../catalog.ts';
import { Aside, stateOf } from './aside.ts';
import { type FileIdentity, identify, sameFile, walSize, withOpenablePath } from './database-file.ts';
import { needsRecovery, sqliteFailure } from './driver-error.ts';
import { hasJournal, refuseForeignJournals } from './journal.ts';
import { Patience } from './patience.ts';

export interface ConnectionOptions {
  readonly file: string;
  /** The driver's binary. */
  readonly nativeBinding: string;
}

interface Reader {
  readonly db: Db;
  readonly identity: FileIdentity;
}

/** The child's handles on its database: a guarded one kept between calls, and writing ones that are not kept. */
export class Connection {
  readonly #options: ConnectionOptions;
  readonly patience = new Patience();
  #reader: Reader | undefined;
  #aside: { readonly db: Db; readonly state: string; readonly copy: Aside } | undefined;

  constructor(options: ConnectionOptions) {
    this.#options = options;
  }

  get file(): string {
    return this.#options.file;
  }

  /** Loads what the first statement would otherwise wait for. */
  loadDriver(): void {
    const db = this.openScratch();
    touch(db);
    db.close();
  }

  /** An empty database in memory, to try something in. */
  openScratch(): Db {
    return new Database(':memory:', { nativeBinding: this.#options.nativeBinding });
  }

  /**
   * Runs a read on the guarded handle. Where a killed writer has left a journal, a read-only connection may not repair
   * the database: then the read runs again on a repaired copy. It has not started before, since the first access to the
   * file already shows the journal.
   */
  read<T>(use: (db: Db) => T): T {
    try {
      return use(this.#guarded());
    } catch (error) {
      if (!needsRecovery(error) || !(hasJournal(this.file) || (walSize(this.file) ?? 0) > 0)) throw error;
      this.#letGo();
      return use(this.#guardedAside());
    }
  }

  /** Whether there is a journal beside the file that a writing connection would roll back. */
  get hasJournal(): boolean {
    return hasJournal(this.file);
  }

  /** Repairs the database after one of our writers was killed. */
  recover(): void {
    this.write(touch);
  }

  /**
   * Runs a write on its own handle, which is closed at once: if no other program has the file open, that removes its WAL.
   */
  write<T>(use: (db: Db) => T): T {
    identify(this.file);
    this.#letGo();
    refuseForeignJournals(this.file);
    const db = this.#open(this.file, false);
    try {
      return use(db);
    } finally {
      db.close();
    }
  }

  /** Closes the file, and removes the WAL left by reading or, with `wroteHere`, by our writing. */
  release(wroteHere: boolean): void {
    this.#letGoAside();
    if (!this.#letGo() || this.hasJournal) return;
    const size = walSize(this.file);
    // A WAL with other programs' writes is theirs.
    if (size === 0 || (size !== undefined && wroteHere)) this.#removeWal();
  }

  /** Closes the guarded handle; false when there is none. */
  #letGo(): boolean {
    const reader = this.#reader;
    this.#reader = undefined;
    reader?.db.close();
    return reader !== undefined;
  }

  #guarded(): Db {
    const identity = identify(this.file);
    if (this.#reader !== undefined && sameFile(this.#reader.identity, identity))
      return this.patience.applyTo(this.#reader.db);
    this.release(false);
    refuseForeignJournals(this.file);
    const db = this.#openGuarded(this.file);
    this.#reader = { db, identity };
    return db;
  }

  #openGuarded(file: string): Db {
    const db = this.#open(file, true);
    // Functions in the schema, e.g. in a view, may not do what the user's own SQL may.
    db.pragma('trusted_schema = OFF');
    db.pragma('query_only = ON');
    if (db.pragma('query_only', { simple: true }) === 1) return db;
    db.close();
    throw new Error('SQLite did not accept query_only.');
  }

  /** The same on a repaired copy, which is kept until the file changes. */
  #guardedAside(): Db {
    const state = stateOf(this.file);
    if (this.#aside?.state === state) return this.#aside.db;
    this.#letGoAside();
    const copy = new Aside(this.file);
    try {
      const repairing = this.#open(copy.file, false);
      try {
        touch(repairing);
      } finally {
        repairing.close();
      }
      const db = this.#openGuarded(copy.file);
      touch(db);
      this.#aside = { db, state, copy };
      copy.removeIfPossible();
      return db;
    } catch (error) {
      copy.remove();
      throw error;
    }
  }

  #letGoAside(): void {
    const aside = this.#aside;
    this.#aside = undefined;
    aside?.db.close();
    aside?.copy.remove();
  }

  /**
   * A read-only connection to a WAL database creates -wal and -shm and cannot remove them. The last writing connection
   * does, and SQLite itself makes sure that it is the last.
   */
  #removeWal(): void {
    try {
      this.write(touch);
    } catch (error) {
      // They stay, as after any read-only program: the file is locked, gone or not ours to write.
      if (sqliteFailure(error) === undefined && !(error instanceof AppError)) throw error;
    }
  }

  #open(file: string, readonly: boolean): Db {
    const { nativeBinding } = this.#options;
    return withOpenablePath(
      file,
      (path) => new Database(path, { readonly, fileMustExist: true, timeout: this.patience.look(), nativeBinding }),
    );
  }
}

/** Makes SQLite access the file, which is when it repairs it and opens its WAL. */
function touch(db: Db): void {
  db.prepare('SELECT count(*) FROM sqlite_schema').get();
}
