import { chmodSync, type Stats, statSync } from 'node:fs';
import { AppError } from '@devdb/shared/errors';
import Database from 'better-sqlite3';
import { hasCode } from '../host/error-code.ts';
import { FILE_MODE } from '../host/home.ts';
import { nativeBindingFile } from '../host/native.ts';

/**
 * A file this process has locked, exclusively or shared. It is SQLite's own file lock: on every system the kernel
 * releases it when the process dies. No other code may open the file here: closing any descriptor of it releases the
 * lock too.
 */
export interface HeldFile {
  /** Releases the lock. */
  close(): void;
}

/** Locks the file exclusively; undefined when another process has it locked. */
export function holdAlone(file: string, bundleDir: string): HeldFile | undefined {
  return hold(file, bundleDir, 'BEGIN EXCLUSIVE');
}

/**
 * Waits for an exclusive lock on the file. Unlike `holdAlone`, an attempt does not fail because others are trying at
 * the same moment, and it costs almost nothing: hundreds of processes that end together would overload the machine.
 */
export class TurnSeeker implements HeldFile {
  readonly #file: string;
  readonly #bundleDir: string;
  #opened: { readonly connection: Database.Database; readonly stats: Stats | undefined } | undefined;

  constructor(file: string, bundleDir: string) {
    this.#file = file;
    this.#bundleDir = bundleDir;
  }

  /** Whether this process now has the lock; it keeps it until `close`. */
  take(): boolean {
    try {
      this.#opened ??= openFile(this.#file, this.#bundleDir);
      this.#opened.connection.exec('BEGIN IMMEDIATE');
      if (isStillThere(this.#file, this.#opened.stats)) return true;
      this.close();
    } catch (error) {
      if (hasCode(error, 'SQLITE_BUSY')) return false;
      // SQLite also notices a deleted or replaced file; the next attempt uses the file that is there now.
      const wasMoved = this.#opened !== undefined && !isSameFile(this.#file, this.#opened.stats);
      this.close();
      if (!wasMoved) throw unusable(this.#file, error);
    }
    return false;
  }

  /** Changes each time a process gets the lock. */
  get lastTurn(): number | undefined {
    // Getting the lock sets the file's mode.
    return statSync(this.#file, { throwIfNoEntry: false })?.ctimeMs;
  }

  close(): void {
    this.#opened?.connection.close();
    this.#opened = undefined;
  }
}

function openFile(file: string, bundleDir: string) {
  const connection = new Database(file, { nativeBinding: nativeBindingFile(bundleDir), timeout: 0 });
  return { connection, stats: statSync(file, { throwIfNoEntry: false }) };
}

/** Takes a shared lock; undefined while another process has the file locked exclusively. */
export function holdShared(file: string, bundleDir: string): HeldFile | undefined {
  // A transaction that has read keeps SQLite's shared lock until it ends.
  return hold(file, bundleDir, 'BEGIN; SELECT count(*) FROM sqlite_master');
}

function hold(file: string, bundleDir: string, sql: string): HeldFile | undefined {
  let connection: Database.Database | undefined;
  try {
    const opened = openFile(file, bundleDir);
    connection = opened.connection;
    connection.exec(sql);
    if (isStillThere(file, opened.stats)) return connection;
  } catch (error) {
    connection?.close();
    if (hasCode(error, 'SQLITE_BUSY')) return undefined;
    throw unusable(file, error);
  }
  connection.close();
  return undefined;
}

/** A lock on a file that was deleted or replaced meanwhile keeps no process out. */
function isStillThere(file: string, before: Stats | undefined): boolean {
  if (!isSameFile(file, before)) return false;
  chmodSync(file, FILE_MODE);
  return true;
}

function isSameFile(file: string, before: Stats | undefined): boolean {
  const now = statSync(file, { throwIfNoEntry: false });
  return now !== undefined && now.ino === before?.ino && now.dev === before.dev;
}

function unusable(file: string, cause: unknown): AppError {
  return new AppError('E_INTERNAL', `DevDB cannot lock the file ${file}.`, {
    hint: 'Check that its folder is writable and on a local disk, and delete the file if it is damaged.',
    cause,
  });
}
