import type { AppError } from '@devdb/shared/errors';
import type { ChildHandle, Usage } from './child-handle.ts';
import {
  RESOURCE_CHECK_MS,
  SLOW_CONTENDED_CPU_MS,
  SLOW_STATEMENT_CHECK_MS,
  SLOW_STATEMENT_CPU_MS,
  WAITING_STATEMENT_MS,
} from './limits.ts';
import type { Resources } from './resources.ts';

/** What is kept of a running statement between two looks at it. */
export interface Watched {
  readonly child: ChildHandle;
  readonly lane: string;
  /** When it is asked for its usage next; undefined while it is being asked, and when it is over. */
  checkAt: number | undefined;
  /** What it had used at the last look. */
  cpuMs: number;
  wallMs: number;
}

interface Job {
  readonly running: Watched | undefined;
  readonly request: { readonly op: string };
}

export interface WatchOptions<J> {
  readonly running: ReadonlySet<J>;
  readonly resources: Resources;
  /** Whether others wait for a place of a statement about which nothing is known. */
  readonly isContended: () => boolean;
  readonly onSlow: (job: J) => void;
  readonly onWaits: (job: J) => void;
  /** One was looked at that goes on as it is. */
  readonly onLooked: () => void;
  readonly onOverLimit: (job: J, error: AppError) => void;
}

/** Of its wall time; who uses less waits. A child that has to share a core uses more. */
const WAITING_CPU_SHARE = 0.1;

/** Looks at what running statements use: CPU time tells the slow ones, memory and disk have limits. */
export class StatementWatch<J extends Job> {
  readonly #options: WatchOptions<J>;
  /** One for all: most statements end before it, and arming one for each of them would cost as much as they do. */
  #timer: NodeJS.Timeout | undefined;
  #timerAt = Number.POSITIVE_INFINITY;
  #ended = false;

  constructor(options: WatchOptions<J>) {
    this.#options = options;
  }

  /** A statement has started. */
  begin(running: Watched): void {
    this.#checkAfter(running, SLOW_STATEMENT_CHECK_MS);
  }

  /** It has ended. */
  over(running: Watched): void {
    running.checkAt = undefined;
    this.#options.resources.forget(running.child);
  }

  end(): void {
    this.#ended = true;
    clearTimeout(this.#timer);
  }

  #checkAfter(running: Watched, ms: number): void {
    running.checkAt = performance.now() + ms;
    this.#wakeAt(running.checkAt);
  }

  #wakeAt(at: number): void {
    if (this.#ended || at >= this.#timerAt) return;
    clearTimeout(this.#timer);
    this.#timerAt = at;
    this.#timer = setTimeout(() => this.#checkDue(), Math.max(at - performance.now(), 1));
  }

  #checkDue(): void {
    const now = performance.now();
    let next = Number.POSITIVE_INFINITY;
    this.#timerAt = next;
    for (const job of this.#options.running) {
      const { running } = job;
      if (running?.checkAt === undefined) continue;
      if (running.checkAt > now) {
        next = Math.min(next, running.checkAt);
      } else {
        running.checkAt = undefined;
        void this.#check(job, running);
      }
    }
    this.#wakeAt(next);
  }

  async #check(job: J, running: Watched): Promise<void> {
    const usage = await running.child.usage();
    if (this.#ended || job.running !== running || running.child.unfit) return;
    const over = usage && this.#options.resources.note(running.child, usage, job.request.op === 'write');
    if (over !== undefined) return this.#options.onOverLimit(job, over);
    if (usage !== undefined) this.#look(job, running, usage);
    if (job.running !== running || running.child.unfit) return;
    this.#checkAfter(running, running.lane === 'fresh' ? SLOW_STATEMENT_CHECK_MS : RESOURCE_CHECK_MS);
  }

  /**
   * Waiting shows between two looks: what starting took does not count. One that is taken to wait may only have had no
   * share of the CPU just then, so that it is judged on.
   */
  #look(job: J, running: Watched, { cpuMs, wallMs }: Usage): void {
    const usedMs = cpuMs - running.cpuMs;
    const waits = wallMs >= WAITING_STATEMENT_MS && usedMs < (wallMs - running.wallMs) * WAITING_CPU_SHARE;
    running.cpuMs = cpuMs;
    running.wallMs = wallMs;
    this.#judge(job, running, waits);
  }

  #judge(job: J, { lane, child, cpuMs }: Watched, waits: boolean): void {
    const { isContended, onSlow, onWaits, onLooked } = this.#options;
    const most = lane === 'fresh' && isContended() ? SLOW_CONTENDED_CPU_MS : SLOW_STATEMENT_CPU_MS;
    const isSlow = !waits && cpuMs >= most;
    if (isSlow && (lane === 'fresh' || lane === 'waiting')) onSlow(job);
    else if (isSlow && lane === 'export' && !child.lowered) child.lower();
    else if (waits && lane === 'fresh') onWaits(job);
    else onLooked();
  }
}
