import { AppError } from '@devdb/shared/errors';
import { lostConnection, type Reached } from '../lost-connection.ts';

/** What the server, or the driver about it, said. */
export interface ServerFailure {
  readonly message: string;
  /** A SQLSTATE like 42P01, or a code of the system like ECONNREFUSED. */
  readonly code: string | undefined;
  readonly severity: string | undefined;
  readonly detail: string | undefined;
  readonly hint: string | undefined;
  readonly position: string | undefined;
  readonly where: string | undefined;
  readonly constraint: string | undefined;
}

/** Reads the fields of an error, whoever threw it. */
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

/** Whether it is the server that says no; all else means that the connection is gone. */
export function isFromServer({ code }: ServerFailure): boolean {
  return code !== undefined && /^[0-9A-Z]{5}$/.test(code);
}

/** The server ends the session: it shuts down, crashed, or somebody ended this session. */
const ENDING = new Set(['57P01', '57P02', '57P03', '57P05', '25P03', '25P04']);

/** Whether the server judged the statement, and goes on serving the connection. */
export function isAboutStatement(error: unknown): boolean {
  if (error instanceof AppError) return false;
  const failure = failureOf(error);
  return isFromServer(failure) && !isEnding(failure);
}

/** Whether the server's last word was that it ends the session. */
export function isEnding({ code = '' }: ServerFailure): boolean {
  return ENDING.has(code) || code.startsWith('08');
}

interface Explained {
  readonly says: string;
  readonly todo: string;
}

const CHECK_ADDRESS = 'Check host and port of the connection, and whether the server runs.';

/** Why a connection could not be made, by the system's code, TLS's or the server's. */
const REASONS: Readonly<Record<string, Explained>> = {
  ENOTFOUND: {
    says: 'The host name of the database is not known here.',
    todo: 'Check the host; a name that only exists among containers needs its published port instead.',
  },
  EAI_AGAIN: {
    says: 'The host name of the database could not be looked up just now.',
    todo: 'Check the network, then call again.',
  },
  ECONNREFUSED: { says: 'Nothing accepts connections at the address of the database.', todo: CHECK_ADDRESS },
  EHOSTUNREACH: { says: 'The host of the database cannot be reached.', todo: 'Check the network or a VPN.' },
  ENETUNREACH: { says: 'The network of the database cannot be reached.', todo: 'Check the network or a VPN.' },
  ETIMEDOUT: { says: 'The server did not answer in time.', todo: 'Check host, port and firewall of the connection.' },
  ENOENT: {
    says: "The server's socket does not exist.",
    todo: 'Check whether the server runs and where its sockets are (SHOW unix_socket_directories).',
  },
  EACCES: { says: "The server's socket may not be used by this user.", todo: 'Check the permissions of its folder.' },
  ECONNRESET: { says: 'The server closed the connection while it was being made.', todo: CHECK_ADDRESS },
  EPIPE: { says: 'The server closed the connection while it was being made.', todo: CHECK_ADDRESS },
  '28P01': {
    says: 'The server does not accept the user and password of the connection.',
    todo: 'Correct the password where the connection is configured.',
  },
  '28000': {
    says: 'The server does not let this user connect to this database from here.',
    todo: 'Check the user, whether the server wants TLS (sslmode=require), and its pg_hba.conf.',
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
    says: 'The server has no connection free: its limit is reached.',
    todo: 'Close other clients, or raise max_connections, then call again.',
  },
  '57P03': { says: 'The server is starting up or shutting down.', todo: 'Call again in a moment.' },
  DEPTH_ZERO_SELF_SIGNED_CERT: {
    says: "The server's certificate is self-signed, and nothing says that it is the right one.",
    todo: 'Name its CA file in sslrootcert, or say sslmode=no-verify to go without the check.',
  },
  CERT_HAS_EXPIRED: {
    says: "The server's certificate has expired.",
    todo: 'Renew it, or say sslmode=no-verify to go without the check.',
  },
  ERR_TLS_CERT_ALTNAME_INVALID: {
    says: "The server's certificate is for another host name.",
    todo: 'Connect by the name in the certificate, or say sslmode=verify-ca to leave the name out.',
  },
};

const UNKNOWN_CA: Explained = {
  says: "The server's certificate is signed by an authority that is not known here.",
  todo: 'Name its CA file in sslrootcert, or say sslmode=no-verify to go without the check.',
};

/** A connection that could not be made, as a sentence. Nothing of the address or the password is in it. */
export function connectionError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  const failure = failureOf(error);
  const { says, todo } = explain(failure);
  return new AppError('E_NO_CONNECTION', says, {
    hint: todo,
    details: failure.code === undefined ? undefined : { engineCode: failure.code },
    cause: error,
  });
}

function explain({ code = '', message }: ServerFailure): Explained {
  const known = Object.hasOwn(REASONS, code) ? REASONS[code] : undefined;
  if (known !== undefined) return known;
  if (/SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_(VERIFY|GET_ISSUER)/.test(code)) return UNKNOWN_CA;
  if (/timeout expired/.test(message)) return REASONS['ETIMEDOUT'] ?? UNKNOWN_CA;
  if (/does not support SSL/.test(message)) {
    return {
      says: 'The server does not speak TLS, and the connection demands it.',
      todo: 'Switch TLS on at the server, or say sslmode=disable.',
    };
  }
  if (/password must be a/.test(message)) {
    return { says: 'The server wants a password, and the connection has none.', todo: 'Add it to the connection.' };
  }
  if (/^[0-9A-Z]{5}$/.test(code))
    return { says: `The server refused the connection: ${message}.`, todo: CHECK_ADDRESS };
  return {
    says: 'The connection to the database could not be made: the other side closed it, or does not speak Postgres.',
    todo: CHECK_ADDRESS,
  };
}

/** The connection went away under a statement, with the server's words when it was the server that ended it. */
export function lost(error: unknown, reached: Reached): AppError {
  const failure = failureOf(error);
  const said = isFromServer(failure) ? failure.message : undefined;
  return lostConnection(reached, { said, engineCode: failure.code, cause: error });
}

/** The server's own sentence about a statement, with its code and the position that it names. */
export function statementError(error: unknown, sql: string, sent: string = sql): AppError {
  if (error instanceof AppError) return error;
  const failure = failureOf(error);
  const position = positionIn(failure.position, sql, sent);
  const details = {
    engineCode: failure.code,
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

/** Positions count characters of what was sent, which may have words of ours in front. */
function positionIn(position: string | undefined, sql: string, sent: string): number | undefined {
  if (position === undefined) return undefined;
  const at = Number(position) - ([...sent].length - [...sql].length);
  return at > 0 ? at : undefined;
}

const HINTS: Readonly<Record<string, string>> = {
  '55P03': 'Another session holds the lock. Call again when it has let go; pg_locks and pg_stat_activity name it.',
  '40P01': 'Two sessions waited for each other. Call again.',
  '40001': 'Another session changed the same rows. Call again.',
  '42501': 'The role of this connection lacks the right. GRANT it, or use another connection.',
  '25006': 'The server, or the database, accepts reads only.',
  '57014': 'The server stopped the statement. Narrow it, or raise timeoutMs.',
  '53100': 'The disk of the server is full.',
  '53200': 'The server is out of memory. Narrow the statement.',
  '26000': 'Send the statement itself, not EXECUTE.',
};
