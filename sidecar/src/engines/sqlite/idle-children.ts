import { SQLITE_CHILD_IDLE_MS, SQLITE_FILE_RELEASE_MS, SQLITE_LAST_CHILD_IDLE_MS } from '@devdb/shared/limits';
import type { ChildHandle } from './child-handle.ts';

interface Idle {
  readonly child: ChildHandle;
  readonly since: number;
  released: boolean;
}

const UPKEEP_MS = 1_000;

/** Children that wait for work. They let go of the file soon, and end after a while; the last one stays longer. */
export class IdleChildren {
  readonly #wroteHere: () => boolean;
  #idle: Idle[] = [];
  #upkeep: NodeJS.Timeout | undefined;

  /** `wroteHere` is asked when a child lets go of the file: whether any child has written to it. */
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
    void child.ended.then(() => {
      this.#idle = this.#idle.filter((idle) => idle.child !== child);
    });
    this.#upkeep ??= setInterval(() => this.#tidy(), UPKEEP_MS).unref();
  }

  /** The one used last, whose caches are warm. */
  take(lowered: boolean): ChildHandle | undefined {
    const place = this.#idle.findLastIndex(({ child }) => child.lowered === lowered && !child.unfit);
    return place < 0 ? undefined : this.#idle.splice(place, 1)[0]?.child;
  }

  async end(): Promise<void> {
    clearInterval(this.#upkeep);
    await Promise.all(this.#idle.splice(0).map(({ child }) => child.close(this.#wroteHere())));
  }

  #tidy(): void {
    const now = Date.now();
    const last = this.#idle.at(-1);
    this.#idle = this.#idle.filter((idle) => {
      const age = now - idle.since;
      if (age >= (idle === last ? SQLITE_LAST_CHILD_IDLE_MS : SQLITE_CHILD_IDLE_MS)) {
        void idle.child.close(this.#wroteHere());
        return false;
      }
      if (age >= SQLITE_FILE_RELEASE_MS && !idle.released) {
        idle.released = true;
        idle.child.release(this.#wroteHere());
      }
      return true;
    });
    if (this.#idle.length > 0) return;
    clearInterval(this.#upkeep);
    this.#upkeep = undefined;
  }
}
