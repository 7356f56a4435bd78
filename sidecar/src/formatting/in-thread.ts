import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { AppError } from '@devdb/shared/errors';
import type { Laid, LayOutRequest } from './lay-out.ts';
import { FORMAT_HEAP_MB, FORMAT_LIMIT_MS } from './limits.ts';

/**
 * Lays statements out in a thread of its own, which no call of an agent waits for. It ends with its answer, with the
 * signal, or with its time.
 */
export async function layOutInThread(
  request: LayOutRequest,
  bundleDir: string,
  signal: AbortSignal,
): Promise<readonly Laid[]> {
  const limit = AbortSignal.timeout(FORMAT_LIMIT_MS);
  const ended = AbortSignal.any([signal, limit]);
  ended.throwIfAborted();
  const thread = new Worker(join(bundleDir, 'formatting-thread.js'), {
    workerData: request,
    resourceLimits: { maxOldGenerationSizeMb: FORMAT_HEAP_MB },
  });
  const end = () => void thread.terminate();
  ended.addEventListener('abort', end);
  try {
    return await new Promise<readonly Laid[]>((resolve, reject) => {
      thread.once('message', resolve);
      thread.once('error', (error) => reject(tooMuch(error)));
      thread.once('exit', () => reject(signal.aborted ? signal.reason : tooMuch(ended.reason)));
    });
  } finally {
    ended.removeEventListener('abort', end);
    await thread.terminate();
  }
}

function tooMuch(cause: unknown): AppError {
  return new AppError('E_NOT_SUPPORTED', 'There is too much SQL here to format at once; nothing was changed.', {
    hint: 'Select some statements and format the selection.',
    cause,
  });
}
