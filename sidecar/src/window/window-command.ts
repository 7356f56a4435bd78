import { Lifetime } from '@devdb/shared/lifetime';
import type { Command, CommandContext, ProcessParts } from '../cli/command.ts';
import { endInTime } from '../cli/end-in-time.ts';
import { openLog } from '../cli/open-log.ts';
import type { HomeLock } from '../registry/home-lock.ts';

/** A sidecar that serves a window. */
export interface WindowSidecar {
  readonly installation: Promise<{ readonly lock: HomeLock }>;
  readonly pipe: { close(): void };
}

type Compose = (parts: ProcessParts, end: () => void) => WindowSidecar;

/** The sidecar of an editor window: serves its folders for as long as the pipe on stdin and stdout is open. */
export const windowCommand = (compose: Compose): Command => ({
  name: 'sidecar',
  usage: 'sidecar',
  summary: 'Serves the folders of an editor window over a pipe; the DevDB extension starts it.',
  help: [],
  options: {},
  hidden: true,
  runsFromCopy: true,
  run: (_values, _positionals, context) => serveWindow(compose, context),
});

async function serveWindow(compose: Compose, context: CommandContext): Promise<number> {
  const stop = new AbortController();
  const lifetime = new Lifetime();
  const log = lifetime.own(openLog(context), (it) => it.close()).log;
  const ended = Promise.withResolvers<void>();
  const end = () => {
    stop.abort();
    ended.resolve();
  };
  const { installation, pipe } = compose({ context, lifetime, log, signal: stop.signal }, end);
  let lock: HomeLock | undefined;
  process.once('SIGTERM', end);
  process.once('SIGINT', end);
  try {
    lock = (await installation).lock;
    await ended.promise;
    return 0;
  } finally {
    await endInTime(lifetime, context, () => lock?.isWaitedFor === true);
    pipe.close();
    // Otherwise an editor that keeps its end open would keep this process alive until the hard stop.
    process.stdin.destroy();
  }
}
