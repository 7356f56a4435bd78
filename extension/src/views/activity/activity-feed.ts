import type { CallRecord } from '@devdb/shared/protocol/call-record';

/** Calls that the window keeps; the sidecar has as many. */
const MAX_CALLS = 1_000;

/** One process of the sidecar, as the feed knows it. */
interface Sidecar {
  readonly closed: boolean;
}

export interface FeedParts<Client extends Sidecar> {
  readonly client: () => Client | undefined;
  /** Has the sidecar tell of changes from now on, or no longer; resolves to its calls so far. */
  readonly watch: (client: Client, on: boolean, signal: AbortSignal) => Promise<readonly CallRecord[]>;
  /** Calls that are new or have changed; `isWhole` with all of them. */
  readonly onCalls: (calls: readonly CallRecord[], isWhole: boolean) => void;
  readonly onFault: (error: unknown) => void;
}

/** The calls of the window's agents, followed while a view shows them, across restarts of the sidecar. */
export class ActivityFeed<Client extends Sidecar> {
  readonly #parts: FeedParts<Client>;
  readonly #ended = new AbortController();
  #calls = new Map<string, CallRecord>();
  #isWatching = false;
  /** The sidecar that was asked to report. */
  #told: Client | undefined;

  constructor(parts: FeedParts<Client>) {
    this.#parts = parts;
  }

  get calls(): readonly CallRecord[] {
    return [...this.#calls.values()];
  }

  /** Follows the calls from now on, or no longer. */
  watch(on: boolean): void {
    this.#isWatching = on;
    if (!on) this.#told = undefined;
    this.#tell(on).catch(this.#parts.onFault);
  }

  /** Another sidecar may run now, or none. */
  sidecarChanged(): void {
    if (this.#isWatching && this.#parts.client() !== this.#told) this.#tell(true).catch(this.#parts.onFault);
  }

  /** The sidecar reported these. */
  heard(calls: readonly CallRecord[]): void {
    this.#merge(calls);
    this.#parts.onCalls(calls, false);
  }

  dispose(): void {
    this.#ended.abort();
  }

  async #tell(on: boolean): Promise<void> {
    const client = this.#parts.client();
    if (client === undefined || client.closed) {
      if (on) this.#lost();
      return;
    }
    if (on) this.#told = client;
    try {
      const calls = await this.#parts.watch(client, on, this.#ended.signal);
      if (!on || this.#told !== client) return;
      this.#endLost(calls);
      this.#merge(calls);
      this.#parts.onCalls(this.calls, true);
    } catch (error) {
      // The next sidecar is asked once it runs.
      if (!client.closed && !this.#ended.signal.aborted) throw error;
    }
  }

  /** Without a sidecar nothing runs. */
  #lost(): void {
    this.#told = undefined;
    this.#endLost([]);
    this.#parts.onCalls(this.calls, true);
  }

  /** A call that the sidecar does not know ended with the one before it. */
  #endLost(known: readonly CallRecord[]): void {
    const ids = new Set(known.map(({ id }) => id));
    for (const [id, call] of this.#calls) {
      if ((call.state === 'running' || call.state === 'asking') && !ids.has(id)) {
        this.#calls.set(id, { ...call, state: 'failed', code: 'E_UNREACHABLE' });
      }
    }
  }

  #merge(calls: readonly CallRecord[]): void {
    for (const call of calls) this.#calls.set(call.id, call);
    for (const id of this.#calls.keys()) {
      if (this.#calls.size <= MAX_CALLS) return;
      this.#calls.delete(id);
    }
  }
}
