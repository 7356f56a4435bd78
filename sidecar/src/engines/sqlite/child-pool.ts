import type { ChildHandle } from './child-handle.ts';
import { endedError } from './endings.ts';
import { IdleChildren } from './idle-children.ts';
import { SQLITE_MAX_CHILDREN, SQLITE_STARTING_CHILDREN } from './limits.ts';

export interface ChildPoolOptions {
  readonly newChild: () => ChildHandle;
  /** Called when a child closes the file: whether any child has written to it. */
  readonly wroteHere: () => boolean;
  /** A child is ready, or there is room for another. */
  readonly onChange: () => void;
  /** A spare child ended before it was ready. */
  readonly onFailedStart: (error: unknown) => void;
}

/**
 * The processes of one database. A statement goes to a child that is ready, never to one that is starting: when that
 * one is ready, a later statement may get it.
 */
export class ChildPool {
  readonly #options: ChildPoolOptions;
  readonly #idle: IdleChildren;
  readonly #starting = new Set<ChildHandle>();
  readonly #busy = new Set<ChildHandle>();
  readonly #dying = new Set<ChildHandle>();
  #ending = false;

  constructor(options: ChildPoolOptions) {
    this.#options = options;
    this.#idle = new IdleChildren(options.wroteHere);
  }

  /** Children of normal priority that wait for a statement. */
  get ready(): number {
    return this.#idle.count(false);
  }

  takeReady(): ChildHandle | undefined {
    const child = this.#idle.take(false);
    if (child !== undefined) this.#busy.add(child);
    return child;
  }

  /** A child of low priority, which may still be starting: a slow statement can wait. */
  takeLowered(): ChildHandle | undefined {
    const child = this.#idle.take(true) ?? this.#newLowered();
    if (child !== undefined) this.#busy.add(child);
    return child;
  }

  /** Starts children until this many of normal priority are ready or starting. */
  prepare(wanted: number): void {
    while (this.ready + this.#starting.size < wanted && this.#starting.size < SQLITE_STARTING_CHILDREN) {
      if (!this.#hasRoom(true)) return;
      try {
        this.#start();
      } catch (error) {
        this.#options.onFailedStart(error);
        return;
      }
    }
  }

  giveBack(child: ChildHandle): void {
    this.#busy.delete(child);
    this.#idle.add(child);
  }

  retire(child: ChildHandle): void {
    this.#busy.delete(child);
    this.#dying.add(child);
    void child.close(this.#options.wroteHere()).then(() => {
      this.#dying.delete(child);
      this.#options.onChange();
    });
  }

  /** Ends the unneeded children; resolves when they are gone. */
  async endUnused(): Promise<void> {
    const unused = [...this.#starting, ...this.#idle.takeUnused()];
    if (unused.length === 0) return;
    this.#starting.clear();
    for (const child of unused) this.#dying.add(child);
    await Promise.all(unused.map((child) => child.kill().then(() => this.#dying.delete(child))));
  }

  /** Ends every process, idle ones last: the last one to close the file removes the WAL. */
  async end(): Promise<void> {
    this.#ending = true;
    await Promise.all([...this.#busy, ...this.#starting].map((child) => child.kill()));
    await Promise.all([...this.#dying].map(({ ended }) => ended));
    await this.#idle.end();
  }

  #start(): void {
    const child = this.#options.newChild();
    this.#starting.add(child);
    const isStarting = () => this.#starting.delete(child) && !this.#ending;
    void child.ready.then(() => {
      if (!isStarting()) return;
      this.#idle.add(child);
      this.#options.onChange();
    });
    void child.ended.then((ending) => {
      if (isStarting()) this.#options.onFailedStart(endedError(ending, false));
    });
  }

  #newLowered(): ChildHandle | undefined {
    if (!this.#hasRoom(false)) return undefined;
    const child = this.#options.newChild();
    child.lower();
    return child;
  }

  /**
   * Whether one more process may start. If not, an idle one of the other priority is ended to make room for next time.
   */
  #hasRoom(makeWayLowered: boolean): boolean {
    const count = this.#busy.size + this.#idle.size + this.#starting.size + this.#dying.size;
    if (count < SQLITE_MAX_CHILDREN) return true;
    const other = this.#idle.take(makeWayLowered);
    if (other !== undefined) this.retire(other);
    return false;
  }
}
