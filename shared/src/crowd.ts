/** However crowded a machine is, what takes longer than this many times its limit hangs. */
const MOST = 10;

/**
 * How many times longer things take on a machine whose processes wait for its processors: 1 while there is one for each.
 * `load` is the average of the last minute, as the system tells it; where it tells none, it is 0.
 */
export function crowdFactor(load: number, processors: number): number {
  return Math.min(Math.max(load / processors, 1), MOST);
}
