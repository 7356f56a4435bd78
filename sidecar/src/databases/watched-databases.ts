import type { ToolOutput } from '@devdb/shared/tools';
import type { AskApproval } from './database-book.ts';
import type { Entry, GuardOf } from './entry.ts';

/** What is watched; each call of it looks anew at the files of the project. */
export interface Watchable {
  list(signal: AbortSignal, guardOf?: GuardOf): Promise<ToolOutput<'list-connections'>>;
  find(id: string | undefined, signal: AbortSignal, askApproval?: AskApproval): Promise<Entry>;
}

/** A project's databases, which tell when a call meets another default than the call before it did. */
export class WatchedDatabases implements Watchable {
  readonly #book: Watchable;
  readonly #onOther: () => void;
  /** The default of the last call, or that it had none; undefined before any call. */
  #last: string | null | undefined;

  constructor(book: Watchable, onOther: () => void) {
    this.#book = book;
    this.#onOther = onOther;
  }

  list(signal: AbortSignal, guardOf?: GuardOf): Promise<ToolOutput<'list-connections'>> {
    return this.#book.list(signal, guardOf);
  }

  async find(id: string | undefined, signal: AbortSignal, askApproval?: AskApproval): Promise<Entry> {
    if (id !== undefined) return this.#book.find(id, signal, askApproval);
    try {
      const found = await this.#book.find(id, signal, askApproval);
      this.#met(`${found.id} ${found.kind} ${found.name}`);
      return found;
    } catch (error) {
      if (!signal.aborted) this.#met(null);
      throw error;
    }
  }

  #met(now: string | null): void {
    const before = this.#last;
    this.#last = now;
    // The first one as well: what the editor knows may be older than the project's files.
    if (now !== before) this.#onOther();
  }
}
