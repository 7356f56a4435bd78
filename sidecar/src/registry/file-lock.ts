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
 * Takes the one turn on the file; undefined when somebody else has it. Unlike `holdAlone` it does not fail because
 * others are trying in the same moment, so that many who wait do not keep each other from it.
 */
export function takeTurn(file: string, bundleDir: string): HeldFile | undefined {
  return hold(file, bundleDir, 'BEGIN IMMEDIATE');
}

/** Holds the file together with others; undefined while somebody holds it alone. */
export function holdShared(file: string, bundleDir: string): HeldFile | undefined {
  // A transaction that has read keeps SQLite's shared lock until it ends.
  return hold(file, bundleDir, 'BEGIN; SELECT count(*) FROM sqlite_master');
}

function hold(file: string, bundleDir: string, sql: string): HeldFile | undefined {
  let connection: Database.Database | undefined;
  try {
    connection = new Database(file, { nativeBinding: nativeBindingFile(bundleDir), timeout: 0 });
    const before = statSync(file, { throwIfNoEntry: false });
    connection.exec(sql);
    // Who holds a file that was deleted or replaced meanwhile holds nothing that others see.
    if (isStillThere(file, before)) return connection;
  } catch (error) {
    connection?.close();
    if (hasCode(error, 'SQLITE_BUSY')) return undefined;
    throw unusable(file, error);
  }
  connection.close();
  return undefined;
}

function isStillThere(file: string, before: Stats | undefined): boolean {
  const now = statSync(file, { throwIfNoEntry: false });
  if (before === undefined || now === undefined || now.ino !== before.ino || now.dev !== before.dev) return false;
  chmodSync(file, FILE_MODE);
  return true;
}

function unusable(file: string, cause: unknown): AppError {
  return new AppError('E_INTERNAL', `DevDB cannot lock the file ${file}.`, {
    hint: 'Check that its folder can be written and lies on a local disk, and delete the file when it is damaged.',
    cause,
  });
}
