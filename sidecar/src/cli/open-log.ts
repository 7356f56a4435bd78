import { join } from 'node:path';
import { ensureHome } from '../host/home.ts';
import { createLog, type Log, logLevelOf, streamSink } from '../host/log.ts';
import { LogFile } from '../host/log-file.ts';
import type { CommandContext } from './command.ts';

/** The log of a process that serves: one JSON line per event, on stderr and in the home. */
export function openLog({ home, env }: CommandContext): { readonly log: Log; close(): Promise<void> } {
  ensureHome(home);
  const stderr = streamSink(process.stderr);
  const file = new LogFile({
    file: join(home.logs, 'sidecar.log'),
    onFailure: (error) =>
      stderr(`${JSON.stringify({ level: 'error', event: 'log-file-failed', error: String(error) })}\n`),
  });
  const log = createLog({ level: logLevelOf(env['DEVDB_LOG_LEVEL']), sinks: [stderr, (line) => file.write(line)] });
  return { log, close: () => file.close() };
}
