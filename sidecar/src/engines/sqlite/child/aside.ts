import { constants, copyFileSync, existsSync, lstatSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AppError } from '@devdb/shared/errors';
import { SQLITE_ASIDE_BYTES } from '../limits.ts';
import { refuseForeignJournals } from './journal.ts';

const NAMES = ['', '-journal', '-wal'] as const;

/** Identifies one state of a database and its journals. */
export function stateOf(file: string): string {
  return NAMES.map((name) => {
    const stats = lstatSync(`${file}${name}`, { bigint: true, throwIfNoEntry: false });
    return stats === undefined ? '' : `${stats.ino} ${stats.size} ${stats.mtimeNs}`;
  }).join(', ');
}

/**
 * A copy of a database with its journals, in a separate folder. A program was stopped while it wrote, so SQLite has to
 * repair the database before it can be read; that happens to the copy. A read leaves the project unchanged, and a
 * journal that came with a repository does not get to change its files.
 */
export class Aside {
  readonly file: string;
  readonly #folder: string;

  constructor(file: string) {
    refuseForeignJournals(file);
    const bytes = NAMES.reduce((sum, name) => sum + (lstatSync(file + name, { throwIfNoEntry: false })?.size ?? 0), 0);
    if (bytes > SQLITE_ASIDE_BYTES) throw tooLarge(file);
    this.#folder = mkdtempSync(join(tmpdir(), 'devdb-aside-'));
    this.file = join(this.#folder, 'database');
    const before = stateOf(file);
    for (const name of NAMES) {
      if (existsSync(file + name)) copyFileSync(file + name, this.file + name, constants.COPYFILE_FICLONE);
    }
    if (stateOf(file) === before) return;
    this.remove();
    throw new AppError('E_NO_CONNECTION', `Another program is repairing or writing ${file}.`, {
      hint: 'Try again.',
    });
  }

  /** At once where an open file can be removed: then nothing stays behind, however this process ends. */
  removeIfPossible(): void {
    if (process.platform !== 'win32') this.remove();
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

function tooLarge(file: string): AppError {
  const most = SQLITE_ASIDE_BYTES / 1024 / 1024;
  return new AppError(
    'E_NO_CONNECTION',
    `A program was stopped while it wrote to ${file} and left a journal. A read does not repair the database, and it is larger than the ${most} MiB that are copied in order to read it.`,
    { hint: 'Open the database once with the program that owns it, which repairs it.' },
  );
}
