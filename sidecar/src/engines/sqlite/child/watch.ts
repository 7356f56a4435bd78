import { readSync, writeSync } from 'node:fs';
import { workerData } from 'node:worker_threads';
import { CPU_ANSWER_BYTES, StatementClock, WATCH_FD } from './statement-clock.ts';

/**
 * A thread of its own, so that it answers while a statement keeps the main thread busy. The pipe from the parent closes
 * when the parent is gone, however it went: then nobody waits for the statement, and only a kill can end it.
 */
function watch(clock: StatementClock): void {
  const request = Buffer.alloc(1);
  const answer = Buffer.alloc(CPU_ANSWER_BYTES);
  while (readSync(WATCH_FD, request) > 0) {
    const { statement, cpuMs, wallMs } = clock.read();
    answer.writeDoubleLE(statement, 0);
    answer.writeDoubleLE(cpuMs, 8);
    answer.writeDoubleLE(wallMs, 16);
    writeSync(WATCH_FD, answer);
  }
}

try {
  watch(StatementClock.over(workerData));
} finally {
  process.kill(process.pid, 'SIGKILL');
}
