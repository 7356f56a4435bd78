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

/** The state of a running statement between two checks. */
export interface Watched {
  readonly child: ChildHandle;
  readonly lane: string;
  /** When to ask for its usage next; undefined during a check, and when it is over. */
  checkAt: number | undefined;
  /** Its CPU time at the last check. */
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
  /** Whether others wait for a place for statements of unknown speed. */
  readonly isContended: () => boolean;
  readonly onSlow: (job: J) => void;
  readonly onWaits: (job: J) => void;
  /** Called after a check that changed nothing. */
  readonly onLooked: () => void;
  readonly onOverLimit: (job: J, error: AppError) => void;
}

/** These may have to grow a journal. */
const MAY_CHANGE: ReadonlySet<string> = new Set(['write', 'change-rows']);
/** Share of wall time; a statement that uses less CPU is waiting. A child that has to share a core still uses more. */
const WAITING_CPU_SHARE = 0.1;

/** Checks what running statements use: CPU time shows which are slow; memory and disk have limits. */
export class StatementWatch<J extends Job> {
  readonly #options: WatchOptions<J>;
  /** One timer for all: most statements end before it fires, and arming one for each would cost as much as they do. */
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
    const over = usage && this.#options.resources.note(running.child, usage, MAY_CHANGE.has(job.request.op));
    if (over !== undefined) return this.#options.onOverLimit(job, over);
    if (usage !== undefined) this.#look(job, running, usage);
    if (job.running !== running || running.child.unfit) return;
    this.#checkAfter(running, running.lane === 'fresh' ? SLOW_STATEMENT_CHECK_MS : RESOURCE_CHECK_MS);
  }

  /**
   * Waiting shows between two checks: the start does not count. A statement taken to be waiting may just not have got
   * CPU time, so checks continue.
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
