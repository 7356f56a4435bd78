import type { Answer, Question } from '@devdb/shared/protocol';
import type { Caller } from '../caller.ts';
import type { Entry } from '../connections/entry.ts';
import type { Approvals, Ask } from './approvals.ts';
import type { Deadline } from './deadline.ts';

/** What is told of a database that needs an approval. */
export type Asked = Pick<Entry, 'id' | 'name' | 'kind' | 'shown' | 'source' | 'needsTrust' | 'trustHash'>;

/**
 * Asks the person at the editor whether a database may be connected to. Never the client: an approval holds for all
 * of them. Calls that need the same one are answered by one dialog, and a no holds until the project is opened anew.
 */
export class TrustQuestions {
  readonly #approvals: Approvals;
  readonly #declined = new Set<string>();
  readonly #open = new Map<string, Promise<Answer | undefined>>();

  constructor(approvals: Approvals) {
    this.#approvals = approvals;
  }

  /** Whether the person agreed. Silence is no, but the next call asks again. */
  async agreed(asked: Asked, caller: Caller, ask: Ask, deadline: Deadline): Promise<boolean> {
    const { trustHash } = asked;
    if (this.#declined.has(trustHash)) return false;
    const shared: Ask = (question, signal) => this.#shared(trustHash, () => ask(question, signal), signal);
    const answer = await this.#approvals.put(caller, shared, questionFor(asked), deadline);
    if (answer === 'no') this.#declined.add(trustHash);
    return answer !== undefined && answer !== 'no';
  }

  async #shared(key: string, ask: () => Promise<Answer>, signal: AbortSignal): Promise<Answer> {
    for (let open = this.#open.get(key); open !== undefined; open = this.#open.get(key)) {
      const answer = await open;
      if (answer !== undefined) return answer;
      // The call that asked has ended, and its dialog with it.
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

function questionFor({ id, name, kind, shown, source, needsTrust = 'it needs an approval' }: Asked): Question {
  const place = source.line === undefined ? source.file : `${source.file} line ${source.line}`;
  const ask = `Let agents connect to the database ${name}?`;
  const facts = [
    { label: 'Database', value: `${shown} (${kind})` },
    { label: 'Found in', value: place },
    { label: 'Why you are asked', value: needsTrust },
    { label: 'If you agree', value: 'It is remembered for this project until what it is about changes.' },
  ];
  const lines = facts.map(({ label, value }) => `${label}: ${value}`);
  return {
    kind: 'connect',
    title: `DevDB: connect to ${id}`,
    message: [ask, '', ...lines].join('\n'),
    parts: { ask, facts },
  };
}
