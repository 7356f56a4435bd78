import { AppError } from '@devdb/shared/errors';
import Database from 'better-sqlite3';
import type { Db } from '../catalog.ts';
import { type FileIdentity, identify, sameFile, walSize, withOpenablePath } from './database-file.ts';
import { needsRecovery, sqliteFailure } from './driver-error.ts';

export interface ConnectionOptions {
  readonly file: string;
  /** The driver's binary. */
  readonly nativeBinding: string;
  readonly busyTimeoutMs: number;
}

interface Reader {
  readonly db: Db;
  readonly identity: FileIdentity;
}

/** The child's handles on its database: a guarded one that is kept between calls, and writing ones that are not. */
export class Connection {
  readonly #options: ConnectionOptions;
  #reader: Reader | undefined;

  constructor(options: ConnectionOptions) {
    this.#options = options;
  }

  get file(): string {
    return this.#options.file;
  }

  /** Loads what the first statement would have to wait for. */
  loadDriver(): void {
    new Database(':memory:', { nativeBinding: this.#options.nativeBinding }).close();
  }

  /**
   * Runs a read on the guarded handle. When a killed writer left a journal behind, one connection that may write rolls
   * it back, and the read is run again; it has not begun before, as the journal shows at the first touch of the file.
   */
  read<T>(use: (db: Db) => T): T {
    try {
      return use(this.#guarded());
    } catch (error) {
      if (!needsRecovery(error)) throw error;
      this.#letGo();
      this.#recover();
      return use(this.#guarded());
    }
  }

  /** Runs a write on a handle of its own, which is closed at once: when nobody else has the file, its WAL goes with it. */
  write<T>(use: (db: Db) => T): T {
    identify(this.file);
    this.#letGo();
    const db = this.#open(false);
    try {
      return use(db);
    } finally {
      db.close();
    }
  }

  /** Lets go of the file, and of the WAL that reading or, where `wroteHere` says so, writing has left beside it. */
  release(wroteHere: boolean): void {
    if (!this.#letGo()) return;
    const size = walSize(this.file);
    // What others have left in a WAL is theirs.
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
    if (this.#reader !== undefined && sameFile(this.#reader.identity, identity)) return this.#reader.db;
    this.release(false);
    const db = this.#open(true);
    // Functions of the schema, e.g. in a view, run without the rights of the person who asks.
    db.pragma('trusted_schema = OFF');
    db.pragma('query_only = ON');
    if (db.pragma('query_only', { simple: true }) !== 1) {
      db.close();
      throw new Error('SQLite did not take query_only.');
    }
    this.#reader = { db, identity };
    return db;
  }

  #recover(): void {
    this.write(touch);
  }

  /**
   * A read-only connection to a WAL database makes -wal and -shm and cannot remove them. The last connection that may
   * write does, and SQLite itself sees to it that it is the last.
   */
  #removeWal(): void {
    try {
      this.write(touch);
    } catch (error) {
      // They stay, as they would after any read-only program: the file is locked, gone or not ours to write.
      if (sqliteFailure(error) === undefined && !(error instanceof AppError)) throw error;
    }
  }

  #open(readonly: boolean): Db {
    const { file, nativeBinding, busyTimeoutMs } = this.#options;
    return withOpenablePath(
      file,
      (path) => new Database(path, { readonly, fileMustExist: true, timeout: busyTimeoutMs, nativeBinding }),
    );
  }
}

/** Makes SQLite look into the file, which is when it repairs it and opens its WAL. */
function touch(db: Db): void {
  db.prepare('SELECT count(*) FROM sqlite_schema').get();
}
