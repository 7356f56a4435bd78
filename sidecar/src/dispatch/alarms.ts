/** A time at which something happens, unless it is cleared before. */
export interface Alarm {
  /** On the clock of `performance.now()`. */
  readonly at: number;
  readonly ring: () => void;
}

/**
 * Many alarms on one timer. Nearly all calls end long before their deadline, and arming a system timer for each would
 * cost more than everything else here.
 */
export class Alarms {
  readonly #alarms = new Set<Alarm>();
  #timer: NodeJS.Timeout | undefined;
  #timerAt = Number.POSITIVE_INFINITY;

  set(afterMs: number, ring: () => void): Alarm {
    const alarm = { at: performance.now() + afterMs, ring };
    this.#alarms.add(alarm);
    if (alarm.at < this.#timerAt) this.#arm(alarm.at, afterMs);
    return alarm;
  }

  /** The timer keeps running: it looks for the next alarm when it fires. */
  clear(alarm: Alarm): void {
    this.#alarms.delete(alarm);
  }

  #arm(at: number, afterMs: number): void {
    clearTimeout(this.#timer);
    this.#timerAt = at;
    // A caller waiting for its call keeps the process alive; an alarm alone must not.
    this.#timer = setTimeout(() => this.#look(), Math.max(0, afterMs)).unref();
  }

  #look(): void {
    this.#timerAt = Number.POSITIVE_INFINITY;
    const now = performance.now();
    let next = Number.POSITIVE_INFINITY;
    for (const alarm of this.#alarms) {
      if (alarm.at > now) {
        next = Math.min(next, alarm.at);
      } else {
        this.#alarms.delete(alarm);
        alarm.ring();
      }
    }
    if (next < this.#timerAt) this.#arm(next, next - now);
  }
}
