import type { Lifetime } from '@devdb/shared/lifetime';
import { SHUTDOWN_GRACE_MS } from '@devdb/shared/limits';
import type { CommandContext } from './command.ts';
import { SHUTDOWN_LONGEST_MS } from './limits.ts';

const LOOK_AGAIN_MS = 250;
const LATE_MS = 50;

/**
 * Closes everything a process opened; whatever hangs is cut off by the exit a few seconds later. A process still
 * waiting for its turn at the home's lock, behind many that end at the same moment, is given its turn.
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
    // A late check means the machine was short of CPU and everything else was late too: that does not count as hanging.
    if (now - last < LOOK_AGAIN_MS + LATE_MS) graceMs -= LOOK_AGAIN_MS;
    last = now;
    // After its turn it has the full grace period again.
    if (waitsForTurn()) graceMs = SHUTDOWN_GRACE_MS;
    if (graceMs <= 0 || now - began > SHUTDOWN_LONGEST_MS) process.exit(1);
    setTimeout(look, LOOK_AGAIN_MS).unref();
  };
  // Not cleared: a forgotten handle keeps a process alive just as a hanging close does.
  setTimeout(look, LOOK_AGAIN_MS).unref();
  for (const failure of await lifetime.end()) context.complain(`devdb: while ending: ${failure.message}`);
}
