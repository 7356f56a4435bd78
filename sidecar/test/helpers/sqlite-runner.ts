import { AppError } from '@devdb/shared/errors';
import { HeldBytes } from '../../src/engines/held-bytes.ts';
import { open } from '../../src/engines/sqlite/session.ts';
import { readOf, writeOf } from './statements.ts';

/** A process with its own session: runs one statement and prints its outcome as JSON. For tests that kill it. */
async function run(bundleDir: string, file: string, effect: string, sql: string): Promise<unknown> {
  const session = open({ file }, { projectRoot: '/', bundleDir, log: () => undefined, held: new HeldBytes() });
  const caps = { rows: 500, bytes: 32 * 1024, cellBytes: 4 * 1024 };
  const signal = AbortSignal.timeout(60_000);
  try {
    return effect === 'write'
      ? await writeOf(session, sql, caps, undefined, signal)
      : await readOf(session, sql, caps, signal);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { error: { code: error.code, message: error.message, hint: error.hint, details: error.details } };
  } finally {
    await session.end();
  }
}

const [, , bundleDir = '', file = '', effect = '', sql = ''] = process.argv;
void run(bundleDir, file, effect, sql).then((outcome) => process.stdout.write(JSON.stringify(outcome)));
