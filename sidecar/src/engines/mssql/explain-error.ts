import { AppError, type ErrorDetails } from '@devdb/shared/errors';
import { type BoundStatement, writtenIndex } from '../bound-statement.ts';
import { engineCode } from '../engine-code.ts';
import { columnsInstead } from '../unknown-names.ts';
import { allTables, noSuchTable, rows, text } from './catalog.ts';
import type { Database } from './database.ts';
import { calledBy, failureOf, isAboutStatement, type ServerFailure, statementError } from './errors.ts';
import { readableName } from './quote.ts';
import { tokenize } from './tokenize.ts';

const INVALID_OBJECT = 208;
const INVALID_COLUMN = 207;

/** Runs a call about a statement; the server's objection becomes an error with its message and a hint. */
export async function explainFailure<T>(
  database: Database,
  statement: BoundStatement,
  signal: AbortSignal,
  call: () => Promise<T>,
): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (error instanceof AppError || signal.aborted || !isAboutStatement(error)) throw error;
    throw (
      (await withNearNames(database, statement.text, error, signal)) ??
      statementError(error, undefined, positionIn(statement, error))
    );
  }
}

/** Similar names help; when they cannot be looked up, the server's message stands alone. */
async function withNearNames(
  database: Database,
  sql: string,
  error: unknown,
  signal: AbortSignal,
): Promise<AppError | undefined> {
  const failure = failureOf(error);
  try {
    if (failure.number === INVALID_OBJECT) return await aboutTable(database, failure, signal);
    if (failure.number === INVALID_COLUMN) return await aboutColumn(database, sql, error, failure, signal);
  } catch (second) {
    signal.throwIfAborted();
    database.log('mssql-near-names-failed', { code: failureOf(second).code });
  }
  return undefined;
}

async function aboutTable(database: Database, failure: ServerFailure, signal: AbortSignal): Promise<AppError> {
  const wanted = quotedIn(failure.message) ?? '';
  const { line, message } = failure;
  return noSuchTable(await allTables(database, signal), wanted, {
    ...engineCode(calledBy(failure)),
    engineMessage: message,
    line,
  });
}

async function aboutColumn(
  database: Database,
  sql: string,
  error: unknown,
  failure: ServerFailure,
  signal: AbortSignal,
): Promise<AppError> {
  const wanted = quotedIn(failure.message) ?? '';
  const columns = rows(await database.ask(COLUMNS, { words: JSON.stringify(wordsOf(sql)) }, signal), 0);
  const { near, hint } = columnsInstead(
    wanted,
    columns.map(([name]) => text(name)),
    readableName,
  );
  const quotes = sql.includes(`"${wanted}"`) ? ' Use single quotes for text; double quotes are for names.' : '';
  return statementError(error, `${hint}${quotes}`, { near });
}

/** Columns of the tables that the statement names. Names are compared as the database compares them. */
const COLUMNS = `
SELECT DISTINCT c.name FROM sys.columns c JOIN sys.objects o ON o.object_id = c.object_id
 WHERE o.type IN ('U', 'V') AND o.is_ms_shipped = 0
   AND CHARINDEX(N'"' + LOWER(o.name) + N'"', LOWER(@words)) > 0`;

function wordsOf(sql: string): string[] {
  const read = tokenize(sql);
  if (!read.ok) return [];
  return [...new Set(read.tokens.flatMap(({ kind, value }) => (kind === 'word' || kind === 'quoted' ? value : [])))];
}

/**
 * The position of an error, one-based. The server reports only the word or the line, so the position is known only if
 * it is unique.
 */
function positionIn(statement: BoundStatement, error: unknown): Pick<ErrorDetails, 'position'> {
  const sql = statement.text;
  const word = /^Incorrect syntax near '(.+)'\.$/s.exec(failureOf(error).message)?.[1];
  if (word === undefined) return {};
  const at = sql.indexOf(word);
  return at >= 0 && sql.indexOf(word, at + 1) < 0 ? { position: writtenIndex(statement, at) + 1 } : {};
}

function quotedIn(message: string): string | undefined {
  return /'([^']*)'/.exec(message)?.[1];
}
