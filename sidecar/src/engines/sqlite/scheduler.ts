import { AppError } from '@devdb/shared/errors';
import { timeLeftMs } from '../../host/time-left.ts';
import { ChildEnded, type ChildHandle, type OnChunk, type Reply } from './child-handle.ts';
import { ChildPool } from './child-pool.ts';
import { endedError, reasonOf, withUnknownOutcome } from './endings.ts';
import { JobQueues, QUEUE_ORDER, type QueueName } from './job-queues.ts';
import { SLOW_CONTENDED_CPU_MS, SQLITE_KEPT_SLOW_CHILDREN, SQLITE_WARM_CHILDREN } from './limits.ts';
import type { Request } from './messages.ts';
import type { Resources } from './resources.ts';
import { SlowStatements } from './slow-statements.ts';
import { StatementWatch, type Watched } from './statement-watch.ts';

/** `export` sends rows as it goes, so it cannot start over; `write` may have written. */
export type JobKind = 'read' | 'export' | 'write';

/**
 * The queue in which a running job counts. `waiting` occupies no place: it waits for a lock or for a reader of its
 * rows.
 */
type Lane = QueueName | 'waiting';

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

interface Running extends Watched {
  lane: Lane;
  /** Killed in order to start again among the slow ones. */
  startOver: boolean;
  /** Why it was killed, if its call did not cancel it. */
  stopped: AppError | undefined;
}

/** If there were quick statements within this time, the next one is likely to come soon. */
const QUICK_RECENTLY_MS = 1_000;

/** Decides when each statement of one database runs, and in which child: slow statements never hold up quick ones. */
export class Scheduler {
  readonly #pool: ChildPool;
  readonly #watch: StatementWatch<Job>;
  readonly #queues = new JobQueues<Job>();
  readonly #running = new Set<Job>();
  readonly #slow = new SlowStatements();
  #hasWritten = false;
  /** When a quick statement last finished. */
  #quickAt = Number.NEGATIVE_INFINITY;
  #patience: NodeJS.Timeout | undefined;
  #ended: Promise<void> | undefined;

