import { once } from 'node:events';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { FRAME_KINDS, textFrame } from '../frames.ts';
import { Answerer } from './answerer.ts';
import { Connection } from './connection.ts';
import { Pipe } from './pipe.ts';
import { StatementClock } from './statement-clock.ts';

/** After this many answers the event loop gets a turn. */
const ANSWERS_A_TURN = 64;

/**
 * One child: answers requests one after the other until its input ends. Waiting for a request blocks the thread, which
 * is the fastest way to answer; but finished statements are only freed in the event loop, so that gets a turn.
 */
async function main(file: string, nativeBinding: string, bundleDir: string): Promise<void> {
  const clock = StatementClock.create();
  const watch = new Worker(join(bundleDir, 'sqlite-watch.js'), {
    workerData: clock.memory,
    resourceLimits: WATCH_LIMITS,
    // Its own streams: if they were joined to the main thread's, they would make the pipe to the parent non-blocking.
    stdout: true,
    stderr: true,
  });
  const connection = new Connection({
    file,
    nativeBinding,
  });
  connection.loadDriver();
  const pipe = new Pipe();
  const answerer = new Answerer(connection, clock, (frame) => pipe.write(frame));
  // Otherwise the thread's start would count as CPU time of the first statement.
  await once(watch, 'message');
  pipe.write(textFrame(FRAME_KINDS.ready, ''));
  let answers = 0;
  for (let text = pipe.read(); text !== undefined; text = pipe.read()) {
    answerer.handle(text);
    answers += 1;
    if (answers % ANSWERS_A_TURN === 0) await nextTurn();
  }
  connection.release(false);
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

const WATCH_LIMITS = { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 2 };

const [, , file, nativeBinding] = process.argv;
if (file === undefined || nativeBinding === undefined) {
  process.stderr.write('sqlite-child runs inside DevDB: it is given the database file, the driver and its pipes.\n');
  process.exit(2);
}
main(file, nativeBinding, import.meta.dirname)
  .catch((error: unknown) => process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`))
  // The watching thread waits for its pipe, and a normal exit would wait for that thread.
  .finally(() => process.kill(process.pid, 'SIGKILL'));
