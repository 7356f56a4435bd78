import type { Lifetime } from '@devdb/shared/lifetime';
import { SHUTDOWN_GRACE_MS } from '@devdb/shared/limits';
import type { CommandContext } from './command.ts';

/** Closes everything a process opened; what hangs is cut off by the exit a few seconds later. */
export async function endInTime(lifetime: Lifetime, context: CommandContext): Promise<void> {
  // Not cleared: a handle that somebody forgot keeps a process alive just as a close that hangs does.
  setTimeout(() => process.exit(1), SHUTDOWN_GRACE_MS).unref();
  for (const failure of await lifetime.end()) context.complain(`devdb: while ending: ${failure.message}`);
}
