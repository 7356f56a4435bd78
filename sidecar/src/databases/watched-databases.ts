import type { ToolOutput } from '@devdb/shared/tools';
import type { AskApproval } from './database-book.ts';
import type { Entry, GuardOf } from './entry.ts';

/** The watched calls; each checks the project's files for changes. */
export interface Watchable {
  list(signal: AbortSignal, guardOf?: GuardOf): Promise<ToolOutput<'list-connections'>>;
  find(id: string | undefined, signal: AbortSignal, askApproval?: AskApproval): Promise<Entry>;
}

/** A project's databases, which report when a call finds another default than the call before. */
export class WatchedDatabases implements Watchable {
  readonly #book: Watchable;
  readonly #onOther: () => void;
  /** The default of the last call, null for none; undefined before any call. */
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
    // Also for the first call: the editor's state may be older than the project's files.
    if (now !== before) this.#onOther();
  }
}
