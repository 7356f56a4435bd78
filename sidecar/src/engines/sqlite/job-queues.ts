import {
  FRESH_PATIENCE_MS,
  FRESH_SUSPECT_MS,
  FRESH_TURN_MS,
  SLOW_PATIENCE_MS,
  SQLITE_FRESH_CHILDREN,
  SQLITE_MOST_FRESH_CHILDREN,
  SQLITE_MOST_SLOW_CHILDREN,
  SQLITE_SLOW_CHILDREN,
} from '@devdb/shared/limits';

/** Statements about which nothing is known, those that are slow, and those that write. */
export type QueueName = 'fresh' | 'slow' | 'write';

/** What waits. */
export interface Queued {
  /** When it joined its queue. */
  readonly since: number;
}

/** How many of a queue run at once, and how many when the first in the queue has lost its patience. */
const PLACES = {
  fresh: { usual: SQLITE_FRESH_CHILDREN, patienceMs: FRESH_PATIENCE_MS, most: SQLITE_MOST_FRESH_CHILDREN },
  slow: { usual: SQLITE_SLOW_CHILDREN, patienceMs: SLOW_PATIENCE_MS, most: SQLITE_MOST_SLOW_CHILDREN },
  write: { usual: 1, patienceMs: Number.POSITIVE_INFINITY, most: 1 },
} as const;
/** Quick statements first: they are over soon. */
export const QUEUE_ORDER = ['write', 'fresh', 'slow'] as const;

/** The statements of one database that wait for their turn, and whose turn it is. */
export class JobQueues<Job extends Queued> {
  readonly #queues: Readonly<Record<QueueName, Job[]>> = { fresh: [], slow: [], write: [] };

  add(name: QueueName, job: Job): void {
    this.#queues[name].push(job);
  }

  leave(job: Job): void {
    for (const queue of Object.values(this.#queues)) {
      const place = queue.indexOf(job);
      if (place >= 0) queue.splice(place, 1);
    }
  }

  /** All that wait; nothing waits any more. */
  takeAll(): Job[] {
    return Object.values(this.#queues).flatMap((queue) => queue.splice(0));
  }

  isEmpty(name: QueueName): boolean {
    return this.#queues[name].length === 0;
  }

  /**
   * The one that may start now, while so many of its queue run. Of statements about which nothing is known it is the
   * newest, so that a quick one does not wait until all that came together before it have been tried; who has waited for
   * long has its turn all the same. The places beyond the usual are for those who came lately: who waits for long waits
   * among slow ones, and may be one.
   */
  next(name: QueueName, running: number): Job | undefined {
    const queue = this.#queues[name];
    const [oldest, newest] = [queue[0], queue.at(-1)];
    if (oldest === undefined || newest === undefined) return undefined;
    if (running >= this.places(name)) return undefined;
    if (name !== 'fresh') return oldest;
    if (running < PLACES[name].usual) return waitedMs(oldest) < FRESH_TURN_MS ? newest : oldest;
    return isSuspect(newest) ? undefined : newest;
  }

  /** How many of a queue may run at once now. */
  places(name: QueueName): number {
    const { usual, most } = PLACES[name];
    return this.#patienceLeft(name) <= 0 ? most : usual;
  }

  /** After how long the next patience ends, which nothing else tells; undefined when none will. */
  nextImpatienceMs(): number | undefined {
    const left = QUEUE_ORDER.map((name) => this.#patienceLeft(name)).filter((ms) => ms > 0 && Number.isFinite(ms));
    return left.length === 0 ? undefined : Math.min(...left);
  }

  #patienceLeft(name: QueueName): number {
    const first = this.#queues[name][0];
    if (first === undefined) return Number.POSITIVE_INFINITY;
    return PLACES[name].patienceMs - waitedMs(first);
  }
}

/** Who has waited this long among others about which nothing is known may well be slow itself. */
export function isSuspect(job: Queued): boolean {
  return waitedMs(job) >= FRESH_SUSPECT_MS;
}

function waitedMs(job: Queued): number {
  return performance.now() - job.since;
}
