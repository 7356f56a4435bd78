import { AppError } from '@devdb/shared/errors';
import type { BoundStatement } from '../bound-statement.ts';
import { engineCode } from '../engine-code.ts';
import { columnsInstead, unknownTable } from '../unknown-names.ts';
import { writtenPosition } from './bind.ts';
import type { Catalog } from './catalog.ts';
import { calledBy, type Failure, failureOf, isLost, sqlError } from './errors.ts';
import { modesFor } from './judge.ts';
import { readableName } from './quote.ts';
import { isName, tokenize } from './tokenize.ts';

/** Looks something up on another connection; undefined when that fails. */
export type LookUp = <T>(use: (catalog: Catalog) => Promise<T>) => Promise<T | undefined>;

const UNKNOWN_TABLES = new Set([1146, 1051]);
const UNKNOWN_COLUMN = 1054;
const SYNTAX = 1064;

const HINTS: Readonly<Record<number, string | undefined>> = {
  1044: 'The user of the connection may not do this; grant it, or use another user.',
  1045: 'The user of the connection may not do this; grant it, or use another user.',
  1046: 'The connection names no database: write database.table.',
  1049: 'get-tables lists the tables of every database that this user sees.',
  1142: 'The user of the connection may not do this; grant it, or use another user.',
  1143: 'The user of the connection may not do this; grant it, or use another user.',
  1205: 'Another session holds the rows. Finish its transaction, then run it again.',
  1213: 'The server ended this statement to let another continue. Nothing was changed; run it again.',
  1227: 'The user of the connection may not do this; use the server’s administrator.',
  1290: 'The server itself is set to refuse this.',
  1305: 'search-schema finds routines by name.',
  1370: 'The user of the connection may not do this; grant it, or use another user.',
  1792: 'The server is set to read-only transactions.',
  1836: 'The server is set to read-only.',
};

/** Turns a statement's failure into the error for the caller. Unexpected errors are returned unchanged. */
export async function explainError(error: unknown, statement: BoundStatement, lookUp: LookUp): Promise<unknown> {
  if (error instanceof AppError || isLost(error)) return error;
  const failure = failureOf(error);
  const { errno } = failure;
  if (errno === undefined) return error;
  if (UNKNOWN_TABLES.has(errno)) return explainTable(failure, lookUp);
  if (errno === UNKNOWN_COLUMN) return explainColumn(failure, statement.text, lookUp);
  if (errno === SYNTAX) return explainSyntax(failure, statement);
  if (TIME_LIMITS.has(errno)) return timeLimit(failure);
  return sqlError(failure, { hint: HINTS[errno] });
}

const TIME_LIMITS = new Set([3024, 1969]);

function timeLimit(failure: Failure): AppError {
  return new AppError('E_TIMEOUT', "The statement exceeded the server's time limit and was stopped.", {
    hint: 'Narrow it, or look at its plan with explain-query.',
    details: { ...engineCode(calledBy(failure)), engineMessage: failure.message },
  });
}

async function explainTable(failure: Failure, lookUp: LookUp): Promise<AppError> {
  const named = /'([^']*)'/.exec(failure.message)?.[1] ?? '';
  const told = await lookUp(async (catalog) => {
    const own = `${catalog.ownSchema}.`;
    const wanted = catalog.ownSchema !== '' && named.startsWith(own) ? named.slice(own.length) : named;
    return unknownTable(
      wanted,
      (await catalog.tables()).map(({ shown }) => shown),
    );
  });
  const { message, hint, details } = told ?? unknownTable(named, []);
  return new AppError('E_UNKNOWN_TABLE', message, {
    hint,
    details: { ...details, ...engineCode(calledBy(failure)), engineMessage: failure.message },
  });
}

/** With the columns of the tables that the statement names. */
async function explainColumn(failure: Failure, sql: string, lookUp: LookUp): Promise<AppError> {
  const named = /'([^']*)'/.exec(failure.message)?.[1] ?? '';
  const columns =
    (await lookUp(async (catalog) => {
      const words = namesIn(sql);
      const tables = (await catalog.tables()).filter(
        ({ schema, name }) =>
          words.has(name.toLowerCase()) &&
          (schema.toLowerCase() === catalog.ownSchema.toLowerCase() || words.has(schema.toLowerCase())),
      );
      const keys = tables.slice(0, MOST_TABLES).map(({ schema, name }) => [schema, name]);
      if (keys.length === 0) return [];
      const rows = await catalog.askWithoutClosed('COLUMNS', (query) =>
        query
          .select({ name: 'COLUMN_NAME' })
          .whereIn(['TABLE_SCHEMA', 'TABLE_NAME'], keys)
          .orderBy(['TABLE_NAME', 'ORDINAL_POSITION']),
      );
      return [...new Set(rows.map(({ name }) => name ?? ''))];
    })) ?? [];
  const { near, hint } = columnsInstead(named, columns, readableName);
  // With ANSI_QUOTES a text in double quotes is a name.
  const isQuoted = sql.includes(`"${named}"`);
  return sqlError(failure, { hint: isQuoted ? `${hint} Use single quotes for text.` : hint, details: { near } });
}

/** Every name in a statement, in small letters, however a server reads its quotes. */
function namesIn(sql: string): ReadonlySet<string> {
  const readings = modesFor(sql).map((mode) => tokenize(sql, mode));
  const tokens = readings.flatMap((read) => (read.ok ? read.tokens : []));
  return new Set(tokens.filter(isName).map(({ value }) => value.toLowerCase()));
}

const MOST_TABLES = 20;

function explainSyntax(failure: Failure, statement: BoundStatement): AppError {
  const position = positionOf(failure.message, statement.text);
  return sqlError(
    failure,
    position === undefined ? {} : { details: { position: writtenPosition(statement, position) } },
  );
}

const NEAR = "near '";

/** The one-based position of a syntax error: the server quotes the text from there on. */
function positionOf(message: string, sql: string): number | undefined {
  const begin = message.indexOf(NEAR);
  const end = / at line \d{1,9}$/.exec(message)?.index ?? -1;
  if (begin === -1 || end <= begin + NEAR.length) return undefined;
  const near = message.slice(begin + NEAR.length, end - 1);
  const text = sql.trimEnd().replace(/;$/, '');
  if (near === '') return text.length + 1;
  // It is cut after 80 characters, so it must end the statement or be unique.
  const first = sql.indexOf(near);
  if (first < 0) return undefined;
  return sql.indexOf(near, first + 1) < 0 ? first + 1 : sql.lastIndexOf(near) + 1;
}
