import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { BUSY_TIMEOUT_MS } from '@devdb/shared/limits';
import { nativeBindingFile } from '../../../host/native.ts';
import { Answerer } from './answerer.ts';
import { Connection } from './connection.ts';
import { Pipe } from './pipe.ts';
import { StatementClock } from './statement-clock.ts';

/** One child: answers one request after the other until its input ends. */
function main(file: string, bundleDir: string): void {
  const clock = StatementClock.create();
  new Worker(join(bundleDir, 'sqlite-watch.js'), {
    workerData: clock.memory,
    resourceLimits: WATCH_LIMITS,
    // Streams of its own: joined to the main thread's, they would set the pipe to the parent to non-blocking.
    stdout: true,
    stderr: true,
  });
  const connection = new Connection({
    file,
    nativeBinding: nativeBindingFile(bundleDir),
    busyTimeoutMs: BUSY_TIMEOUT_MS,
  });
  const pipe = new Pipe();
  const answerer = new Answerer(connection, clock, (frame) => pipe.write(frame));
  for (let text = pipe.read(); text !== undefined; text = pipe.read()) answerer.handle(text);
  connection.release();
}

const WATCH_LIMITS = { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 2 };

const [, , file] = process.argv;
if (file === undefined) {
  process.stderr.write('sqlite-child runs inside DevDB: it is given the database file and its pipes.\n');
  process.exit(2);
}
try {
  main(file, import.meta.dirname);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
} finally {
  // The watching thread waits for its pipe: an orderly exit would wait for that thread.
  process.kill(process.pid, 'SIGKILL');
}
