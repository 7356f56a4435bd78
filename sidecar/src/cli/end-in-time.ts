import type { Lifetime } from '@devdb/shared/lifetime';
import { SHUTDOWN_GRACE_MS } from '@devdb/shared/limits';
import type { CommandContext } from './command.ts';
import { SHUTDOWN_LONGEST_MS } from './limits.ts';

const LOOK_AGAIN_MS = 250;
const LATE_MS = 50;

/**
 * Closes everything a process opened; what hangs is cut off by the exit a few seconds later. A process that only waits
 * for its turn in the home, behind many others that end in the same moment, gets it.
 */
export async function endInTime(
  lifetime: Lifetime,
  context: CommandContext,
  waitsForTurn: () => boolean,
): Promise<void> {
  const began = performance.now();
  let last = began;
  let graceMs = SHUTDOWN_GRACE_MS;
  const look = () => {
    const now = performance.now();
    // A look that comes late was kept waiting for a processor, and so was everything else here: that is no hanging.
    if (now - last < LOOK_AGAIN_MS + LATE_MS) graceMs -= LOOK_AGAIN_MS;
    last = now;
    // What comes after its turn has as much time as if there had been none to wait for.
    if (waitsForTurn()) graceMs = SHUTDOWN_GRACE_MS;
    if (graceMs <= 0 || now - began > SHUTDOWN_LONGEST_MS) process.exit(1);
    setTimeout(look, LOOK_AGAIN_MS).unref();
  };
  // Not cleared: a handle that somebody forgot keeps a process alive just as a close that hangs does.
  setTimeout(look, LOOK_AGAIN_MS).unref();
  for (const failure of await lifetime.end()) context.complain(`devdb: while ending: ${failure.message}`);
}
