import { randomUUID } from 'node:crypto';
import { AppError } from '@devdb/shared/errors';
import { ANSWER_FORM, type ClientAnswer, type Question, readReply, replySchema } from '@devdb/shared/protocol';
import { HEADERS } from '@devdb/shared/protocol/http';
import type { Line } from '@devdb/shared/protocol/lines';

interface OpenAsk {
  readonly clientId: string;
  readonly answer: (answer: ClientAnswer) => void;
  readonly fail: (error: AppError) => void;
}

/** The open questions that running calls have asked their callers. */
export class QuestionDesk {
  readonly #open = new Map<string, OpenAsk>();

  /** The questions of one call, sent as lines of its answer. */
  forCall(clientId: string, send: (line: Line) => void): CallQuestions {
    return new CallQuestions(this.#open, clientId, send);
  }

  /** Answers an open question. Only the client that was asked may; an unreadable answer leaves it open. */
  answer(id: string, clientId: string | undefined, rawReply: unknown): void {
    const ask = this.#open.get(id);
    if (!ask) {
      throw new AppError('E_NOT_FOUND', 'This question is not open.', {
        hint: 'It was answered, or its call has ended.',
      });
    }
    if (ask.clientId !== clientId) {
      throw new AppError('E_FORBIDDEN', 'Another client was asked this question.', {
        hint: `Send the same ${HEADERS.clientId} header as the call that asks.`,
      });
    }
    const reply = replySchema().safeParse(rawReply);
    if (!reply.success) {
      throw new AppError('E_INVALID_PARAMS', 'The answer must have an action: accept, decline or cancel.', {
        hint: 'Send {"action":"accept","content":{"answer":"once"}}.',
      });
    }
    if (reply.data.unable) ask.fail(couldNotAsk());
    else ask.answer(readReply(reply.data));
  }
}

/** Asks the questions of one call. */
export class CallQuestions {
  readonly #open: Map<string, OpenAsk>;
  readonly #clientId: string;
  readonly #send: (line: Line) => void;
  // Most calls ask nothing, so the controller that ends their questions is made with the first one.
  #end: AbortController | undefined;
  #ended = false;

  constructor(open: Map<string, OpenAsk>, clientId: string, send: (line: Line) => void) {
    this.#open = open;
    this.#clientId = clientId;
    this.#send = send;
  }

  ask(question: Question, signal: AbortSignal): Promise<ClientAnswer> {
    if (this.#ended) return Promise.reject(callEnded());
    this.#end ??= new AbortController();
    const over = AbortSignal.any([signal, this.#end.signal]);
    if (over.aborted) return Promise.reject(over.reason);
    const id = randomUUID();
    return new Promise((resolve, reject) => {
      const onOver = (): void => {
        this.#open.delete(id);
        this.#send({ type: 'ask-over', id });
        reject(over.reason);
      };
      over.addEventListener('abort', onOver, { once: true });
      const settle = (): void => {
        over.removeEventListener('abort', onOver);
        this.#open.delete(id);
      };
      this.#open.set(id, {
        clientId: this.#clientId,
        answer: (answer) => {
          settle();
          resolve(answer);
        },
        fail: (error) => {
          settle();
          reject(error);
        },
      });
      this.#send({ type: 'ask', id, message: question.message, requestedSchema: ANSWER_FORM });
    });
  }

  /** The call has ended, and its open questions with it. */
  end(): void {
    this.#ended = true;
    this.#end?.abort(callEnded());
  }
}

/** The client failed to ask the person. */
export function couldNotAsk(cause?: unknown): AppError {
  return new AppError('E_CONFIRMATION_REQUIRED', 'The client could not show the question, so nothing was run.', {
    hint: 'Ask the person to confirm in a client that can show questions.',
    cause,
  });
}

function callEnded(): AppError {
  return new AppError('E_CANCELLED', 'The call ended before the question was answered.');
}
