/** A moment at which something is to be done, unless it is cleared before. */
export interface Alarm {
  /** By `performance.now()`. */
  readonly at: number;
  readonly ring: () => void;
}

/**
 * Many alarms on one timer. Nearly all calls end long before their time is up: arming a timer of the system for each of
 * them costs more than all the rest of it.
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

  /** The timer goes on: it looks for the next alarm when it rings. */
  clear(alarm: Alarm): void {
    this.#alarms.delete(alarm);
  }

  #arm(at: number, afterMs: number): void {
    clearTimeout(this.#timer);
    this.#timerAt = at;
    // Whoever waits for a call holds the process; an alarm that nobody waits for must not.
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
