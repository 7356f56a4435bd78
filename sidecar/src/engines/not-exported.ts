import { AppError } from '@devdb/shared/errors';

/** The error of an export whose statement is not a read. */
export function notExported(): AppError {
  return new AppError('E_READ_ONLY', 'An export takes a read, and this statement would write.', {
    hint: 'Run the change with run-query, then export a SELECT.',
  });
}
