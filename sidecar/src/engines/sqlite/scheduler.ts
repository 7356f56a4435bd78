import { AppError } from '@devdb/shared/errors';
import {
  GIVE_WAY_CPU_MS,
  SLOW_CONTENDED_CPU_MS,
  SLOW_STATEMENT_CHECK_MS,
  SLOW_STATEMENT_CPU_MS,
  SQLITE_FRESH_CHILDREN,
  SQLITE_MAX_CHILDREN,
  WAITING_STATEMENT_MS,
} from '@devdb/shared/limits';
import { ChildEnded, type ChildHandle, type OnChunk, type Reply } from './child-handle.ts';
import { endedError, reasonOf } from './endings.ts';
import { IdleChildren } from './idle-children.ts';
import { isSuspect, JobQueues, QUEUE_ORDER, type QueueName } from './job-queues.ts';
import type { Request } from './messages.ts';

/** `export` sends rows as it goes, so that it cannot be started over; `write` may have written. */
export type JobKind = 'read' | 'export' | 'write';

/** Where a running job counts. `waiting` holds no place: it waits for a lock or a reader of its rows. */
type Lane = 'fresh' | 'slow' | 'waiting' | 'write';

interface Job {
  readonly request: Request;
  readonly kind: JobKind;
  readonly signal: AbortSignal;
  readonly onChunk: OnChunk | undefined;
  readonly resolve: (reply: Reply) => void;
  readonly reject: (error: unknown) => void;
  readonly onAbort: () => void;
  /** When it joined its queue. */
  since: number;
  running: Running | undefined;
}

interface Running {
  readonly child: ChildHandle;
  lane: Lane;
  /** When it is asked for its CPU time next; undefined while nobody wants to know. */
  checkAt: number | undefined;
  /** Killed in order to be started again in the slow lane. */
  startOver: boolean;
}

/** Of its wall time; who uses less waits. A child that has to share a core uses more. */
const WAITING_CPU_SHARE = 0.1;

/** Which statement of one database runs when, in which child: quick ones are never held up by slow ones. */
export class Scheduler {
  readonly #newChild: () => ChildHandle;
  readonly #idle = new IdleChildren(() => this.#hasWritten);
  readonly #queues = new JobQueues<Job>();
  readonly #running = new Set<Job>();
  readonly #dying = new Set<ChildHandle>();
  #hasWritten = false;
  #patience: NodeJS.Timeout | undefined;
  /** One for all: most statements end before it, and arming one for each of them would cost as much as they do. */
  #checks: NodeJS.Timeout | undefined;
  #ended: Promise<void> | undefined;

  constructor(newChild: () => ChildHandle) {
    this.#newChild = newChild;
  }

