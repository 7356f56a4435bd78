import type { ChildHandle } from './child-handle.ts';
import { SQLITE_CHILD_IDLE_MS, SQLITE_FILE_RELEASE_MS, SQLITE_LAST_CHILD_IDLE_MS } from './limits.ts';

interface Idle {
  readonly child: ChildHandle;
  readonly since: number;
  released: boolean;
}

const UPKEEP_MS = 500;

/**
 * Children that wait for work. They close the file soon, and end after a while; the last one stays longer. The last to
 * close a database removes its WAL, and of two that close it at the same moment neither is the last: so they close it
 * one after the other, the most recently used one last.
 */
export class IdleChildren {
  readonly #wroteHere: () => boolean;
  /** Those whose end is waited for: once each, however often they are used. */
  readonly #watched = new WeakSet<ChildHandle>();
  #idle: Idle[] = [];
  #upkeep: NodeJS.Timeout | undefined;

  /** `wroteHere` is called when a child closes the file: whether any child has written to it. */
  constructor(wroteHere: () => boolean) {
    this.#wroteHere = wroteHere;
  }

  get size(): number {
    return this.#idle.length;
  }

  /** Those that could take a statement of this priority. */
  count(lowered: boolean): number {
    return this.#idle.filter(({ child }) => child.lowered === lowered && !child.unfit).length;
  }

  add(child: ChildHandle): void {
    this.#idle.push({ child, since: Date.now(), released: false });
    this.#watch(child);
    this.#upkeep ??= setInterval(() => this.#tidy(), UPKEEP_MS).unref();
  }

  /** The most recently used one, whose caches are warm. */
  take(lowered: boolean): ChildHandle | undefined {
    const place = this.#idle.findLastIndex(({ child }) => child.lowered === lowered && !child.unfit);
    return place < 0 ? undefined : this.#idle.splice(place, 1)[0]?.child;
  }

  /** Those that never had a statement; the caller takes them over. */
  takeUnused(): ChildHandle[] {
    const unused = this.#idle.filter(({ child }) => child.isUnused);
    this.#idle = this.#idle.filter(({ child }) => !child.isUnused);
    return unused.map(({ child }) => child);
  }

  async end(): Promise<void> {
    clearInterval(this.#upkeep);
    const idle = this.#idle.splice(0);
    const last = idle.pop();
    await Promise.all(idle.map(({ child }) => child.close(this.#wroteHere())));
    await last?.child.close(this.#wroteHere());
  }

  #watch(child: ChildHandle): void {
    if (this.#watched.has(child)) return;
    this.#watched.add(child);
    void child.ended.then(() => {
      this.#idle = this.#idle.filter((idle) => idle.child !== child);
    });
  }

  #tidy(): void {
    const now = Date.now();
    const last = this.#idle.at(-1);
    const over = this.#idle.filter(
      (idle) => now - idle.since >= (idle === last ? SQLITE_LAST_CHILD_IDLE_MS : SQLITE_CHILD_IDLE_MS),
    );
    this.#idle = this.#idle.filter((idle) => !over.includes(idle));
    for (const { child } of over) void child.close(this.#wroteHere());
    if (over.length === 0) this.#releaseOne(now);
    if (this.#idle.length > 0) return;
    clearInterval(this.#upkeep);
    this.#upkeep = undefined;
  }

  #releaseOne(now: number): void {
    const idle = this.#idle.find(({ since, released }) => !released && now - since >= SQLITE_FILE_RELEASE_MS);
    if (idle === undefined) return;
    idle.released = true;
    idle.child.release(this.#wroteHere());
  }
}
