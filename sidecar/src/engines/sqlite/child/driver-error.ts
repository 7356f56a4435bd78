/** An error of SQLite itself, with its code's name, e.g. SQLITE_BUSY. */
export interface SqliteFailure {
  readonly code: string;
  readonly message: string;
}

/** Reads the driver's error; undefined when it is not SQLite's. */
export function sqliteFailure(error: unknown): SqliteFailure | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  const { code } = error;
  return typeof code === 'string' && code.startsWith('SQLITE_') ? { code, message: error.message } : undefined;
}

/** Whether SQLite refused because the statement would write. The extended codes mean other things. */
export function isWriteRefusal(error: unknown): boolean {
  return sqliteFailure(error)?.code === 'SQLITE_READONLY';
}

const RECOVERABLE = new Set(['SQLITE_READONLY_ROLLBACK', 'SQLITE_READONLY_RECOVERY', 'SQLITE_READONLY_CANTINIT']);

/** Whether a dead writer left a journal that only a writing connection can roll back. */
export function needsRecovery(error: unknown): boolean {
  const failure = sqliteFailure(error);
  return failure !== undefined && RECOVERABLE.has(failure.code);
}
