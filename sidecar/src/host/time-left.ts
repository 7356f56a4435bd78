/** How much time is left of each deadline that ends a signal. */
const clocks = new WeakMap<AbortSignal, () => number>();

/** Lets whoever works until the signal aborts know how long that is. */
export function tellTimeLeft(signal: AbortSignal, leftMs: () => number): void {
  clocks.set(signal, leftMs);
}

/** Milliseconds until the signal's deadline; undefined for a signal without one. */
export function timeLeftMs(signal: AbortSignal): number | undefined {
  return clocks.get(signal)?.();
}
