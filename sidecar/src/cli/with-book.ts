import type { DatabaseBook } from '../databases/database-book.ts';
import type { OnBroken } from '../host/files.ts';
import { createLog, type Log, logLevelOf, streamSink } from '../host/log.ts';
import { projectBook } from '../project/project-book.ts';
import { HomeLock } from '../registry/home-lock.ts';
import type { CommandContext } from './command.ts';

export interface BookAndLog {
  readonly book: DatabaseBook;
  readonly log: Log;
}

/** Runs a command with the project's databases; Ctrl-C aborts it. */
export async function withBook<T>(
  projectRoot: string,
  { home, bundleDir, env, complain }: CommandContext,
  work: (parts: BookAndLog, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const stop = new AbortController();
  const onSignal = () => stop.abort(new Error('ended by Ctrl-C.'));
  process.once('SIGINT', onSignal);
  // A command answers on stdout; its log is only for users who ask for one.
  const level = env['DEVDB_LOG_LEVEL'] === undefined ? 'error' : logLevelOf(env['DEVDB_LOG_LEVEL']);
  const log = createLog({ level, sinks: [streamSink(process.stderr)] });
  const onBroken: OnBroken = ({ file, movedTo }) =>
    complain(`${file} could not be read${movedTo === file ? '' : ` and was moved to ${movedTo}`}.`);
  const lock = new HomeLock({ home, bundleDir });
  try {
    return await work(
      { book: projectBook({ home, lock, log, onBroken, bundleDir }, projectRoot, env), log },
      stop.signal,
    );
  } finally {
    process.off('SIGINT', onSignal);
  }
}
