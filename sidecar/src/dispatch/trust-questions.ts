import { nameText, plain, quoted } from '@devdb/shared/plain-text';
import { type Answer, type Question, questionOf } from '@devdb/shared/protocol';
import { type Entry, placeOf } from '../databases/entry.ts';
import type { Approvals, Ask } from './approvals.ts';
import type { Call } from './dispatch.ts';

/** What the question says about a database that needs approval. */
export type Asked = Pick<
  Entry,
  'id' | 'name' | 'kind' | 'shown' | 'source' | 'needsTrust' | 'trustHash' | 'passwordCommand'
>;

/**
 * Asks the person at the editor whether a database may be connected to. Never the client, because an approval holds for
 * all of them. Calls that need the same approval share one dialog, and a no holds until the project is opened again.
 */
export class TrustQuestions {
  readonly #approvals: Approvals;
  readonly #declined = new Set<string>();
  readonly #open = new Map<string, Promise<Answer | undefined>>();

  constructor(approvals: Approvals) {
    this.#approvals = approvals;
  }

  /** Whether the person agreed. No answer is a no, but the next call asks again. */
  async agreed(asked: Asked, call: Call, ask: Ask): Promise<boolean> {
    const { trustHash } = asked;
    // Whoever chooses the database in the editor has changed their mind.
    if (this.#declined.has(trustHash) && call.caller.door !== 'editor') return false;
    const shared: Ask = (question, signal) => this.#shared(trustHash, () => ask(question, signal), signal);
    const answer = await this.#approvals.put(call, shared, questionFor(asked));
    if (answer === 'no') this.#declined.add(trustHash);
    const isYes = answer === 'once' || answer === 'session';
    if (isYes) this.#declined.delete(trustHash);
    return isYes;
  }

  async #shared(key: string, ask: () => Promise<Answer>, signal: AbortSignal): Promise<Answer> {
    for (let open = this.#open.get(key); open !== undefined; open = this.#open.get(key)) {
      const answer = await open;
      if (answer !== undefined) return answer;
      // The call that opened the dialog has ended, and the dialog with it.
      signal.throwIfAborted();
    }
    const own = ask();
    this.#open.set(
      key,
      own.catch(() => undefined),
    );
    try {
      return await own;
    } finally {
      this.#open.delete(key);
    }
  }
}

function questionFor({ id, name, kind, shown, source, needsTrust, passwordCommand }: Asked): Question {
  return questionOf({
    kind: 'connect',
    title: plain`DevDB: connect to ${quoted(id)}`,
    ask: plain`Let agents connect to the database ${quoted(name)}?`,
    // The command that would run is shown whole.
    statement: passwordCommand?.argv.join(' '),
    facts: [
      { label: plain`Database`, value: plain`${shown} (${nameText(kind)})` },
      { label: plain`Found in`, value: placeOf(source) },
      { label: plain`Why you are asked`, value: needsTrust ?? plain`it needs an approval` },
      {
        label: plain`If you agree`,
        value: plain`It is remembered for this project until the connection changes.`,
      },
    ],
  });
}
