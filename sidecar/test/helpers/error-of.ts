import { AppError } from '@devdb/shared/errors';

/** The error that a promise rejects with. */
export async function errorOf(promise: Promise<unknown>): Promise<AppError> {
  try {
    await promise;
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
  throw new Error('It did not fail.');
}
