import { readSync, writeSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { USAGE_BYTES, writeUsage } from '../usage-bytes.ts';
import { StatementClock, WATCH_FD } from './statement-clock.ts';
import { temporaryBytes } from './temporary-files.ts';

/**
 * A separate thread, so that it answers while a statement keeps the main thread busy. The pipe closes when the parent
 * is gone, in whatever way: then no call waits for the statement, and only a kill can end it.
 */
function watch(clock: StatementClock): void {
  const request = Buffer.alloc(1);
  const answer = Buffer.alloc(USAGE_BYTES);
  temporaryBytes();
  parentPort?.postMessage('watching');
  while (readSync(WATCH_FD, request) > 0) {
    const memoryBytes = process.memoryUsage.rss();
    writeUsage(answer, { ...clock.read(), memoryBytes, temporaryBytes: temporaryBytes() });
    writeSync(WATCH_FD, answer);
  }
}

try {
  watch(StatementClock.over(workerData));
} finally {
  process.kill(process.pid, 'SIGKILL');
}
