import { AppError } from '@devdb/shared/errors';

/** How a child ended. */
export interface Ending {
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  /**
   * Its last output on stderr, or why it could not be started. For the log, since it has not been checked for secrets.
   */
  readonly lastWords: string;
}

/** The error when no process can be started. */
export function couldNotStart(): AppError {
  return new AppError('E_NO_CONNECTION', 'The process that runs SQLite could not be started.', {
    hint: 'The reason is in the DevDB log of that window; the same call may work again.',
    details: { crashed: true },
  });
}

/** The error of a statement whose process ended by itself. Only that call fails. */
export function endedError({ exitCode, signal }: Ending, isWrite: boolean): AppError {
  const details = { crashed: true, exitCode, signal };
  if (exitCode === null && signal === null) return couldNotStart();
  const why = signal === null ? `exit code ${exitCode}` : `signal ${signal}`;
  const message = `The process that ran the statement ended unexpectedly (${why}).`;
  if (isWrite) {
    return new AppError('E_SQL', `${message} Whether its change was committed is not known.`, {
      hint: 'Check whether the change was made before you run it again.',
      details,
    });
  }
  return new AppError('E_SQL', message, {
    hint: 'It may have needed too much memory: read fewer or smaller values at once. The next statement runs in a new process.',
    details,
  });
}

/** Why a signal ended the call; a reason that is not an AppError means a plain cancellation. */
export function reasonOf(signal: AbortSignal): AppError {
  const { reason } = signal;
  if (reason instanceof AppError) return reason;
  return new AppError('E_CANCELLED', 'The statement was cancelled.', { cause: reason });
}

/** The same error for a change, which may have been committed just before its process was ended. */
export function withUnknownOutcome({ code, message, hint, details }: AppError): AppError {
  return new AppError(code, `${message} Whether its change was committed is not known.`, {
    hint: `Check whether the change was made. ${hint ?? ''}`.trimEnd(),
    details,
  });
}
