import { AppError, type ErrorCode } from '@devdb/shared/errors';
import { engineCode } from '../../engine-code.ts';
import { columnsInstead } from '../../unknown-names.ts';
import { allTables, type Db, noSuchTable } from '../catalog.ts';
import { columnRows } from '../overview.ts';
import { readableName } from '../quote.ts';
import { isName, tokenize } from '../tokenize.ts';
import { mayRead, mayWrite, mayWriteFolder } from './database-file.ts';
import { isWriteRefusal, type SqliteFailure, sqliteFailure } from './driver-error.ts';

export interface Situation {
  readonly file: string;
  /** How long it waited for a locked file. */
  readonly lockWaitMs: number;
  /** The statement, where there is one. */
  readonly sql: string | undefined;
  /** Whether it runs on a handle that may write. */
  readonly writes: boolean;
  /** The guarded handle, for looking up similar names. */
  readonly lookUp: <T>(use: (db: Db) => T) => T;
}

/** Turns a request's failure into the error that leaves the child. Unexpected errors are returned unchanged. */
export function explainError(error: unknown, situation: Situation): unknown {
  if (error instanceof AppError) return error;
  const failure = sqliteFailure(error);
  if (isWriteRefusal(error) && !situation.writes) return wouldWrite(error);
  if (failure !== undefined) {
    return explainFile(failure, situation) ?? withNearNames(failure, situation) ?? plain(failure, situation);
  }
  if (isTooLong(error)) {
    return new AppError('E_SQL', 'One value of the result is too large (over 512 MB as text).', {
      hint: 'Take a part of it, e.g. with substr(), or leave that column out.',
      cause: error,
    });
  }
  return error;
}

function wouldWrite(cause: unknown): AppError {
  return new AppError('E_READ_ONLY', 'The statement would write, and only reads run here.', {
    hint: 'Run a change with run-query.',
    cause,
  });
}

function isTooLong(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error ? error.code : undefined;
  return code === 'ERR_STRING_TOO_LONG' || (error instanceof RangeError && error.message === 'Invalid string length');
}

type Sentence = readonly [code: ErrorCode, message: string, hint: string];

function explainFile(failure: SqliteFailure, { file, lockWaitMs }: Situation): AppError | undefined {
  const sentence = fileSentence(failure, file, lockWaitMs);
  if (sentence === undefined) return undefined;
  const [code, message, hint] = sentence;
  return new AppError(code, message, {
    hint,
    details: { ...engineCode({ name: failure.code }), engineMessage: failure.message },
  });
}

function fileSentence({ code, message }: SqliteFailure, file: string, lockWaitMs: number): Sentence | undefined {
  const kind = code.split('_', 2).join('_');
  switch (kind) {
    case 'SQLITE_NOTADB':
      return [
        'E_NO_CONNECTION',
        `${file} is not a SQLite database, or it is encrypted: ${message}.`,
        'Check the path. An encrypted database (SQLCipher and the like) cannot be opened; use a decrypted copy.',
      ];
    case 'SQLITE_BUSY':
    case 'SQLITE_LOCKED':
      return [
        'E_NO_CONNECTION',
        `The database is locked: another program, or another call, holds ${file} and did not release it within ${Math.round(lockWaitMs / 100) / 10} seconds.`,
        'Wait for what uses it to end, or close it, then try again.',
      ];
    case 'SQLITE_CORRUPT':
      return [
        'E_SQL',
        `The database file is damaged: ${message}.`,
        'PRAGMA integrity_check shows what is wrong; restore the file from a backup.',
      ];
    case 'SQLITE_FULL':
      return ['E_SQL', `The disk is full: ${message}.`, 'Free space on the disk of the database, then try again.'];
    case 'SQLITE_CANTOPEN':
      return cannotOpen(message, file);
    case 'SQLITE_READONLY':
      return notWritable(code, message, file);
    default:
      return undefined;
  }
}

function cannotOpen(message: string, file: string): Sentence {
  if (!mayRead(file)) {
    return [
      'E_NO_CONNECTION',
      `The database file ${file} cannot be read by this user: ${message}.`,
      'Give this user the right to read the file.',
    ];
  }
  if (!mayWriteFolder(file)) {
    return [
      'E_NO_CONNECTION',
      `SQLite cannot make the files that it needs beside ${file}: ${message}.`,
      'Give this user the right to write to that folder, or work on a copy of the database.',
    ];
  }
  return [
    'E_NO_CONNECTION',
    `SQLite cannot open ${file}: ${message}.`,
    'Check that the file is a database and that its folder can be written to.',
  ];
}

