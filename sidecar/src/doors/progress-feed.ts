import { PROGRESS_INTERVAL_MS } from '@devdb/shared/limits';
import type { Progress } from '@devdb/shared/protocol/lines';

/** Smaller than any step a tool reports, so that the tool's own next number is still larger. */
const BEAT = 0.001;

/** One timer for the feeds of many calls: a timer per call would cost more than a quick call itself. */
export class Heartbeat {
  readonly #feeds = new Set<ProgressFeed>();
  readonly #tickMs: number;
  #timer: NodeJS.Timeout | undefined;

  /** No feed is silent for longer than the interval. */
  constructor(intervalMs = PROGRESS_INTERVAL_MS) {
    this.#tickMs = intervalMs / 2;
  }

  add(feed: ProgressFeed): void {
    this.#feeds.add(feed);
    this.#timer ??= setInterval(() => this.#tick(), this.#tickMs).unref();
  }

  remove(feed: ProgressFeed): void {
    this.#feeds.delete(feed);
  }

  #tick(): void {
    for (const feed of this.#feeds) feed.beatAfter(this.#tickMs);
    if (this.#feeds.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}

/** A call's outgoing progress: always rising, and never silent for long, so that no client gives up on the call. */
export class ProgressFeed {
  readonly #send: (progress: Progress) => void;
  readonly #heartbeat: Heartbeat;
  readonly #started = performance.now();
  #last = 0;
  #lastSent = this.#started;
  #ended = false;

  constructor(send: (progress: Progress) => void, heartbeat = new Heartbeat()) {
    this.#send = send;
    this.#heartbeat = heartbeat;
    heartbeat.add(this);
  }

  report(progress: Progress): void {
    if (this.#ended) return;
    this.#lastSent = performance.now();
    this.#last = Math.max(progress.progress, this.#last + BEAT);
    this.#send({ ...progress, progress: this.#last });
  }

  /** Reports that the call still runs, if it has been silent for this long. */
  beatAfter(quietMs: number): void {
    const now = performance.now();
    if (now - this.#lastSent < quietMs) return;
    this.#lastSent = now;
    this.#last += BEAT;
    const seconds = Math.round((now - this.#started) / 1000);
    this.#send({ progress: this.#last, message: `Still running after ${seconds} s` });
  }

  /** Nothing is sent after this. */
  end(): void {
    this.#ended = true;
    this.#heartbeat.remove(this);
  }
}
