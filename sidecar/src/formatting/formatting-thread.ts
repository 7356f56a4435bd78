import { parentPort, workerData } from 'node:worker_threads';
import { AppError } from '@devdb/shared/errors';
import { readerAlone } from '../engines/readers.ts';
import { formatText } from './format-text.ts';
import type { FormatAnswer, FormatRequest } from './in-thread.ts';
import { layOut } from './lay-out.ts';

async function answer({ kind, text, part, indent }: FormatRequest): Promise<FormatAnswer> {
  try {
    const laidOut = async (statements: readonly string[]) => layOut({ kind, statements, indent });
    return { ok: true, edits: await formatText(await readerAlone(kind), text, part, laidOut) };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { ok: false, code: error.code, message: error.message, hint: error.hint };
  }
}

const request: FormatRequest = workerData;
// Any other failure ends the thread with an error event.
void answer(request).then((it) => parentPort?.postMessage(it));
