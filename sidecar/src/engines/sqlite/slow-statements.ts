import { createHash } from 'node:crypto';
import { REMEMBERED_SLOW_MS, REMEMBERED_SLOW_STATEMENTS } from './limits.ts';
import type { Request } from './messages.ts';

/** Requests that were slow recently, by their text: they need not be tried again to know it. */
export class SlowStatements {
  readonly #seen = new Map<string, number>();

  isSlow(request: Request): boolean {
    if (this.#seen.size === 0) return false;
    const seenAt = this.#seen.get(keyOf(request));
    return seenAt !== undefined && performance.now() - seenAt < REMEMBERED_SLOW_MS;
  }

  add(request: Request): void {
    const key = keyOf(request);
    // Moved to the end: the map forgets the one that has not been slow for the longest time.
    this.#seen.delete(key);
    this.#seen.set(key, performance.now());
    const [oldest] = this.#seen.keys();
    if (this.#seen.size > REMEMBERED_SLOW_STATEMENTS && oldest !== undefined) this.#seen.delete(oldest);
  }

  /** It was quick this time. */
  forget(request: Request): void {
    if (this.#seen.size > 0) this.#seen.delete(keyOf(request));
  }
}

/** A hash, since a statement may be a megabyte long. */
function keyOf(request: Request): string {
  return createHash('sha1').update(JSON.stringify(request)).digest('base64');
}
