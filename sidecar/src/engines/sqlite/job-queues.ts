import {
  FRESH_SUSPECT_MS,
  FRESH_TURN_MS,
  SLOW_PATIENCE_MS,
  SQLITE_EXPORT_CHILDREN,
  SQLITE_FRESH_CHILDREN,
  SQLITE_MOST_FRESH_CHILDREN,
  SQLITE_MOST_SLOW_CHILDREN,
  SQLITE_SLOW_CHILDREN,
} from './limits.ts';

/** Statements of unknown speed, slow ones, writes, and exports. */
export type QueueName = 'fresh' | 'slow' | 'write' | 'export';

/** A waiting job. */
export interface Queued {
  /** When it joined its queue. */
  readonly since: number;
}

/**
 * Queues with few places come first, so that a stream of quick statements does not take every child that gets ready.
 */
export const QUEUE_ORDER = ['write', 'export', 'fresh', 'slow'] as const;

/** The waiting statements of one database, and which is next. */
export class JobQueues<Job extends Queued> {
  readonly #queues: Readonly<Record<QueueName, Job[]>> = { fresh: [], slow: [], write: [], export: [] };

  add(name: QueueName, job: Job): void {
    this.#queues[name].push(job);
  }

  leave(job: Job): void {
    for (const queue of Object.values(this.#queues)) {
      const place = queue.indexOf(job);
      if (place >= 0) queue.splice(place, 1);
    }
  }

  /** Removes and returns everything that waits. */
  takeAll(): Job[] {
    return Object.values(this.#queues).flatMap((queue) => queue.splice(0));
  }

  get areEmpty(): boolean {
    const { fresh, slow, write, export: exports } = this.#queues;
    return fresh.length + slow.length + write.length + exports.length === 0;
  }

  isEmpty(name: QueueName): boolean {
    return this.#queues[name].length === 0;
  }

  size(name: QueueName): number {
    return this.#queues[name].length;
  }

  /**
   * The job that may start now, with this many of its queue running. If others are found to wait for a lock, those that
   * have waited long most likely will too, and need no CPU: then they may use all places.
   */
  next(name: QueueName, running: number, othersWait = false): Job | undefined {
    if (running >= this.places(name)) return undefined;
    const usual = othersWait ? SQLITE_MOST_FRESH_CHILDREN : SQLITE_FRESH_CHILDREN;
    return name === 'fresh' ? this.#nextFresh(running, usual) : this.#queues[name][0];
  }

  /**
   * Of statements of unknown speed the newest starts first, so that a quick one need not wait until all earlier ones
   * have been tried; one that has waited long still gets its turn. The extra places are always for recent arrivals: a
   * statement that has waited long is among slow ones, and may be slow itself.
   */
  #nextFresh(running: number, usual: number): Job | undefined {
    const { fresh } = this.#queues;
    const [oldest, newest] = [fresh[0], fresh.at(-1)];
    if (oldest === undefined || newest === undefined) return undefined;
    if (running < usual) return waitedMs(oldest) < FRESH_TURN_MS ? newest : oldest;
    return waitedMs(newest) < FRESH_SUSPECT_MS ? newest : undefined;
  }

  /** How many of a queue may run at once now. */
  places(name: QueueName): number {
    switch (name) {
      case 'fresh':
        return SQLITE_MOST_FRESH_CHILDREN;
      case 'slow':
        return Math.min(SQLITE_SLOW_CHILDREN + this.#patiencesLost(), SQLITE_MOST_SLOW_CHILDREN);
      case 'export':
        return SQLITE_EXPORT_CHILDREN;
      case 'write':
        return 1;
    }
  }

  /** The time until another slow statement may start even if nothing else happens; undefined when none will. */
  nextImpatienceMs(): number | undefined {
    const first = this.#queues.slow[0];
    if (first === undefined || this.places('slow') >= SQLITE_MOST_SLOW_CHILDREN) return undefined;
    return (this.#patiencesLost() + 1) * SLOW_PATIENCE_MS - waitedMs(first);
  }

  /** A few endless statements must not block all others: the longer the first has waited, the more may run. */
  #patiencesLost(): number {
    const first = this.#queues.slow[0];
    return first === undefined ? 0 : Math.floor(waitedMs(first) / SLOW_PATIENCE_MS);
  }
}

function waitedMs(job: Queued): number {
  return performance.now() - job.since;
}
