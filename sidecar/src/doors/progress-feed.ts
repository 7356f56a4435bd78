import { PROGRESS_INTERVAL_MS } from '@devdb/shared/limits';
import type { Progress } from '@devdb/shared/protocol/lines';

/** Smaller than any step a tool reports, so that a tool's own next number is still larger. */
const BEAT = 0.001;

/** A call's progress on its way out: always rising, and never silent for long, so that no client gives the call up. */
export class ProgressFeed {
  readonly #send: (progress: Progress) => void;
  readonly #timer: NodeJS.Timeout;
  readonly #started = performance.now();
  #last = 0;
  #ended = false;

  constructor(send: (progress: Progress) => void, intervalMs = PROGRESS_INTERVAL_MS) {
    this.#send = send;
    this.#timer = setInterval(() => this.#beat(), intervalMs);
  }

  report(progress: Progress): void {
    if (this.#ended) return;
    this.#timer.refresh();
    this.#last = Math.max(progress.progress, this.#last + BEAT);
    this.#send({ ...progress, progress: this.#last });
  }

  /** Nothing is sent after this. */
  end(): void {
    this.#ended = true;
    clearInterval(this.#timer);
  }

  #beat(): void {
    this.#last += BEAT;
    const seconds = Math.round((performance.now() - this.#started) / 1000);
    this.#send({ progress: this.#last, message: `Still running after ${seconds} s` });
  }
}
