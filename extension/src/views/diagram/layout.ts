import { Worker } from 'node:worker_threads';
import { AppError } from '@devdb/shared/errors';
import type { Placed, PlaceRequest } from './page-messages.ts';

/** Hundreds of tables take seconds, on a slow machine some more. */
const LAYOUT_LIMIT_MS = 60_000;
const MAX_HEAP_MB = 1_024;

/**
 * Finds a place for tables and keys, in a thread of its own: neither the extension host nor the page waits for it.
 * `file` is the thread's script; the signal ends it.
 */
export async function layOut(request: PlaceRequest, file: string, signal: AbortSignal): Promise<Placed> {
  const limit = AbortSignal.timeout(LAYOUT_LIMIT_MS);
  const ended = AbortSignal.any([signal, limit]);
  ended.throwIfAborted();
  const thread = new Worker(file, { workerData: request, resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB } });
  const end = () => void thread.terminate();
  ended.addEventListener('abort', end);
  try {
    return await new Promise<Placed>((resolve, reject) => {
      thread.once('message', resolve);
      thread.once('error', (error) => reject(tooMuch(error)));
      thread.once('exit', () => reject(tooMuch(ended.reason)));
    });
  } finally {
    ended.removeEventListener('abort', end);
    await thread.terminate();
  }
}

function tooMuch(cause: unknown): AppError {
  const message = 'These tables have too many keys to be laid out together.';
  return new AppError('E_NOT_SUPPORTED', message, { hint: 'Show the diagram of one table, or of one schema.', cause });
}
