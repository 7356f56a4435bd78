import type { Db } from '../catalog.ts';
import { BUSY_TIMEOUT_MS } from '../limits.ts';

/** Of the time that a call has left. The rest is for the answer, so that the sentence about the lock comes before the deadline. */
const SHARE = 0.75;

/** How long the running request waits for a locked file: never as long as its call goes on. */
export class Patience {
  #endsAt = Number.POSITIVE_INFINITY;
  #lockWaitMs = BUSY_TIMEOUT_MS;
  /** The timeout last set on each handle that stays open: setting it again would slow down a small query. */
  readonly #told = new WeakMap<Db, number>();

  /** A request begins, whose call has this time left; undefined where nothing bounds it. */
  begin(leftMs: number | undefined): void {
    this.#endsAt = leftMs === undefined ? Number.POSITIVE_INFINITY : performance.now() + leftMs;
    this.look();
  }

  /** How long a lock was or is waited for, by the last look. */
  get lockWaitMs(): number {
    return this.#lockWaitMs;
  }

  /** How long a lock may be waited for from now on. */
  look(): number {
    const shareMs = Math.floor((this.#endsAt - performance.now()) * SHARE);
    this.#lockWaitMs = Math.max(0, Math.min(BUSY_TIMEOUT_MS, shareMs));
    return this.#lockWaitMs;
  }

  /** Sets a handle's busy timeout to the current `lockWaitMs`. */
  applyTo(db: Db): Db {
    const ms = this.look();
    if (this.#told.get(db) !== ms) db.pragma(`busy_timeout = ${ms}`);
    this.#told.set(db, ms);
    return db;
  }
}
