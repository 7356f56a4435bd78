import { availableParallelism, loadavg } from 'node:os';
import { setTimeout as after } from 'node:timers/promises';
import { crowdFactor } from '@devdb/shared/crowd';
import { AppError } from '@devdb/shared/errors';
import { ensureHome, type Home } from '../host/home.ts';
import { TurnSeeker } from './file-lock.ts';
import { LOCK_TIMEOUT_MS } from './limits.ts';

const FIRST_PAUSE_MS = 2;
const LAST_PAUSE_MS = 25;
const LAST_PAUSE_OF_MANY_MS = 250;

export interface LockOptions {
  readonly home: Home;
  /** Where the native driver is. */
  readonly bundleDir: string;
  readonly timeoutMs?: number;
  /** How many times longer a holder takes now, among all that want the processors. */
  readonly crowd?: () => number;
}

/** The lock for every change in the home, between processes and within this one. */
export class HomeLock {
  readonly #home: Home;
  readonly #bundleDir: string;
  readonly #timeoutMs: number;
  readonly #crowd: () => number;
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  constructor({ home, bundleDir, timeoutMs = LOCK_TIMEOUT_MS, crowd = crowdNow }: LockOptions) {
    this.#home = home;
    this.#bundleDir = bundleDir;
    this.#timeoutMs = timeoutMs;
    this.#crowd = crowd;
  }

  /** Whether a change is waiting for its turn, perhaps behind other processes. */
  get isWaitedFor(): boolean {
    return this.#waiting > 0;
  }

  /**
   * Runs `change` under the lock. `change` is synchronous: the lock is held only as long as the disk needs, and never
   * across a wait.
   */
  run<T>(signal: AbortSignal, change: () => T): Promise<T> {
    const run = this.#last.then(() => this.#runAlone(signal, change));
    // The next change waits for the end of this one, whatever its outcome; a failure goes to this one's caller only.
    this.#last = run.catch(() => undefined);
    return run;
  }

  async #runAlone<T>(signal: AbortSignal, change: () => T): Promise<T> {
    const turn = new TurnSeeker(this.#home.lock, this.#bundleDir);
    this.#waiting += 1;
    try {
      await this.#wait(turn, signal);
      return change();
    } finally {
      this.#waiting -= 1;
      turn.close();
    }
  }

  async #wait(turn: TurnSeeker, signal: AbortSignal): Promise<void> {
    const began = performance.now();
    let lastTurn = turn.lastTurn;
    let lastSeen = began;
    for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, lastPause(began))) {
      signal.throwIfAborted();
      ensureHome(this.#home);
      if (turn.take()) return;
      // As long as others get their turns, no process hangs and ours will come.
      if (turn.lastTurn !== lastTurn) {
        lastTurn = turn.lastTurn;
        lastSeen = performance.now();
      }
      // Its holder needs a few milliseconds of a processor; where hundreds start at once, they may take it seconds.
      const longestMs = this.#timeoutMs * this.#crowd();
      if (performance.now() - lastSeen > longestMs) throw lockTimeout(this.#home.lock, longestMs);
      // No event reports that a file lock is free; a random pause keeps waiters from colliding again and again.
      await pauseFor(pause * (0.5 + Math.random()), signal);
    }
  }
}

function crowdNow(): number {
  return crowdFactor(loadavg()[0] ?? 0, availableParallelism());
}

/** After a long wait there must be many waiters, whose attempts must not take the time that the lock's holders need. */
function lastPause(began: number): number {
  return Math.min(Math.max(LAST_PAUSE_MS, (performance.now() - began) / 16), LAST_PAUSE_OF_MANY_MS);
}

async function pauseFor(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await after(ms, undefined, { signal });
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  }
}

function lockTimeout(file: string, timeoutMs: number): AppError {
  return new AppError(
    'E_INTERNAL',
    `Another DevDB process has held ${file} for ${Math.round(timeoutMs / 1000)} seconds.`,
    {
      hint: 'End DevDB processes that hang (`devdb status` lists them), then reload the window.',
    },
  );
}
