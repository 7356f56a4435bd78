import { AppError, type ErrorDetails } from '@devdb/shared/errors';
import { APPROVE_CLEAR_TEXT } from '../clear-text.ts';
import { connectReason, type Explained } from '../connect-reasons.ts';
import { type Called, engineCode } from '../engine-code.ts';
import { lostConnection, type Reached } from '../lost-connection.ts';

/** The fields of an error from the server or the driver. */
export interface ServerFailure {
  readonly message: string;
  /** The server's own number, such as 208; undefined when the error is not the server's. */
  readonly number: number | undefined;
  /** Its severity: from 20 on the server ends the connection. */
  readonly severity: number | undefined;
  readonly line: number | undefined;
  readonly procedure: string | undefined;
  /** A code of the driver or the system, such as ELOGIN or ECONNREFUSED. */
  readonly code: string | undefined;
}

/** Reads the fields of any error. Of several the first counts: the others follow from it. */
export function failureOf(error: unknown): ServerFailure {
  const first: unknown = error instanceof AggregateError ? (error.errors[0] ?? error) : error;
  const field = (name: string): unknown =>
    typeof first === 'object' && first !== null ? Reflect.get(first, name) : undefined;
  const text = (name: string): string | undefined => {
    const value = field(name);
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  const number = (name: string): number | undefined => {
    const value = field(name);
    return typeof value === 'number' ? value : undefined;
  };
  return {
    message: text('message') ?? String(first),
    number: number('number'),
    severity: number('class'),
    line: number('lineNumber'),
    procedure: text('procName'),
    code: text('code') ?? codeOfCause(first),
  };
}

function codeOfCause(error: unknown): string | undefined {
  if (!(error instanceof Error) || error.cause === undefined) return undefined;
  return failureOf(error.cause).code;
}

const ENDING_SEVERITY = 20;

/** Whether the server judged the statement, and the connection remains usable. */
export function isAboutStatement(error: unknown): boolean {
  if (error instanceof AppError) return false;
  const { number, severity = 16 } = failureOf(error);
  return number !== undefined && severity < ENDING_SEVERITY;
}

/** The connection was lost, was stopped, or delivered nonsense; the cause says which. */
export class ConnectionLost extends Error {
  constructor(cause: unknown) {
    super('The connection to SQL Server is gone.', { cause });
    this.name = 'ConnectionLost';
  }
}

const CHECK_ADDRESS = 'Check host and port of the connection, and whether the server is running with TCP enabled.';

/** Why a connection was refused, by the server's number. */
const REFUSALS: Readonly<Record<number, Explained>> = {
  18456: {
    says: 'The server does not accept the user and password of the connection.',
    todo: 'Correct the password where the connection is configured.',
  },
  18470: { says: 'The login of the connection is disabled.', todo: 'Enable it, or use another login.' },
  18486: { says: 'The login of the connection is locked.', todo: 'Unlock it, or use another login.' },
  18487: { says: 'The password of the login has expired.', todo: 'Change it, then correct the connection.' },
  18488: { says: 'The password of the login must be changed first.', todo: 'Change it, then correct the connection.' },
  18452: {
    says: 'The server rejects this login: its Windows domain is not trusted.',
    todo: 'Use a login of SQL Server, or name the domain in the connection.',
  },
  4060: {
    says: 'The server has no database of that name, or the login may not use it.',
    todo: "Correct the database's name, create it, or give the login a user in it.",
  },
  40613: { says: 'The database is not available just now.', todo: 'Call again in a moment.' },
  40615: {
    says: 'The firewall of the server does not let this address in.',
    todo: "Add a rule to the server's firewall.",
  },
  18401: { says: 'The server is starting up.', todo: 'Call again in a moment.' },
  17142: { says: 'The server has been paused and takes no new connections.', todo: 'Resume it, then call again.' },
  17809: { says: 'The server has no free connection.', todo: 'Close other clients, then call again.' },
  233: { says: 'The server closed the connection during login.', todo: CHECK_ADDRESS },
};

const UNKNOWN_INSTANCE: Explained = {
  says: 'The port of the named instance could not be determined.',
  todo: "Start the SQL Server Browser service, or write the instance's port into the connection.",
};

const TRUST_WORDS = {
  nameCa: 'Name its CA file in the option ca',
  skipCheck: 'say trustServerCertificate=true',
  otherName: 'say it in the option hostNameInCertificate',
};

/** The explained error of a failed connection. Contains nothing of the address or the password. */
export function connectionError(error: unknown, loginNumber: number | undefined): AppError {
  if (error instanceof AppError) return error;
  const failure = failureOf(error);
  const causes = codesOf(error);
  const number = loginNumber ?? failure.number;
  const { says, todo } = explain(failure.message, number, causes);
  return new AppError('E_NO_CONNECTION', says, {
    hint: todo,
    details: engineCode(number === undefined ? { name: causes[0] } : { number }),
    cause: error,
  });
}

/** The codes of an error and its causes; the innermost says most. */
function codesOf(error: unknown): string[] {
  const codes: string[] = [];
  const open: unknown[] = [error];
  while (open.length > 0 && codes.length < 8) {
    const next = open.shift();
    const code: unknown = typeof next === 'object' && next !== null ? Reflect.get(next, 'code') : undefined;
    if (typeof code === 'string') codes.unshift(code);
    if (next instanceof AggregateError) open.push(...next.errors);
    if (next instanceof Error && next.cause !== undefined) open.push(next.cause);
  }
  return codes;
}

function explain(message: string, number: number | undefined, codes: readonly string[]): Explained {
  const refusal = number === undefined ? undefined : REFUSALS[number];
  if (refusal !== undefined) return refusal;
  if (number !== undefined) return { says: `The server refused the connection: ${message}`, todo: CHECK_ADDRESS };
  for (const code of codes) {
    const known = code === 'EINSTLOOKUP' ? UNKNOWN_INSTANCE : connectReason(code, TRUST_WORDS);
    if (known !== undefined) return known;
  }
  if (/did not negotiate encryption/.test(message)) {
    return {
      says: 'The server does not support TLS: logging in would send the password in clear text, so nothing was sent.',
      todo: `Switch TLS on at the server, or set encrypt=false and have a person approve it: ${APPROVE_CLEAR_TEXT}.`,
    };
  }
  if (/requires encryption/.test(message)) {
    return { says: 'The server accepts encrypted connections only.', todo: 'Set encrypt=true in the connection.' };
  }
  return {
    says: 'The connection to the database could not be made: the other side closed it, or is not a SQL Server.',
    todo: CHECK_ADDRESS,
  };
}

/** The server's number says most; the driver's name, EREQUEST for all of them, is for what has none. */
export function calledBy({ number, code }: Pick<ServerFailure, 'number' | 'code'>): Called {
  return number === undefined ? { name: code } : { number };
}

/** The error of a connection lost during a statement, with the server's message when the server ended it. */
export function lost(error: unknown, reached: Reached): AppError {
  const cause = error instanceof ConnectionLost ? error.cause : error;
  if (cause instanceof AppError) return cause;
  const { message, number, code } = failureOf(cause);
  const said = number === undefined ? undefined : message;
  return lostConnection(reached, { said, called: calledBy({ number, code }), cause });
}

/** The server's own message about a statement, with its number and line. */
export function statementError(error: unknown, hint?: string, more: ErrorDetails = {}): AppError {
  if (error instanceof AppError) return error;
  const { message, number, line, procedure, code } = failureOf(error);
  return new AppError('E_SQL', message, {
    hint: hint ?? (number === undefined ? undefined : hintFor(number)),
    details: {
      ...engineCode(calledBy({ number, code })),
      ...(line === undefined || line === 0 ? {} : { line }),
      ...(procedure === undefined ? {} : { procedure }),
      ...more,
    },
    cause: error,
  });
}

/** Runs a catalogue query of ours; the server's objection becomes an error with its own message. */
export async function askedAboutCatalog<T>(question: () => Promise<T>): Promise<T> {
  try {
    return await question();
  } catch (error) {
    if (!isAboutStatement(error)) throw error;
    throw statementError(error);
  }
}

const NO_RIGHT = 'The login of this connection lacks the right. GRANT it, or use another connection.';

function hintFor(number: number): string | undefined {
  return HINTS[number];
}

const HINTS: Readonly<Record<number, string>> = {
  229: NO_RIGHT,
  230: NO_RIGHT,
  262: NO_RIGHT,
  297: NO_RIGHT,
  300: NO_RIGHT,
  916: 'The login has no user in that database. Create one, or use another connection.',
  1205: 'Deadlock: two sessions waited for each other, and this one was rolled back. Call again.',
  1222: 'Another session holds the lock. Call again when it is released; sys.dm_tran_locks names it.',
  2812: 'search-schema with kind routine lists the procedures.',
  3906: 'The database accepts reads only.',
  15517:
    'The option executeAsUser names a user that is not there, or that the login may not act as (GRANT IMPERSONATE).',
  8152: 'A text is longer than its column. get-schema shows the lengths.',
  2628: 'A text is longer than its column. get-schema shows the lengths.',
  9002: "The database's log is full.",
  1105: 'The disk of the server is full.',
  701: 'The server is out of memory. Narrow the statement.',
};
