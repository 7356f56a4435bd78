import { AppError } from '@devdb/shared/errors';
import type { CallDetails } from '@devdb/shared/protocol/activity-methods';
import type { CallRecord, Decision } from '@devdb/shared/protocol/call-record';
import { MAX_KEPT_CALL_BYTES, MAX_KEPT_CALLS } from '../limits.ts';
import { type CallEnd, CallEntry, type CallStart, type UsedDatabase } from './call-entry.ts';
import { callWithoutValues } from './without-values.ts';

/** A call that is being recorded. What happens to it is reported here by the gate and by what runs it. */
export interface RecordedCall {
  /** A person is being asked, or no longer. */
  asking(isAsking: boolean): void;
  decided(decision: Decision): void;
  uses(database: UsedDatabase): void;
  /** It is about to change something. */
  changes(): void;
  /** How a person can end it from now on. */
  stoppable(stop: (reason: AppError) => void): void;
  end(end: CallEnd): void;
}

/** A call with everything that is kept of it. */
export interface KeptCall {
  readonly record: CallRecord;
  readonly details: CallDetails;
}

/** A call as it is listed and shown: one of this sidecar's, or an earlier one. */
interface Shown {
  readonly hasEnded: boolean;
  readonly kind: UsedDatabase['kind'] | undefined;
  record(): CallRecord;
  details(): CallDetails;
}

interface Slot {
  readonly call: Shown;
  bytes: number;
  stop?: (() => void) | undefined;
}

/** Told of a call that began, changed or ended. */
export type Watcher = (id: string) => void;

/** The calls of a sidecar's agents, as far as they are kept: bounded in number and bytes. Running ones always stay. */
export class Activity {
  #slots = new Map<string, Slot>();
  #numbers = 0;
  #bytes = 0;
  #watcher: Watcher | undefined;

  /** Keeps a call that has begun. */
  begin(start: Omit<CallStart, 'number'>): RecordedCall {
    this.#numbers += 1;
    const entry = new CallEntry({ ...start, number: this.#numbers });
    const slot: Slot = { call: entry, bytes: 0 };
    this.#slots.set(entry.id, slot);
    this.#measure(slot, entry.bytes);
    this.#watcher?.(entry.id);
    const change = (apply: () => void) => {
      if (entry.hasEnded) return;
      apply();
      this.#watcher?.(entry.id);
    };
    return {
      asking: (isAsking) => change(() => entry.asking(isAsking)),
      decided: (decision) => change(() => entry.decided(decision)),
      uses: (database) => change(() => entry.uses(database)),
      changes: () => change(() => entry.changes()),
      stoppable: (stop) => {
        slot.stop = () => {
          entry.stopped();
          stop(stoppedByPerson());
        };
      },
      end: (end) =>
        change(() => {
          entry.end(end);
          slot.stop = undefined;
          this.#measure(slot, entry.bytes);
        }),
    };
  }

  /** The kept calls, oldest first. */
  list(): CallRecord[] {
    return [...this.#slots.values()].map(({ call }) => call.record());
  }

  /** One of them, while it is kept. */
  record(id: string): CallRecord | undefined {
    return this.#slots.get(id)?.call.record();
  }

  details(id: string): CallDetails {
    const slot = this.#slots.get(id);
    if (slot === undefined) throw new AppError('E_NOT_FOUND', 'This call is no longer kept.');
    return slot.call.details();
  }

  /** The calls with their details, oldest first; without values as `callWithoutValues` leaves them. */
  whole(withValues: boolean): KeptCall[] {
    return [...this.#slots.values()].map(({ call }) => {
      const [record, details] = [call.record(), call.details()];
      // An earlier call has no values any more.
      return withValues || record.isEarlier === true
        ? { record, details }
        : callWithoutValues(record, details, call.kind);
    });
  }

  /** Ends a running call. False when it has ended already. */
  stop(id: string): boolean {
    const stop = this.#slots.get(id)?.stop;
    stop?.();
    return stop !== undefined;
  }

  /** Reports changes to this watcher alone from now on, or to none. */
  watch(watcher: Watcher | undefined): void {
    this.#watcher = watcher;
  }

  /** Adds calls of an earlier window, before those of this one. */
  restore(calls: readonly KeptCall[]): void {
    const own = this.#slots;
    this.#slots = new Map();
    for (const [at, { record, details }] of calls.entries()) {
      const earlier: CallRecord = { ...record, number: at - calls.length, isEarlier: true };
      const call = { hasEnded: true, kind: undefined, record: () => earlier, details: () => details };
      const slot: Slot = { call, bytes: 0 };
      if (own.has(record.id)) continue;
      this.#slots.set(record.id, slot);
      this.#measure(slot, JSON.stringify([record, details]).length);
    }
    for (const [id, slot] of own) this.#slots.set(id, slot);
    this.#makeRoom();
  }

  #measure(slot: Slot, bytes: number): void {
    this.#bytes += bytes - slot.bytes;
    slot.bytes = bytes;
    this.#makeRoom();
  }

  #makeRoom(): void {
    for (const [id, { call, bytes }] of this.#slots) {
      if (this.#slots.size <= MAX_KEPT_CALLS && this.#bytes <= MAX_KEPT_CALL_BYTES) return;
      if (!call.hasEnded) continue;
      this.#bytes -= bytes;
      this.#slots.delete(id);
    }
  }
}

function stoppedByPerson(): AppError {
  return new AppError('E_CANCELLED', 'A person stopped this call in the editor.', {
    hint: 'Do not repeat it without being asked. Ask the person what they want instead.',
  });
}
