import { isRecord, type Params } from './messages.ts';
import type { AskedQuestion, OpenQuestion } from './tool-call.ts';

export interface RelayParts {
  /** Asks the client. */
  readonly ask: (question: AskedQuestion) => OpenQuestion;
  /** Sends an answer back to the sidecar that asked. */
  readonly answer: (id: string, reply: Params) => Promise<void>;
}

/** The questions of one call, passed between the sidecar that asks and the client that shows them. */
export class QuestionRelay {
  readonly #parts: RelayParts;
  readonly #open = new Map<string, OpenQuestion>();

  constructor(parts: RelayParts) {
    this.#parts = parts;
  }

  /** Takes a line of the answer that may open or close a question. */
  take({ type, id, message, requestedSchema }: Params): void {
    if (typeof id !== 'string') return;
    if (type === 'ask-over') this.#close(id);
    if (type !== 'ask') return;
    const schema = isRecord(requestedSchema) ? requestedSchema : {};
    const question = this.#parts.ask({ message: String(message), requestedSchema: schema });
    this.#open.set(id, question);
    void question.reply.then((reply) => this.#answered(id, reply));
  }

  /** The call has ended, and its questions with it. */
  end(): void {
    for (const id of this.#open.keys()) this.#close(id);
  }

  /** Removed from the map first, so that a late answer to a withdrawn question is not sent. */
  #close(id: string): void {
    const question = this.#open.get(id);
    this.#open.delete(id);
    question?.over();
  }

  async #answered(id: string, reply: Params | undefined): Promise<void> {
    if (!this.#open.delete(id)) return;
    await this.#parts.answer(id, readableReply(reply));
  }
}

const ACTIONS: readonly unknown[] = ['accept', 'decline', 'cancel'];

/** A reply the sidecar can read. Anything else becomes a no: passed on as it is, it would leave the question open. */
function readableReply(reply: Params | undefined): Params {
  if (reply === undefined) return { action: 'cancel', unable: true };
  const { action, content } = reply;
  if (!ACTIONS.includes(action) || !(content == null || isRecord(content))) return { action: 'cancel' };
  return { action, ...(content == null ? {} : { content }) };
}
