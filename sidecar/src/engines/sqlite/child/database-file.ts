import { accessSync, constants, mkdtempSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { AppError } from '@devdb/shared/errors';
import { codeOf } from '../../../host/error-code.ts';
import { engineCode } from '../../engine-code.ts';

/** The file a path refers to now. A different file at the same path has a different identity. */
export interface FileIdentity {
  readonly dev: bigint;
  readonly ino: bigint;
}

/** The identity of the database file; throws an AppError with the obstacle. */
export function identify(file: string): FileIdentity {
  const stats = statFile(file);
  if (stats === undefined) {
    throw new AppError('E_NO_CONNECTION', `There is no database file ${file}.`, {
      hint: 'Correct the path of the connection, or create the database (run the migrations of the project).',
      details: engineCode({ name: 'ENOENT' }),
    });
  }
  if (!stats.isFile()) {
    const what = stats.isDirectory() ? 'a folder' : 'no regular file';
    throw new AppError('E_NO_CONNECTION', `${file} is ${what}, not a database file.`, {
      hint: 'Give the path of the database file itself.',
    });
  }
  return { dev: stats.dev, ino: stats.ino };
}

export function sameFile(a: FileIdentity, b: FileIdentity): boolean {
  return a.ino === b.ino && a.dev === b.dev;
}

function statFile(file: string) {
  try {
    return statSync(file, { bigint: true, throwIfNoEntry: false });
  } catch (error) {
    const code = codeOf(error, 'unknown reason');
    throw new AppError('E_NO_CONNECTION', `The database file ${file} cannot be inspected (${code}).`, {
      hint: 'Check the permissions of its folder.',
      details: engineCode({ name: code }),
      cause: error,
    });
  }
}

/** The size of the write-ahead log beside the file; undefined when there is none. */
export function walSize(file: string): number | undefined {
  try {
    return statSync(`${file}-wal`, { throwIfNoEntry: false })?.size;
  } catch {
    // An inaccessible folder: SQLite itself will report the error.
    return undefined;
  }
}

export function mayRead(file: string): boolean {
  return allowed(file, constants.R_OK);
}

export function mayWrite(file: string): boolean {
  return allowed(file, constants.W_OK);
}

/** SQLite puts its journal beside the file, so the folder's permissions matter too. */
export function mayWriteFolder(file: string): boolean {
  return allowed(dirname(file), constants.W_OK);
}

function allowed(path: string, mode: number): boolean {
  try {
    accessSync(path, mode);
    return true;
  } catch {
    return false;
  }
}

/**
 * Calls `open` with a path that survives the driver, which trims names. A name that ends in whitespace is opened
 * through a link without it; SQLite resolves the link at once, so journals are still beside the real file.
 */
export function withOpenablePath<T>(file: string, open: (path: string) => T): T {
  if (file.trim() === file) return open(file);
  const folder = mkdtempSync(join(tmpdir(), 'devdb-link-'));
  try {
    const link = join(folder, 'database');
    symlinkSync(file, link);
    return open(link);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
