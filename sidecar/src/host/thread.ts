import { parentPort, Worker, workerData } from 'node:worker_threads';
import { AppError, type ErrorCode } from '@devdb/shared/errors';

/** What a thread sends back: an error keeps its code, which its class would lose on the way. */
type ThreadAnswer<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly code: ErrorCode; readonly message: string; readonly hint: string | undefined };

export interface ThreadOptions {
  /** Ends the thread, wherever it is. */
  readonly signal: AbortSignal;
  readonly heapMb: number;
}

/** Runs a file of the bundle in a thread of its own, which no other call waits for, until it has answered. */
export async function askThread<Value>(
  file: string,
  request: object,
  { signal, heapMb }: ThreadOptions,
): Promise<Value> {
  signal.throwIfAborted();
  const thread = new Worker(file, { workerData: request, resourceLimits: { maxOldGenerationSizeMb: heapMb } });
  const end = () => void thread.terminate();
  signal.addEventListener('abort', end);
  try {
    const answer = await new Promise<ThreadAnswer<Value>>((resolve, reject) => {
      thread.once('message', resolve);
      thread.once('error', reject);
      const ended = new Error('A thread ended without an answer.');
      thread.once('exit', () => reject(signal.aborted ? signal.reason : ended));
    });
    if (answer.ok) return answer.value;
    throw new AppError(answer.code, answer.message, { hint: answer.hint });
  } finally {
    signal.removeEventListener('abort', end);
    await thread.terminate();
  }
}

/** Answers whoever started this thread. Any failure that is no AppError ends the thread with an error event. */
export async function answerAsThread<Request>(work: (request: Request) => Promise<unknown>): Promise<void> {
  try {
    parentPort?.postMessage({ ok: true, value: await work(workerData) });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const { code, message, hint } = error;
    parentPort?.postMessage({ ok: false, code, message, hint });
  }
}
