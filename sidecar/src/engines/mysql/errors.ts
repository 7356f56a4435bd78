import { AppError, type ErrorExtras } from '@devdb/shared/errors';
import * as z from 'zod';
import { clearTextError, isClearTextRefusal } from '../clear-text.ts';
import { connectReason, isAboutTls } from '../connect-reasons.ts';
import { type Called, engineCode } from '../engine-code.ts';
import { lostConnection, type Reached } from '../lost-connection.ts';

/** The fields of a driver's error. Only the server's number means the same for all products. */
export interface Failure {
  readonly errno: number | undefined;
  readonly code: string | undefined;
  readonly sqlState: string | undefined;
  readonly message: string;
}

const text = z.string().optional().catch(undefined);
const driverError = z.object({
  message: z.string(),
  errno: z.number().optional().catch(undefined),
  code: text,
  sqlState: text,
});

/** Reads a driver's error; anything else has only its message. The system's own numbers are negative. */
export function failureOf(error: unknown): Failure {
  const parsed = driverError.safeParse(error);
  if (!parsed.success) return { errno: undefined, code: undefined, sqlState: undefined, message: String(error) };
  const { message, errno, code, sqlState } = parsed.data;
  return { message, errno: errno !== undefined && errno > 0 ? errno : undefined, code, sqlState };
}

/** The end of the server or of one session: shutdown, killed, idle for too long. */
const ENDED_BY_SERVER = new Set([1053, 1080, 1152, 1184, 1927, 3169, 4031]);
/** The driver's code for a connection closed by the other side. */
const CLOSED = 'PROTOCOL_CONNECTION_LOST';
const LOST_CODES = new Set([CLOSED, 'ECONNRESET', 'EPIPE', 'ECONNABORTED', 'ETIMEDOUT', 'ENOTCONN']);

/** Marks a connection that can no longer be used. */
export class ConnectionLost extends Error {
  constructor(cause: unknown) {
    super('The connection to the server is gone.', { cause });
    this.name = 'ConnectionLost';
  }
}

/** Whether the connection was lost, for whatever reason. */
export function isLost(error: unknown): boolean {
  if (error instanceof ConnectionLost) return true;
  if (error instanceof AppError) return false;
  const { errno, code } = failureOf(error);
  return errno === undefined ? code !== undefined && LOST_CODES.has(code) : ENDED_BY_SERVER.has(errno);
}

/** The error of a connection lost during a call. The driver's message adds nothing to the outcome. */
export function lost(error: unknown, reached: Reached): AppError {
  return lostConnection(reached, { called: calledBy(failureOf(causeOf(error))), cause: error });
}

function causeOf(error: unknown): unknown {
  return error instanceof ConnectionLost ? (error.cause ?? LOST) : error;
}

type Sentence = readonly [message: string, hint: string];

const LOGIN = 'Correct user and password of the connection.';
const TLS = 'Set the connection’s option ssl-mode, and ssl-ca to the file of the server’s CA.';

const BY_ERRNO: Readonly<Record<number, Sentence | undefined>> = {
  1040: ['The server has no free connection left.', 'Close connections of other programs, or raise max_connections.'],
  1044: ['The user may not use this database.', 'Correct the database’s name, or grant the user access to it.'],
  1045: ['The server refused the user or the password.', LOGIN],
  1049: ['The server has no database of this name.', 'Correct the database’s name, or create it.'],
  1129: [
    'The server blocks this machine after too many failed connections.',
    'FLUSH HOSTS on the server lets it in again.',
  ],
  1130: ['The server accepts no connections from this machine.', 'Allow the user’s host on the server.'],
  1203: ['The user has reached its connection limit.', 'Close connections of other programs of this user.'],
  1226: ['The user has used up a limit of the server.', 'Wait, or raise the user’s limits.'],
  1251: [
    'The server asks for an authentication method that DevDB does not support.',
    'Give the user caching_sha2_password.',
  ],
  1275: [
    'The server asks for an authentication method that DevDB does not support.',
    'Give the user caching_sha2_password.',
  ],
  1524: ['The server lacks the plugin that this user logs in with.', 'Give the user another authentication plugin.'],
  1698: [
    'The server refused the user or the password.',
    'This user may only log in through the socket; use another user.',
  ],
  1862: ['The password has expired.', 'Set a new one with the server’s own client.'],
  3118: ['The account is locked.', 'Unlock it on the server, or use another user.'],
  3159: ['The server accepts encrypted connections only.', TLS],
};

const BY_CODE: Readonly<Record<string, Sentence | undefined>> = {
  HANDSHAKE_NO_SSL_SUPPORT: [
    'The server does not encrypt connections.',
    'Set the connection’s option ssl-mode to disabled.',
  ],
  MYSQL_CLEAR_PASSWORD_NOT_ENABLED: [
    'The server asks for the password in clear text.',
    'Set the option enableCleartextPlugin to true, over TLS only, or give the user another plugin.',
  ],
};

const TRUST_WORDS = {
  nameCa: 'Name its CA file in ssl-ca',
  skipCheck: 'say ssl-mode=no-verify',
  otherName: 'say ssl-mode=verify-ca to leave the name out',
};

const LOST = { message: 'The connection was closed.', code: CLOSED } as const;

/** Why there is no connection; the driver's own message may contain hosts and users. */
export function connectionError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (isClearTextRefusal(error)) return clearTextError(error);
  const failure = failureOf(causeOf(error));
  const { errno } = failure;
  const [message, hint] = (errno === undefined ? byCode(failure) : BY_ERRNO[errno]) ?? [
    'The connection to the server failed.',
    'Check host, port, user and options of the connection.',
  ];
  return new AppError('E_NO_CONNECTION', message, { hint, details: engineCode(calledBy(failure)), cause: error });
}

function byCode({ code, message }: Failure): Sentence | undefined {
  if (/unknown plugin/.test(message)) {
    const plugin = /unknown plugin (\w+)/.exec(message)?.[1] ?? '';
    return [
      `The server asks for the authentication plugin ${plugin}, which DevDB does not support.`,
      'Give the user caching_sha2_password or mysql_native_password.',
    ];
  }
  if (code === undefined) return undefined;
  const reason = connectReason(code === CLOSED ? 'ECONNRESET' : code, TRUST_WORDS);
  return BY_CODE[code] ?? (reason && [reason.says, reason.todo]);
}

/** Whether another way to connect, with or without TLS, is worth trying. */
export function isAboutEncryption(error: unknown): boolean {
  if (isClearTextRefusal(error)) return true;
  const { errno, code } = failureOf(causeOf(error));
  if (errno !== undefined) return errno === 3159;
  return code !== undefined && isAboutTls(code);
}

/** The server's own message with its numbers. */
export function sqlError(failure: Failure, extras: ErrorExtras = {}): AppError {
  const details = { ...engineCode(calledBy(failure)), ...extras.details };
  return new AppError('E_SQL', failure.message, { ...extras, details });
}

const FIRST_MARIADB_ERROR = 1900;

/** The driver's names are MySQL's, and wrong for MariaDB's own errors: those are called by their number. */
export function calledBy({ errno, code, sqlState }: Failure): Called {
  const isNamed = (errno ?? 0) < FIRST_MARIADB_ERROR;
  return { name: isNamed ? code : errno?.toString(), number: errno, sqlState };
}