function notWritable(code: string, message: string, file: string): Sentence {
  if (code === 'SQLITE_READONLY_ROLLBACK' || code === 'SQLITE_READONLY_RECOVERY') {
    return [
      'E_NO_CONNECTION',
      `A program was stopped while it wrote to ${file}, and this user lacks the permission to repair the file.`,
      'Open the database once with a program that may write to the file and its folder.',
    ];
  }
  if (code !== 'SQLITE_READONLY' || (mayWrite(file) && !mayWriteFolder(file))) {
    return [
      'E_NO_CONNECTION',
      `SQLite must make files beside ${file} (a journal, or -wal and -shm in WAL mode) and may not: ${message}.`,
      'Give this user the right to write to that folder, or work on a copy of the database.',
    ];
  }
  return [
    'E_SQL',
    `The database file ${file} cannot be written by this user: ${message}.`,
    'Give this user the right to write to the file and its folder.',
  ];
}

/** Similar names help; when they cannot be looked up, SQLite's message stands alone. */
function withNearNames(failure: SqliteFailure, situation: Situation): AppError | undefined {
  try {
    return explainName(failure, situation);
  } catch (error) {
    if (sqliteFailure(error) === undefined) throw error;
    return undefined;
  }
}

function explainName({ code, message }: SqliteFailure, { sql, lookUp }: Situation): AppError | undefined {
  const table = /^no such table: (.+)$/s.exec(message)?.[1];
  if (table !== undefined) {
    const error = lookUp((db) => noSuchTable(db, table));
    return new AppError('E_UNKNOWN_TABLE', error.message, {
      hint: error.hint,
      details: { ...error.details, ...engineCode({ name: code }), engineMessage: message },
    });
  }
  const column = unknownColumnIn(message);
  if (column === undefined || sql === undefined) return undefined;
  const { near, hint } = columnsInstead(
    column,
    lookUp((db) => columnsOfNamed(db, sql)),
    readableName,
  );
  return new AppError('E_SQL', message, {
    hint: isInQuotes(sql, column) ? `${hint} ${USE_SINGLE_QUOTES}` : hint,
    details: { ...engineCode({ name: code }), near },
  });
}

/** Of a name in double quotes SQLite also asks whether a text was meant. */
function unknownColumnIn(message: string): string | undefined {
  const quoted = /^no such column: "(.+)" - should this be a string literal/s.exec(message)?.[1];
  return quoted ?? /^(?:no such column: |table .+ has no column named )(.+)$/s.exec(message)?.[1];
}

const USE_SINGLE_QUOTES = 'Use single quotes for text; double quotes are for names.';

/** Whether a text may have been meant. */
function isInQuotes(sql: string, column: string): boolean {
  return sql.includes(`"${column}"`);
}

/** The columns of the tables that the statement names. */
function columnsOfNamed(db: Db, sql: string): string[] {
  const read = tokenize(sql);
  if (!read.ok) return [];
  const named = new Set(read.tokens.filter(isName).map(({ value }) => value.toLowerCase()));
  const names = new Set<string>();
  for (const { name } of allTables(db)) {
    if (!named.has(name.toLowerCase())) continue;
    for (const column of columnRows(db, name)) names.add(column.name);
  }
  return [...names];
}

function plain({ code, message }: SqliteFailure, { sql }: Situation): AppError {
  const position = sql === undefined ? undefined : positionOf(message, sql);
  return new AppError('E_SQL', message, {
    hint: sql === undefined ? undefined : HINTS[code.split('_', 2).join('_')],
    details: { ...engineCode({ name: code }), ...(position === undefined ? {} : { position }) },
  });
}

/** Hints for messages in which SQLite only says what is wrong. */
const HINTS: Readonly<Record<string, string | undefined>> = {
  SQLITE_ERROR: "Correct the statement: it must be valid SQLite SQL; get-schema shows a table's columns.",
  SQLITE_CONSTRAINT: 'get-schema shows the keys and checks of the table, and which columns need a value.',
  SQLITE_MISMATCH: 'get-schema shows the types of the columns.',
};

/**
 * The one-based position of a syntax error. The driver reports only the word, so it is known only if the word is
 * unique.
 */
function positionOf(message: string, sql: string): number | undefined {
  if (message === 'incomplete input') return sql.length + 1;
  const word = /^near "(.*)": syntax error$/s.exec(message)?.[1];
  if (word === undefined || word === '') return undefined;
  const first = sql.indexOf(word);
  return first >= 0 && sql.indexOf(word, first + 1) < 0 ? first + 1 : undefined;
}
