/** Reports many changes at once: each by its own deadline at the latest. */
export class PacedNews {
  readonly #report: () => void;
  #timer: NodeJS.Timeout | undefined;
  #at = Number.POSITIVE_INFINITY;

  constructor(report: () => void) {
    this.#report = report;
  }

  /** There is something to report, within this time. */
  within(ms: number): void {
    const at = performance.now() + ms;
    if (at >= this.#at) return;
    clearTimeout(this.#timer);
    this.#at = at;
    this.#timer = setTimeout(() => this.now(), ms);
  }

  now(): void {
    this.end();
    this.#report();
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#at = Number.POSITIVE_INFINITY;
  }
}
