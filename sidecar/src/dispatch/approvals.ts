import { unlessAborted } from '@devdb/shared/abort';
import { AppError } from '@devdb/shared/errors';
import { ASK_TIMEOUT_MS, PROGRESS_INTERVAL_MS } from '@devdb/shared/limits';
import { plain } from '@devdb/shared/plain-text';
import type { Answer, ClientAnswer, Question } from '@devdb/shared/protocol';
import type { Decision } from '@devdb/shared/protocol/call-record';
import type { Request } from '../tools/tool-context.ts';
import { AlwaysAsked } from './always-asked.ts';
import type { Caller } from './caller.ts';
import type { Call } from './dispatch.ts';
import { UNREAD_ANSWER_MS } from './limits.ts';

/** Puts a question to the user, until the signal aborts. The editor's own dialog always ends with an answer. */
export type Ask<Said = Answer> = (question: Question, signal: AbortSignal) => Promise<Said>;

export interface ApprovalsParts {
  readonly askTimeoutMs?: number | undefined;
  readonly alwaysAsked?: AlwaysAsked;
  /** Milliseconds on a clock that is never set. */
  readonly now?: () => number;
}

/** Asks the user and remembers what was allowed "for this session", which means for this client. */
export class Approvals {
  /** Where each of them was allowed. */
  readonly #remembered = new Map<string, Decision['by']>();
  readonly #askTimeoutMs: number;
  readonly #alwaysAsked: AlwaysAsked;
  readonly #now: () => number;

  constructor({
    askTimeoutMs = ASK_TIMEOUT_MS,
    alwaysAsked = new AlwaysAsked(),
    now = () => performance.now(),
  }: ApprovalsParts = {}) {
    this.#askTimeoutMs = askTimeoutMs;
    this.#alwaysAsked = alwaysAsked;
    this.#now = now;
  }

  /** Returns at once unless each call of this client is asked about; then when the user agreed to this one. */
  confirmCall(call: Call, dialog: Ask | undefined, request: Omit<Request, 'subject'>): Promise<void> | undefined {
    return this.#alwaysAsked.covers(call.caller) ? this.#askAboutCall(call, dialog, request) : undefined;
  }

