import { AppError } from '@devdb/shared/errors';

/** The reason of an abort; a bare deadline gets a message. */
export function reasonOf(signal: AbortSignal): unknown {
  const reason: unknown = signal.reason;
  if (typeof reason !== 'object' || reason === null || Reflect.get(reason, 'name') !== 'TimeoutError') return reason;
  return new AppError('E_TIMEOUT', 'The database did not answer in time.', {
    hint: 'Call again when it is less busy.',
    cause: reason,
  });
}

/** Throws the abort's reason if the signal has aborted. */
export function throwIfAborted(signal: AbortSignal): void {
  if (signal.aborted) throw reasonOf(signal);
}
