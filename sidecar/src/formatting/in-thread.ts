import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { EngineKind } from '@devdb/shared/engines';
import { AppError, type ErrorCode } from '@devdb/shared/errors';
import type { Span } from '../engines/statement-spans.ts';
import type { Edit } from './format-text.ts';
import type { Indent } from './lay-out.ts';
import { FORMAT_HEAP_MB, FORMAT_LIMIT_MS } from './limits.ts';

export interface FormatRequest {
  readonly kind: EngineKind;
  readonly text: string;
  readonly part: Span;
  readonly indent: Indent;
}

export type FormatAnswer =
  | { readonly ok: true; readonly edits: readonly Edit[] }
  | { readonly ok: false; readonly code: ErrorCode; readonly message: string; readonly hint: string | undefined };

/**
 * Formats a text in a thread of its own, which no call of an agent waits for. It ends with its answer, with the signal,
 * or with its time.
 */
export async function formatInThread(
  request: FormatRequest,
  bundleDir: string,
  signal: AbortSignal,
): Promise<readonly Edit[]> {
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
    const answer = await new Promise<FormatAnswer>((resolve, reject) => {
      thread.once('message', resolve);
      thread.once('error', (error) => reject(tooMuch(error)));
      thread.once('exit', () => reject(signal.aborted ? signal.reason : tooMuch(ended.reason)));
    });
    if (answer.ok) return answer.edits;
    throw new AppError(answer.code, answer.message, { hint: answer.hint });
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