  async #askAboutCall(call: Call, dialog: Ask | undefined, request: Omit<Request, 'subject'>): Promise<void> {
    // Never in the client, which could answer itself.
    if (!dialog) throw await unaskedError(request);
    const answer = await this.#answerTo(request, call, dialog);
    call.record?.decided(decisionOf(answer, 'editor'));
    if (!isYes(answer)) throw notAgreed('run');
  }

  /** Returns when the user agreed. `fallback` asks where the caller cannot, or closes the question without an answer. */
  async confirm(call: Call, fallback: Ask | undefined, request: Request): Promise<void> {
    const { caller, record } = call;
    const key = JSON.stringify([caller.clientId, request.subject]);
    const isAlwaysAsked = this.#alwaysAsked.covers(caller);
    const remembered = this.#remembered.get(key);
    // What a client allowed itself says nothing of what its user wants.
    if (remembered !== undefined && (remembered === 'editor' || !isAlwaysAsked)) {
      record?.decided({ by: 'earlier', answer: 'session' });
      return;
    }
    const ask: Ask<ClientAnswer> | undefined = isAlwaysAsked ? fallback : (caller.ask ?? fallback);
    if (!ask) throw await unaskedError(request);
    const inClient = ask === caller.ask && asksInClient(caller);
    let by: Decision['by'] = inClient ? 'client' : 'editor';
    let answer = await (inClient ? this.#readAnswer(request, call, ask) : this.#answerTo(request, call, ask));
    record?.decided(decisionOf(answer, by));
    if (answer === 'closed' && fallback !== undefined && ask !== fallback) {
      by = 'editor';
      answer = await this.#answerTo(request, call, fallback);
      record?.decided(decisionOf(answer, by));
    }
    if (answer === 'closed') throw await closedUnanswered(request);
    if (!isYes(answer)) throw notAgreed('changed');
    if (answer === 'session') this.#remembered.set(key, by);
  }

  /** The answer, or undefined when none came. The deadline is paused meanwhile, and the caller gets progress. */
  async put<Said>(call: Call, ask: Ask<Said>, question: Question): Promise<Said | undefined> {
    const { caller, deadline, record } = call;
    const silence = AbortSignal.timeout(this.#askTimeoutMs);
    const signal = AbortSignal.any([deadline.signal, silence]);
    let waited = 0;
    const ticker = setInterval(() => {
      waited += PROGRESS_INTERVAL_MS;
      caller.progress({ progress: waited / 1000, message: 'Waiting for a person to answer.' });
    }, PROGRESS_INTERVAL_MS);
    deadline.pause();
    record?.asking(true);
    try {
      return await unlessAborted(ask(withAsker(question, caller), signal), signal);
    } catch (error) {
      // An aborted call fails with its own reason, not as an unanswered question.
      deadline.signal.throwIfAborted();
      if (silence.aborted) return undefined;
      throw error;
    } finally {
      clearInterval(ticker);
      record?.asking(false);
      deadline.resume();
    }
  }

  /** A no that comes faster than anyone reads the question is the client's own, not its user's. */
  async #readAnswer(request: Request, call: Call, ask: Ask<ClientAnswer>): Promise<ClientAnswer | undefined> {
    let asked = this.#now();
    const answer = await this.#answerTo(request, call, (question, signal) => {
      asked = this.#now();
      return ask(question, signal);
    });
    return answer === 'no' && this.#now() - asked < UNREAD_ANSWER_MS ? 'closed' : answer;
  }

  async #answerTo<Said>(request: Omit<Request, 'subject'>, call: Call, ask: Ask<Said>): Promise<Said | undefined> {
    const question = await request.question();
    try {
      return await this.put(call, ask, question);
    } catch (error) {
      call.deadline.signal.throwIfAborted();
      // The editor went away or cannot show a question, so the user has not seen it.
      throw await unaskedError(request, error);
    }
  }
}

/** A caller of the pipe asks in the editor as well. */
function asksInClient({ ask, door }: Caller): boolean {
  return ask !== undefined && door !== 'pipe' && door !== 'editor';
}

function decisionOf(answer: ClientAnswer | undefined, by: Decision['by']): Decision {
  return { by, answer: answer === undefined || answer === 'closed' ? 'none' : answer };
}

function isYes(answer: ClientAnswer | undefined): boolean {
  return answer === 'once' || answer === 'session';
}

function notAgreed(what: 'run' | 'changed'): AppError {
  return new AppError('E_APPROVAL_DENIED', `The person did not agree; nothing was ${what}.`, {
    hint: 'Do not retry without being asked. Ask the person what they want instead.',
    details: { applied: false },
  });
}

async function closedUnanswered({ unasked }: Pick<Request, 'unasked'>): Promise<AppError> {
  const { effect, details } = await unasked();
  const closed = 'The client closed the question without an answer; the user may not have seen it.';
  const sentences = [closed, ...(effect === undefined ? [] : [effect]), 'Nothing was changed.'];
  return new AppError('E_APPROVAL_DENIED', sentences.join(' '), {
    hint: 'Tell the person what you wanted to do. They are asked in VS Code when the project is open there.',
    details: { applied: false, ...details },
  });
}

/** With several clients the user should know which one asks. */
function withAsker(question: Question, { clientName }: Caller): Question {
  const { parts } = question;
  if (parts === undefined) return question;
  return { ...question, parts: { ...parts, facts: [...parts.facts, { label: plain`Asked by`, value: clientName }] } };
}

async function unaskedError({ unasked }: Pick<Request, 'unasked'>, cause?: unknown): Promise<AppError> {
  const { message, hint, details } = await unasked();
  return new AppError('E_CONFIRMATION_REQUIRED', message, { hint, details: { applied: false, ...details }, cause });
}
