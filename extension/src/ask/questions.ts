import { unlessAborted } from '@devdb/shared/abort';
import { AppError } from '@devdb/shared/errors';
import type { Answer, Question } from '@devdb/shared/protocol';

/** Shows one question until it is answered or the signal aborts. */
export type ShowQuestion = (question: Question, signal: AbortSignal) => Promise<Answer>;

/** Asks the person one question at a time. One whose call has ended is closed, or not shown at all. */
export class Questions {
  readonly #show: ShowQuestion;
  #last: Promise<unknown> = Promise.resolve();

  constructor(show: ShowQuestion) {
    this.#show = show;
  }

  /** The answer. Rejects when the signal aborts first; a later answer is ignored. */
  async ask(question: Question, signal: AbortSignal): Promise<Answer> {
    const before = this.#last;
    const over = Promise.withResolvers<void>();
    this.#last = before.then(() => over.promise);
    try {
      await unlessAborted(before, signal, callEnded);
      return await unlessAborted(this.#show(question, signal), signal, callEnded);
    } finally {
      over.resolve();
    }
  }
}

function callEnded(): AppError {
  return new AppError('E_CANCELLED', 'The call ended before the question was answered.');
}
