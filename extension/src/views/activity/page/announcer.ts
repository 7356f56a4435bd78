import type { CallRecord } from '@devdb/shared/protocol/call-record';
import { isOpen, newsOf } from './words.ts';

/** At most one announcement to screen readers in this time, or they would talk all the time. */
const QUIET_MS = 5_000;

/** Tells a screen reader what happened, several calls in one sentence. */
export class Announcer {
  readonly #region: HTMLElement;
  readonly #news = new Map<string, CallRecord>();
  #timer: number | undefined;
  #toldAt = Number.NEGATIVE_INFINITY;

  constructor(region: HTMLElement) {
    this.#region = region;
  }

  /** Calls that ended, or that wait for an answer, are worth a word. */
  add(calls: readonly CallRecord[]): void {
    for (const call of calls) if (!isOpen(call) || call.state === 'asking') this.#news.set(call.id, call);
    if (this.#news.size === 0) return;
    const waitMs = Math.max(0, this.#toldAt + QUIET_MS - performance.now());
    this.#timer ??= window.setTimeout(() => this.#tell(), waitMs);
  }

  #tell(): void {
    this.#timer = undefined;
    this.#toldAt = performance.now();
    this.#region.textContent = newsOf([...this.#news.values()]);
    this.#news.clear();
  }
}
