import { chmodSync, type Stats, statSync } from 'node:fs';
import { AppError } from '@devdb/shared/errors';
import Database from 'better-sqlite3';
import { hasCode } from '../host/error-code.ts';
import { FILE_MODE } from '../host/home.ts';
import { nativeBindingFile } from '../host/native.ts';

/**
 * A file that this process holds, alone or together with others. It is SQLite's own file lock: the kernel lets go when
 * the process dies, on every system. Nothing else may open the file here: closing any descriptor of it lets go too.
 */
export interface HeldFile {
  /** Lets go. */
  close(): void;
}

/** Holds the file alone; undefined when somebody else holds it. */
export function holdAlone(file: string, bundleDir: string): HeldFile | undefined {
  return hold(file, bundleDir, 'BEGIN EXCLUSIVE');
}

/**
 * Waits in line for the one turn on the file. Unlike `holdAlone` a try does not fail because others are trying in the
 * same moment, and it costs next to nothing: hundreds of processes that end together would wear the machine out.
 */
export class TurnSeeker implements HeldFile {
  readonly #file: string;
  readonly #bundleDir: string;
  #opened: { readonly connection: Database.Database; readonly stats: Stats | undefined } | undefined;

  constructor(file: string, bundleDir: string) {
    this.#file = file;
    this.#bundleDir = bundleDir;
  }

  /** Whether the turn is ours now; it is until `close`. */
  take(): boolean {
    try {
      this.#opened ??= openFile(this.#file, this.#bundleDir);
      this.#opened.connection.exec('BEGIN IMMEDIATE');
      if (isStillThere(this.#file, this.#opened.stats)) return true;
      this.close();
    } catch (error) {
      if (hasCode(error, 'SQLITE_BUSY')) return false;
      // SQLite notices a file that was deleted or replaced as well; the next try is at the one that is there.
      const wasMoved = this.#opened !== undefined && !isSameFile(this.#file, this.#opened.stats);
      this.close();
      if (!wasMoved) throw unusable(this.#file, error);
    }
    return false;
  }

  /** Changes with every turn that somebody takes. */
  get lastTurn(): number | undefined {
    // Each turn sets the file's mode.
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

/** Holds the file together with others; undefined while somebody holds it alone. */
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

/** Whoever holds a file that was deleted or replaced meanwhile holds nothing that others see. */
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
    hint: 'Check that its folder can be written and lies on a local disk, and delete the file when it is damaged.',
    cause,
  });
}
