import type { ChildHandle } from './child-handle.ts';
import { endedError } from './endings.ts';
import { IdleChildren } from './idle-children.ts';
import { SQLITE_MAX_CHILDREN, SQLITE_STARTING_CHILDREN } from './limits.ts';

export interface ChildPoolOptions {
  readonly newChild: () => ChildHandle;
  /** Asked when a child lets go of the file: whether any child has written to it. */
  readonly wroteHere: () => boolean;
  /** A child is ready, or there is room for another one. */
  readonly onChange: () => void;
  /** A child that was to stand ready ended before it was. */
  readonly onFailedStart: (error: unknown) => void;
}

/**
 * The processes of one database. A statement is given to a child that is ready, never to one that is starting: whoever
 * comes while it starts may be the one to have it.
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

  /** Children of the usual priority that wait for a statement. */
  get ready(): number {
    return this.#idle.count(false);
  }

  takeReady(): ChildHandle | undefined {
    const child = this.#idle.take(false);
    if (child !== undefined) this.#busy.add(child);
    return child;
  }

  /** A child of low priority, which may still be starting: a slow statement is in no hurry. */
  takeLowered(): ChildHandle | undefined {
    const child = this.#idle.take(true) ?? this.#newLowered();
    if (child !== undefined) this.#busy.add(child);
    return child;
  }

  /** Starts children until so many of the usual priority are ready or about to be. */
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

  /** Ends the children that nobody needed in the end; resolves when they are gone. */
  async endUnused(): Promise<void> {
    const unused = [...this.#starting, ...this.#idle.takeUnused()];
    this.#starting.clear();
    for (const child of unused) this.#dying.add(child);
    await Promise.all(unused.map((child) => child.kill().then(() => this.#dying.delete(child))));
  }

  /** Ends every process. The idle ones last: who lets go of the file as the last one takes the WAL away. */
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

  /** Whether one more process may start. Where none may, an idle one of the other priority makes room for the next time. */
  #hasRoom(makeWayLowered: boolean): boolean {
    const count = this.#busy.size + this.#idle.size + this.#starting.size + this.#dying.size;
    if (count < SQLITE_MAX_CHILDREN) return true;
    const other = this.#idle.take(makeWayLowered);
    if (other !== undefined) this.retire(other);
    return false;
  }
}
