import { AppError } from '@devdb/shared/errors';

/** The error of a request without the token, or with a wrong one. */
export function unauthorized(): AppError {
  return new AppError('E_UNAUTHORIZED', 'The token is missing or wrong.', {
    hint: "Send Authorization: Bearer with the contents of the file token in DevDB's home folder (~/.devdb).",
  });
}

/** The error of a body over the limit. */
export function tooLarge(maxBytes: number): AppError {
  return new AppError('E_BODY_TOO_LARGE', `The body is larger than ${maxBytes} bytes.`, {
    hint: 'Send less in one request.',
  });
}

/** The error of a call that arrives during shutdown. */
export function shuttingDown(): AppError {
  return new AppError('E_UNREACHABLE', 'DevDB is shutting down.', { hint: 'Call again when the project is open.' });
}

/** Why a running call was ended at shutdown. */
export function endedByShutdown(): AppError {
  return new AppError('E_CANCELLED', 'DevDB is shutting down.', { hint: 'Call again if you still need the answer.' });
}
