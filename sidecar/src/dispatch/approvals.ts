import { AppError } from '@devdb/shared/errors';
import { ASK_TIMEOUT_MS, PROGRESS_INTERVAL_MS } from '@devdb/shared/limits';
import type { Answer, Question } from '@devdb/shared/protocol';
import type { Caller } from '../caller.ts';
import type { Deadline } from './deadline.ts';

/** Puts a question to a person, until the signal aborts. */
export type Ask = (question: Question, signal: AbortSignal) => Promise<Answer>;

/** Puts questions to a person and remembers what was allowed "for this session", which means: for this client. */
export class Approvals {
  readonly #remembered = new Set<string>();
  readonly #askTimeoutMs: number;

  constructor(askTimeoutMs: number = ASK_TIMEOUT_MS) {
    this.#askTimeoutMs = askTimeoutMs;
  }

  /**
   * Returns when the person agreed. The question is made only when it will be put: making it may cost a dry run, and
   * with nobody to ask nothing at all must run.
   */
  async confirm(
    caller: Caller,
    fallback: Ask | undefined,
    subject: string,
    makeQuestion: () => Promise<Question>,
    deadline: Deadline,
  ): Promise<void> {
    const key = JSON.stringify([caller.clientId, subject]);
    if (this.#remembered.has(key)) return;
    const ask = caller.ask ?? fallback;
    if (!ask) throw nobodyToAsk();
    const answer = await this.put(caller, ask, await makeQuestion(), deadline);
    if (answer === undefined || answer === 'no') {
      throw new AppError('E_APPROVAL_DENIED', 'The person did not agree; nothing was changed.', {
        hint: 'Do not try the same again unasked. Ask the person what they want instead.',
      });
    }
    if (answer === 'session') this.#remembered.add(key);
  }

  /** The answer, or undefined for silence. The deadline stands still meanwhile, and the caller hears that it waits. */
  async put(caller: Caller, ask: Ask, question: Question, deadline: Deadline): Promise<Answer | undefined> {
    const silence = AbortSignal.timeout(this.#askTimeoutMs);
    const signal = AbortSignal.any([deadline.signal, silence]);
    let waited = 0;
    const ticker = setInterval(() => {
      waited += PROGRESS_INTERVAL_MS;
      caller.progress({ progress: waited / 1000, message: 'Waiting for a person to answer.' });
    }, PROGRESS_INTERVAL_MS);
    deadline.pause();
    try {
      return await settleOrAbort(ask(withAsker(question, caller), signal), signal);
    } catch (error) {
      // The call's own end wins over silence.
      deadline.signal.throwIfAborted();
      if (silence.aborted) return undefined;
      throw error;
    } finally {
      clearInterval(ticker);
      deadline.resume();
    }
  }
}

/** Of several clients a person should know which one wants it. */
function withAsker(question: Question, { clientName }: Caller): Question {
  const { parts } = question;
  if (parts === undefined) return question;
  return { ...question, parts: { ...parts, facts: [...parts.facts, { label: 'Asked by', value: clientName }] } };
}

function settleOrAbort<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}

function nobodyToAsk(): AppError {
  return new AppError(
    'E_CONFIRMATION_REQUIRED',
    'This statement changes the database and needs the yes of a person, but this client cannot ask one. Nothing was run.',
    {
      hint: 'Show the person the statement. They can run it themselves, use a client that supports elicitation, or allow writes (the setting Devdb.database.writes, or `devdb serve --writes allow`).',
    },
  );
}
