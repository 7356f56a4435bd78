/** Milliseconds since `start`, a time of `performance.now()`: rounded to microseconds, since further digits mean nothing. */
export function msSince(start: number): number {
  return Math.round((performance.now() - start) * 1000) / 1000;
}