  /** Resolves with the child's reply. An aborted signal kills the statement and rejects with the signal's reason. */
  run(request: Request, kind: JobKind, signal: AbortSignal, onChunk?: OnChunk): Promise<Reply> {
    if (this.#ended !== undefined) return Promise.reject(closedError());
    if (signal.aborted) return Promise.reject(reasonOf(signal));
    return new Promise((resolve, reject) => {
      const job: Job = {
        request,
        kind,
        signal,
        onChunk,
        resolve,
        reject,
        onAbort: () => this.#abort(job),
        since: performance.now(),
        running: undefined,
      };
      signal.addEventListener('abort', job.onAbort, { once: true });
      this.#queues.add(kind === 'write' ? 'write' : 'fresh', job);
      this.#pump();
    });
  }

  /** Ends every statement and every process. */
  end(): Promise<void> {
    this.#ended ??= this.#endAll();
    return this.#ended;
  }

  async #endAll(): Promise<void> {
    clearTimeout(this.#patience);
    clearTimeout(this.#checks);
    for (const job of this.#queues.takeAll()) this.#settle(job, () => job.reject(closedError()));
    // The idle ones last: who lets go of the file as the last one takes the WAL away.
    await Promise.all([...this.#running].map(({ running }) => running?.child.kill()));
    await Promise.all([...this.#dying].map(({ ended }) => ended));
    await this.#idle.end();
  }

  #pump(): void {
    if (this.#ended !== undefined) return;
    for (const name of QUEUE_ORDER) {
      while (!this.#queues.isEmpty(name)) {
        const job = this.#queues.next(name, this.#count(name));
        if (job === undefined) break;
        if (!this.#startFrom(name, job)) return;
      }
    }
    if (this.#running.size > 0) this.#lookAgain();
  }

  /** False when there is no room for another process. */
  #startFrom(name: QueueName, job: Job): boolean {
    try {
      const child = this.#childFor(name === 'slow', name === 'fresh' && isSuspect(job));
      if (child === undefined) return false;
      this.#queues.leave(job);
      this.#start(job, child, name);
    } catch (error) {
      this.#queues.leave(job);
      this.#settle(job, () => job.reject(error));
    }
    return true;
  }

  /** Patience ends without anything else happening. */
  #lookAgain(): void {
    clearTimeout(this.#patience);
    const ms = this.#queues.nextImpatienceMs();
    if (ms !== undefined) this.#patience = setTimeout(() => this.#pump(), Math.ceil(ms));
  }

  #count(lane: Lane): number {
    let count = 0;
    for (const { running } of this.#running) if (running?.lane === lane) count += 1;
    return count;
  }

  /** An idle child of that priority, or a new one while there is room. The last idle one may be left to others. */
  #childFor(slow: boolean, leaveOne: boolean): ChildHandle | undefined {
    const isFull = this.#running.size + this.#idle.size + this.#dying.size >= SQLITE_MAX_CHILDREN;
    const idle = leaveOne && !isFull && this.#idle.count(slow) === 1 ? undefined : this.#idle.take(slow);
    if (idle !== undefined) return idle;
    if (isFull) {
      const other = this.#idle.take(!slow);
      if (other === undefined) return undefined;
      this.#retire(other);
    }
    const child = this.#newChild();
    if (slow) child.lower();
    return child;
  }

  #start(job: Job, child: ChildHandle, lane: Lane): void {
    const running: Running = { child, lane, checkAt: undefined, startOver: false };
    job.running = running;
    this.#running.add(job);
    if (lane === 'write') this.#hasWritten = true;
    if (lane === 'fresh') this.#checkLater(running);
    child.send(job.request, job.onChunk).then(
      (reply) => this.#finish(job, running, () => job.resolve(reply)),
      (error: unknown) => this.#fail(job, running, error),
    );
  }

  #finish(job: Job, running: Running, settle: () => void): void {
    this.#leave(job, running);
    this.#settle(job, settle);
    const { child } = running;
    const useful = !child.lowered || !this.#queues.isEmpty('slow');
    if (child.unfit || !useful || this.#ended !== undefined) this.#retire(child);
    else this.#idle.add(child);
    this.#pump();
  }

  #fail(job: Job, running: Running, error: unknown): void {
    this.#leave(job, running);
    if (running.startOver && !job.signal.aborted && this.#ended === undefined) {
      job.since = performance.now();
      this.#queues.add('slow', job);
    } else {
      this.#settle(job, () => job.reject(this.#reasonFor(job, error)));
    }
    this.#retire(running.child);
    this.#pump();
  }

  #reasonFor(job: Job, error: unknown): unknown {
    if (job.signal.aborted) return reasonOf(job.signal);
    if (this.#ended !== undefined) return closedError();
    return error instanceof ChildEnded ? endedError(error.ending, job.kind === 'write') : error;
  }

  #leave(job: Job, running: Running): void {
    running.checkAt = undefined;
    this.#running.delete(job);
    job.running = undefined;
  }

  #settle(job: Job, settle: () => void): void {
    job.signal.removeEventListener('abort', job.onAbort);
    settle();
  }

  #abort(job: Job): void {
    if (job.running !== undefined) {
      // Settled when the process is gone: then the statement has really stopped.
      void job.running.child.kill();
      return;
    }
    this.#queues.leave(job);
    this.#settle(job, () => job.reject(reasonOf(job.signal)));
  }

  #retire(child: ChildHandle): void {
    this.#dying.add(child);
    void child.close(this.#hasWritten).then(() => {
      this.#dying.delete(child);
      this.#pump();
    });
  }

  #checkLater(running: Running): void {
    running.checkAt = performance.now() + SLOW_STATEMENT_CHECK_MS;
    this.#checks ??= setTimeout(() => this.#checkDue(), SLOW_STATEMENT_CHECK_MS);
  }

  #checkDue(): void {
    const now = performance.now();
    let next = Number.POSITIVE_INFINITY;
    for (const job of this.#running) {
      const { running } = job;
      if (running?.checkAt === undefined) continue;
      if (running.checkAt > now) {
        next = Math.min(next, running.checkAt);
      } else {
        running.checkAt = undefined;
        void this.#check(job, running);
      }
    }
    this.#checks = next === Number.POSITIVE_INFINITY ? undefined : setTimeout(() => this.#checkDue(), next - now);
  }

  async #check(job: Job, running: Running): Promise<void> {
    const usage = await running.child.usage();
    if (job.running !== running || running.child.unfit) return;
    const contended = this.#count('fresh') >= SQLITE_FRESH_CHILDREN;
    const cpuMs = usage?.cpuMs ?? 0;
    if (cpuMs >= (contended ? SLOW_CONTENDED_CPU_MS : SLOW_STATEMENT_CPU_MS)) {
      this.#isSlow(job, running);
      return;
    }
    // Makes room for children that are just starting; costs no more than a new process later.
    if (contended && cpuMs >= GIVE_WAY_CPU_MS && !running.child.lowered) running.child.lower();
    const waits =
      usage !== undefined && usage.wallMs >= WAITING_STATEMENT_MS && usage.cpuMs < usage.wallMs * WAITING_CPU_SHARE;
    if (waits && running.lane === 'fresh') {
      running.lane = 'waiting';
      this.#pump();
    }
    this.#checkLater(running);
  }

  /** Leaves its place to others. A read that finds no place among the slow ones starts over when there is one. */
  #isSlow(job: Job, running: Running): void {
    if (this.#count('slow') < this.#queues.places('slow') || job.kind === 'export') {
      running.lane = 'slow';
      running.child.lower();
      this.#pump();
      return;
    }
    running.startOver = true;
    void running.child.kill();
  }
}

function closedError(): AppError {
  return new AppError('E_CANCELLED', 'The database was closed while the statement ran or waited.', {
    hint: 'Call again: the database is opened anew.',
  });
}
