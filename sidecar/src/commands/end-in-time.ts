import type { Lifetime } from '@devdb/shared/lifetime';
import { SHUTDOWN_GRACE_MS, SHUTDOWN_LONGEST_MS } from '@devdb/shared/limits';
import type { CommandContext } from './command.ts';

const LOOK_AGAIN_MS = 250;

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
  const cutOff = () => {
    const mayWait = performance.now() - began < SHUTDOWN_LONGEST_MS;
    if (mayWait && waitsForTurn()) setTimeout(cutOff, LOOK_AGAIN_MS).unref();
    else process.exit(1);
  };
  // Not cleared: a handle that somebody forgot keeps a process alive just as a close that hangs does.
  setTimeout(cutOff, SHUTDOWN_GRACE_MS).unref();
  for (const failure of await lifetime.end()) context.complain(`devdb: while ending: ${failure.message}`);
}
