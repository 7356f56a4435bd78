/** How much time is left of each deadline that ends a signal. */
const clocks = new WeakMap<AbortSignal, () => number>();

/** Says how long there is until a signal aborts. */
export function tellTimeLeft(signal: AbortSignal, leftMs: () => number): void {
  clocks.set(signal, leftMs);
}

/** Milliseconds until the signal's deadline; undefined for a signal without one. */
export function timeLeftMs(signal: AbortSignal): number | undefined {
  return clocks.get(signal)?.();
}
