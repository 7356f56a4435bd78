import { clientKey } from '@devdb/shared/client-name';
import type { Caller } from './caller.ts';
import { MAX_KNOWN_CLIENTS, MAX_NAMES_OF_CLIENT } from './limits.ts';

/** The clients whose every call waits for a person's yes, by the names that they give themselves. */
export class AlwaysAsked {
  readonly #namesOf = new Map<string, Set<string>>();
  #names: ReadonlySet<string> = new Set();

  /** Takes effect with the next call. */
  set(names: readonly string[]): void {
    this.#names = new Set(names.map(clientKey));
  }

  /** Whether this caller is one of them. One that takes another name in its session stays what it was. */
  covers(caller: Pick<Caller, 'door' | 'clientId' | 'clientName'>): boolean {
    // The person at the editor is no client.
    if (caller.door === 'editor') return false;
    const names = this.#remembered(caller.clientId);
    const name = clientKey(caller.clientName);
    if (names.size < MAX_NAMES_OF_CLIENT) names.add(name);
    if (this.#names.size === 0) return false;
    return this.#names.has(name) || [...names].some((earlier) => this.#names.has(earlier));
  }

  /** The names that a client has given so far. Those of the clients that were silent longest are forgotten. */
  #remembered(id: string): Set<string> {
    const names = this.#namesOf.get(id) ?? new Set();
    this.#namesOf.delete(id);
    this.#namesOf.set(id, names);
    if (this.#namesOf.size <= MAX_KNOWN_CLIENTS) return names;
    const [oldest] = this.#namesOf.keys();
    if (oldest !== undefined) this.#namesOf.delete(oldest);
    return names;
  }
}
