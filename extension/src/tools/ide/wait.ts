import { setTimeout as pause } from 'node:timers/promises';
import { AppError } from '@devdb/shared/errors';
import type { Handler } from '@devdb/shared/tools';
import type { EditorContext } from '../editor-context.ts';

export const wait: Handler<'wait', EditorContext> = async ({ milliseconds }, { signal }) => {
  try {
    await pause(milliseconds, undefined, { signal });
  } catch (error) {
    if (signal.aborted) throw new AppError('E_CANCELLED', 'The call was ended.');
    throw error;
  }
  return { result: 'ok' };
};
