import Database from 'better-sqlite3';
import type { Db } from '../catalog.ts';
import { type FileIdentity, identify, sameFile, withOpenablePath } from './database-file.ts';
import { needsRecovery } from './driver-error.ts';

export interface ConnectionOptions {
  readonly file: string;
  /** The driver's binary. */
  readonly nativeBinding: string;
  readonly busyTimeoutMs: number;
}

/** The child's handles on its database: a guarded one that is kept between calls, and writing ones that are not. */
export class Connection {
  readonly #options: ConnectionOptions;
  #reader: { readonly db: Db; readonly identity: FileIdentity } | undefined;

  constructor(options: ConnectionOptions) {
    this.#options = options;
  }

  get file(): string {
    return this.#options.file;
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
      this.release();
      this.#recover();
      return use(this.#guarded());
    }
  }

  /** Runs a write on a handle of its own, which is closed at once: it lets go of the file and of its WAL. */
  write<T>(use: (db: Db) => T): T {
    identify(this.file);
    const db = this.#open(false);
    try {
      return use(db);
    } finally {
      db.close();
    }
  }

  /** Lets go of the file. */
  release(): void {
    this.#reader?.db.close();
    this.#reader = undefined;
  }

  #guarded(): Db {
    const identity = identify(this.file);
    if (this.#reader !== undefined && sameFile(this.#reader.identity, identity)) return this.#reader.db;
    this.release();
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
    this.write((db) => db.prepare('SELECT count(*) FROM sqlite_schema').get());
  }

  #open(readonly: boolean): Db {
    const { file, nativeBinding, busyTimeoutMs } = this.#options;
    return withOpenablePath(
      file,
      (path) => new Database(path, { readonly, fileMustExist: true, timeout: busyTimeoutMs, nativeBinding }),
    );
  }
}
