import { createHash } from 'node:crypto';
import { REMEMBERED_SLOW_MS, REMEMBERED_SLOW_STATEMENTS } from './limits.ts';
import type { Request } from './messages.ts';

/** The requests that were slow a while ago, by their text: asked again, they need not be tried to know it. */
export class SlowStatements {
  readonly #seen = new Map<string, number>();

  isSlow(request: Request): boolean {
    if (this.#seen.size === 0) return false;
    const seenAt = this.#seen.get(keyOf(request));
    return seenAt !== undefined && performance.now() - seenAt < REMEMBERED_SLOW_MS;
  }

  add(request: Request): void {
    const key = keyOf(request);
    // Behind all others: the map forgets the one that was slow the longest ago.
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

/** A hash: a statement may have a megabyte. */
function keyOf(request: Request): string {
  return createHash('sha1').update(JSON.stringify(request)).digest('base64');
}
