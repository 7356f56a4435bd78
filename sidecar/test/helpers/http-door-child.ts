import { AppError } from '@devdb/shared/errors';
import { AnswerRoom } from '../../src/dispatch/answer-room.ts';
import { Dispatch } from '../../src/dispatch/dispatch.ts';
import { openDoor, ROOT } from './http-door.ts';

/** A process with nothing but the HTTP doors and the gate, for a fuzzer, and to measure its memory. */
const answers = new AnswerRoom();
const dispatch = new Dispatch({
  projectRoot: ROOT,
  isOn: () => true,
  policy: async () => undefined,
  runnerOf: (tool) => async () => {
    if (tool.name === 'list-connections') return { connections: [], skipped: [] };
    throw new AppError('E_NO_CONNECTION', 'There is no database here.', { hint: 'This is a test.' });
  },
  answers,
  log: () => undefined,
});

const unexpected: string[] = [];
process.on('uncaughtException', (error) => unexpected.push(String(error.stack)));
process.on('unhandledRejection', (reason) => unexpected.push(String(reason)));

const door = await openDoor(
  {},
  { gate: dispatch, answers, timing: { headersMs: 1_000, bodyMs: 2_000, idleMs: 5_000, closeGraceMs: 500 } },
);

process.on('message', () => {
  globalThis.gc?.();
  const inside = door.logged.map(({ event, facts }) => `${event}: ${String(facts['error'] ?? facts['message'])}`);
  process.send?.({
    heapBytes: process.memoryUsage().heapUsed,
    rssBytes: process.memoryUsage().rss,
    unexpected,
    inside,
  });
});
process.send?.({ port: door.port });
