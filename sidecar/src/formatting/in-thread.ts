import { join } from 'node:path';
import type { EngineKind } from '@devdb/shared/engines';
import { AppError } from '@devdb/shared/errors';
import type { Span } from '../engines/statement-spans.ts';
import { askThread } from '../host/thread.ts';
import type { Edit } from './format-text.ts';
import type { Indent } from './lay-out.ts';
import { FORMAT_HEAP_MB, FORMAT_LIMIT_MS } from './limits.ts';

export interface FormatRequest {
  readonly kind: EngineKind;
  readonly text: string;
  readonly part: Span;
  readonly indent: Indent;
}

/** Formats a text in a thread of its own. It ends with its answer, with the signal, or with its time. */
export async function formatInThread(
  request: FormatRequest,
  bundleDir: string,
  signal: AbortSignal,
): Promise<readonly Edit[]> {
  const limited = AbortSignal.any([signal, AbortSignal.timeout(FORMAT_LIMIT_MS)]);
  try {
    return await askThread(join(bundleDir, 'formatting-thread.js'), request, {
      signal: limited,
      heapMb: FORMAT_HEAP_MB,
    });
  } catch (error) {
    throw signal.aborted || error instanceof AppError ? error : tooMuch(error);
  }
}

function tooMuch(cause: unknown): AppError {
  return new AppError('E_NOT_SUPPORTED', 'There is too much SQL here to format at once; nothing was changed.', {
    hint: 'Select some statements and format the selection.',
    cause,
  });
}