  constructor(newChild: () => ChildHandle, resources: Resources) {
    this.#pool = new ChildPool({
      newChild,
      wroteHere: () => this.#hasWritten,
      onChange: () => this.#pump(),
      onFailedStart: (error) => this.#failOne(error),
    });
    this.#watch = new StatementWatch({
      running: this.#running,
      resources,
      isContended: () => !this.#queues.isEmpty('fresh'),
      onSlow: (job) => this.#isSlow(job),
      onWaits: (job) => this.#waits(job),
      onLooked: () => this.#pump(),
      onOverLimit: (job, error) => this.#stop(job, error),
    });
  }

  /** Resolves with the child's reply. An abort kills the statement and rejects with the signal's reason. */
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
      this.#queues.add(this.#queueFor(job), job);
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
    this.#watch.end();
    for (const job of this.#queues.takeAll()) this.#settle(job, () => job.reject(closedError()));
    await this.#pool.end();
  }

  #queueFor({ kind, request }: Job): QueueName {
    if (kind !== 'read') return kind;
    return this.#slow.isSlow(request) ? 'slow' : 'fresh';
  }

  #pump(): void {
    if (this.#ended !== undefined) return;
    if (this.#isIdle) {
      clearTimeout(this.#patience);
      return;
    }
    for (const name of QUEUE_ORDER) {
      for (let job = this.#next(name); job !== undefined; job = this.#next(name)) {
        if (!this.#startFrom(name, job)) break;
      }
    }
    this.#pool.prepare(Math.max(this.#startable(), this.#spare()));
    this.#lookAgain();
  }

  #next(name: QueueName): Job | undefined {
    if (this.#queues.isEmpty(name)) return undefined;
    return this.#queues.next(name, this.#count(name), this.#count('waiting') > 0);
  }

  /** False when no child is ready. */
  #startFrom(name: QueueName, job: Job): boolean {
    try {
      const child = name === 'slow' ? this.#pool.takeLowered() : this.#pool.takeReady();
      if (child === undefined) return false;
      this.#queues.leave(job);
      this.#start(job, child, name);
    } catch (error) {
      this.#fail(job, error);
    }
    return true;
  }

  /** How many could start if their children were ready. */
  #startable(): number {
    if (this.#queues.areEmpty) return 0;
    const names = ['write', 'fresh', 'export'] as const;
    const open = (name: QueueName) =>
      this.#next(name) === undefined
        ? 0
        : Math.min(this.#queues.size(name), this.#queues.places(name) - this.#count(name));
    return names.reduce((sum, name) => sum + open(name), 0);
  }

  /** Spare children for the next quick statements, while the running ones may be slow. */
  #spare(): number {
    let spare = 0;
    for (const { running } of this.#running) {
      if (running?.lane !== 'fresh') continue;
      if (!this.#queues.isEmpty('fresh')) return SQLITE_WARM_CHILDREN;
      if (running.cpuMs >= SLOW_CONTENDED_CPU_MS && performance.now() - this.#quickAt < QUICK_RECENTLY_MS) spare = 1;
    }
    return spare;
  }

  /** Patience runs out even if nothing else happens. */
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

  #start(job: Job, child: ChildHandle, lane: QueueName): void {
    const running: Running = {
      child,
      lane,
      checkAt: undefined,
      cpuMs: 0,
      wallMs: 0,
      startOver: false,
      stopped: undefined,
    };
    job.running = running;
    this.#running.add(job);
    if (lane === 'write') this.#hasWritten = true;
    this.#watch.begin(running);
    child.send({ ...job.request, leftMs: timeLeftMs(job.signal) }, job.onChunk).then(
      (reply) => this.#finish(job, running, () => job.resolve(reply)),
      (error: unknown) => this.#endedEarly(job, running, error),
    );
  }

  #finish(job: Job, running: Running, settle: () => void): void {
    this.#leave(job);
    this.#settle(job, settle);
    const { child, lane } = running;
    if (lane === 'fresh') {
      this.#quickAt = performance.now();
      this.#slow.forget(job.request);
    }
    const useful = !child.lowered || !this.#queues.isEmpty('slow');
    if (child.unfit || !useful || this.#ended !== undefined) this.#pool.retire(child);
    else this.#pool.giveBack(child);
    this.#pump();
    if (this.#isIdle) void this.#pool.endUnused();
  }

  #endedEarly(job: Job, running: Running, error: unknown): void {
    this.#leave(job);
    if (running.startOver && !job.signal.aborted && this.#ended === undefined) {
      job.since = performance.now();
      this.#queues.add('slow', job);
    } else {
      this.#settle(job, () => job.reject(this.#reasonFor(job, running, error)));
    }
    this.#pool.retire(running.child);
    if (job.kind === 'write' && job.request.op !== 'recover') this.#recover();
    this.#pump();
    void this.#endUnused();
  }

  /**
   * One of our writers was killed. If the repair fails because the file is locked, reads use a copy, and the next write
   * repairs it.
   */
  #recover(): void {
    this.run({ op: 'recover' }, 'write', new AbortController().signal).catch(() => undefined);
  }

  #reasonFor(job: Job, { stopped }: Running, error: unknown): unknown {
    if (job.signal.aborted) return reasonOf(job.signal);
    if (this.#ended !== undefined) return closedError();
    if (stopped !== undefined) return job.kind === 'write' ? withUnknownOutcome(stopped) : stopped;
    return error instanceof ChildEnded ? endedError(error.ending, job.kind === 'write') : error;
  }

  #leave(job: Job): void {
    if (job.running !== undefined) this.#watch.over(job.running);
    this.#running.delete(job);
    job.running = undefined;
  }

  #settle(job: Job, settle: () => void): void {
    job.signal.removeEventListener('abort', job.onAbort);
    settle();
  }

  #abort(job: Job): void {
    if (job.running !== undefined) {
      // Settled when the process is gone: only then has the statement really stopped.
      void job.running.child.kill();
      return;
    }
    this.#queues.leave(job);
    // Settled when the process started for it is gone, unless others need that process.
    void this.#endUnused().then(() => this.#fail(job, reasonOf(job.signal)));
  }

  /** Spare children exist only while something runs or waits. */
  async #endUnused(): Promise<void> {
    if (this.#isIdle) await this.#pool.endUnused();
  }

  /** Nothing runs or waits. */
  get #isIdle(): boolean {
    return this.#running.size === 0 && this.#queues.areEmpty;
  }

  #fail(job: Job, error: unknown): void {
    this.#queues.leave(job);
    this.#settle(job, () => job.reject(error));
  }

  /** A process that cannot be started fails one call, so that the others do not wait for ever. */
  #failOne(error: unknown): void {
    for (const name of ['write', 'fresh', 'export'] as const) {
      const job = this.#next(name);
      if (job === undefined) continue;
      this.#fail(job, error);
      setImmediate(() => this.#pump());
      return;
    }
  }

  #waits({ running }: Job): void {
    if (running?.lane !== 'fresh') return;
    running.lane = 'waiting';
    this.#pump();
  }

  /** Gives up its place. A read that finds no place among the slow ones starts over when there is one. */
  #isSlow(job: Job): void {
    const { running } = job;
    if (running === undefined) return;
    this.#slow.add(job.request);
    if (this.#count('slow') < SQLITE_KEPT_SLOW_CHILDREN) {
      running.lane = 'slow';
      running.child.lower();
      this.#pump();
      return;
    }
    running.startOver = true;
    void running.child.kill();
  }

  #stop({ running }: Job, error: AppError): void {
    if (running === undefined) return;
    running.stopped = error;
    void running.child.kill();
  }
}

function closedError(): AppError {
  return new AppError('E_CANCELLED', 'The database was closed while the statement ran or waited.', {
    hint: 'Call again: the database is reopened.',
  });
}
