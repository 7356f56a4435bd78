import { AppError } from '@devdb/shared/errors';
import { clearTextError, isClearTextRefusal } from '../clear-text.ts';
import { connectReason, type Explained } from '../connect-reasons.ts';
import { type Called, engineCode } from '../engine-code.ts';
import { lostConnection, type Reached } from '../lost-connection.ts';

/** The fields of an error from the server or the driver. */
export interface ServerFailure {
  readonly message: string;
  /** A SQLSTATE such as 42P01, or a system code such as ECONNREFUSED. */
  readonly code: string | undefined;
  readonly severity: string | undefined;
  readonly detail: string | undefined;
  readonly hint: string | undefined;
  readonly position: string | undefined;
  readonly where: string | undefined;
  readonly constraint: string | undefined;
}

/** Reads the fields of any error. */
export function failureOf(error: unknown): ServerFailure {
  const text = (name: string): string | undefined => {
    const value: unknown = typeof error === 'object' && error !== null ? Reflect.get(error, name) : undefined;
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  return {
    message: text('message') ?? String(error),
    code: text('code'),
    severity: text('severity'),
    detail: text('detail'),
    hint: text('hint'),
    position: text('position'),
    where: text('where'),
    constraint: text('constraint'),
  };
}

/** Whether the server refused; anything else means that the connection is lost. */
function isFromServer({ code }: ServerFailure): boolean {
  return code !== undefined && /^[0-9A-Z]{5}$/.test(code);
}

/** A SQLSTATE is all that the server calls an error by. */
function calledBy(failure: ServerFailure): Called {
  return { name: failure.code, sqlState: isFromServer(failure) ? failure.code : undefined };
}

/** The server ends the session: it shuts down, has crashed, or somebody ended this session. */
const ENDING = new Set(['57P01', '57P02', '57P03', '57P05', '25P03', '25P04']);

/** Whether the server judged the statement, and the connection remains usable. */
export function isAboutStatement(error: unknown): boolean {
  if (error instanceof AppError) return false;
  const failure = failureOf(error);
  return isFromServer(failure) && !isEnding(failure);
}

/** Whether the server's last message was that it ends the session. */
export function isEnding({ code = '' }: ServerFailure): boolean {
  return ENDING.has(code) || code.startsWith('08');
}

const CHECK_ADDRESS = 'Check host and port of the connection, and whether the server is running.';

/** Why a connection was refused, by the server's code. */
const REFUSALS: Readonly<Record<string, Explained | undefined>> = {
  '28P01': {
    says: 'The server does not accept the user and password of the connection.',
    todo: 'Correct the password where the connection is configured.',
  },
  '28000': {
    says: 'The server does not let this user connect to this database from here.',
    todo: 'Check the user, whether the server requires TLS (sslmode=require), and its pg_hba.conf.',
  },
  '3D000': {
    says: 'The server has no database of that name.',
    todo: "Correct the database's name, or create it.",
  },
  '42501': {
    says: 'The user may not connect to this database.',
    todo: 'Grant CONNECT on it, or use another user.',
  },
  '53300': {
    says: 'The server has no free connection: its limit is reached.',
    todo: 'Close other clients, or raise max_connections, then call again.',
  },
  '57P03': { says: 'The server is starting up or shutting down.', todo: 'Call again in a moment.' },
};

const TRUST_WORDS = {
  nameCa: 'Name its CA file in sslrootcert',
  skipCheck: 'say sslmode=no-verify',
  otherName: 'say sslmode=verify-ca to leave the name out',
};

/** The explained error of a failed connection. Contains nothing of the address or the password. */
export function connectionError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (isClearTextRefusal(error)) return clearTextError(error);
  const failure = failureOf(error);
  const { says, todo } = explain(failure);
  return new AppError('E_NO_CONNECTION', says, {
    hint: todo,
    details: engineCode(calledBy(failure)),
    cause: error,
  });
}

function explain({ code = '', message }: ServerFailure): Explained {
  const isLate = /timeout expired/.test(message);
  const known = REFUSALS[code] ?? connectReason(isLate ? 'ETIMEDOUT' : code, TRUST_WORDS);
  if (known !== undefined) return known;
  if (/does not support SSL/.test(message)) {
    return {
      says: 'The server does not support TLS, which the connection requires.',
      todo: 'Enable TLS on the server, or set sslmode=disable.',
    };
  }
  if (/password must be a/.test(message)) {
    return { says: 'The server requires a password, and the connection has none.', todo: 'Add it to the connection.' };
  }
  if (/^[0-9A-Z]{5}$/.test(code))
    return { says: `The server refused the connection: ${message}.`, todo: CHECK_ADDRESS };
  return {
    says: 'The connection to the database could not be made: the other side closed it, or is not a Postgres server.',
    todo: CHECK_ADDRESS,
  };
}

/** The error of a connection lost during a statement, with the server's message when the server ended it. */
export function lost(error: unknown, reached: Reached): AppError {
  const failure = failureOf(error);
  const said = isFromServer(failure) ? failure.message : undefined;
  return lostConnection(reached, { said, called: calledBy(failure), cause: error });
}

/** The server's own message about a statement, with its code and position. */
export function statementError(error: unknown, sql: string, sent: string = sql): AppError {
  if (error instanceof AppError) return error;
  const failure = failureOf(error);
  const position = positionIn(failure.position, sql, sent);
  const details = {
    ...engineCode(calledBy(failure)),
    ...(position === undefined ? {} : { position }),
    ...(failure.detail === undefined ? {} : { detail: failure.detail }),
    ...(failure.where === undefined ? {} : { where: failure.where }),
    ...(failure.constraint === undefined ? {} : { constraint: failure.constraint }),
  };
  return new AppError('E_SQL', failure.message, {
    hint: failure.hint ?? HINTS[failure.code ?? ''],
    details,
    cause: error,
  });
}

/** Positions count characters of the text that was sent, which may have a prefix of ours. */
function positionIn(position: string | undefined, sql: string, sent: string): number | undefined {
  if (position === undefined) return undefined;
  const at = Number(position) - ([...sent].length - [...sql].length);
  return at > 0 ? at : undefined;
}

const HINTS: Readonly<Record<string, string>> = {
  '55P03': 'Another session holds the lock. Call again when it is released; pg_locks and pg_stat_activity name it.',
  '40P01': 'Deadlock: two sessions waited for each other. Call again.',
  '40001': 'Another session changed the same rows. Call again.',
  '42501': 'The role of this connection lacks the right. GRANT it, or use another connection.',
  '25006': 'The server, or the database, accepts reads only.',
  '57014': 'The server stopped the statement. Narrow it, or raise timeoutMs.',
  '53100': 'The disk of the server is full.',
  '53200': 'The server is out of memory. Narrow the statement.',
  '26000': 'Send the statement itself, not EXECUTE.',
};
