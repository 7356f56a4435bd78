import { closeSync, constants, lstatSync, openSync, readSync } from 'node:fs';
import { AppError } from '@devdb/shared/errors';

/** The last bytes of a journal that belongs to a multi-file transaction. */
const MAGIC = Buffer.from('d9d505f920a163d7', 'hex');
/** A link or pipe that replaced the file since it was checked is not followed, nor waited for. */
const FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
const NAMES = ['-journal', '-wal', '-shm'] as const;

/**
 * Refuses a database whose journal files were made to reach outside its folder: a journal that is a link, or that names
 * another file, which SQLite would read and delete while repairing the database.
 */
export function refuseForeignJournals(file: string): void {
  for (const name of NAMES) {
    const stats = lstatSync(`${file}${name}`, { throwIfNoEntry: false });
    if (stats !== undefined && !stats.isFile()) throw refused(`${file}${name} is not a regular file`, file);
  }
  if (namesAnotherFile(file)) throw refused(`${file}-journal names another file`, file);
}

/** Whether there is a journal that a writing connection would roll back: a finished one starts with a zero. */
export function hasJournal(file: string): boolean {
  return journalEnd(file) !== undefined;
}

function namesAnotherFile(file: string): boolean {
  return journalEnd(file)?.equals(MAGIC) === true;
}

/** The last bytes of an active journal. */
function journalEnd(file: string): Buffer | undefined {
  const journal = `${file}-journal`;
  const size = lstatSync(journal, { throwIfNoEntry: false })?.size ?? 0;
  if (size === 0) return undefined;
  const fd = openSync(journal, FLAGS);
  try {
    const [begin, end] = [Buffer.alloc(1), Buffer.alloc(MAGIC.length)];
    readSync(fd, begin, 0, begin.length, 0);
    if (size >= end.length) readSync(fd, end, 0, end.length, size - end.length);
    return begin.readUInt8() === 0 ? undefined : end;
  } finally {
    closeSync(fd);
  }
}

function refused(what: string, file: string): AppError {
  return new AppError('E_NO_CONNECTION', `The database ${file} is not opened: ${what}, and SQLite would follow it.`, {
    hint: 'Remove that file if it came with the project. Otherwise open the database once with the program that owns it.',
  });
}
