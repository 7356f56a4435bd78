import { AppError } from '@devdb/shared/errors';
import { errorOf } from '../../test/helpers/error-of.ts';
import { AnswerRoom } from './answer-room.ts';
import { LARGE_ANSWER_BYTES } from './limits.ts';

const ENDLESS = new AbortController().signal;

/** Room for this many large answers. */
function roomFor(answers: number): AnswerRoom {
  return new AnswerRoom(answers * LARGE_ANSWER_BYTES);
}

test('calls enter until their possible answers fill the room, and again when one has left', () => {
  const room = roomFor(2);
  expect([room.tryEnter(), room.tryEnter(), room.tryEnter()]).toEqual([true, true, false]);
  room.leave();
  expect([room.tryEnter(), room.tryEnter()]).toEqual([true, false]);
});

test('unread answers leave less room, over all doors together', () => {
  const room = roomFor(3);
  const unread = [0, 0];
  for (const door of [0, 1]) room.watch(() => unread[door] ?? 0);
  unread[0] = LARGE_ANSWER_BYTES;
  unread[1] = LARGE_ANSWER_BYTES;
  expect([room.tryEnter(), room.tryEnter()]).toEqual([true, false]);
  unread[0] = 0;
  expect(room.tryEnter()).toBe(true);
});

test('waiting calls enter in order, each when there is room, and none overtakes', async () => {
  const room = roomFor(1);
  room.tryEnter();
  const order: string[] = [];
  const calls = ['first', 'second'].map(async (name) => {
    await room.enter(ENDLESS);
    order.push(name);
  });
  expect(room.tryEnter()).toBe(false);
  room.leave();
  expect(room.tryEnter()).toBe(false);
  await calls[0];
  expect(order).toEqual(['first']);
  room.leave();
  await calls[1];
  expect(order).toEqual(['first', 'second']);
});

test('a closed door makes room for waiting calls', async () => {
  const room = roomFor(1);
  const gone = room.watch(() => LARGE_ANSWER_BYTES);
  expect(room.tryEnter()).toBe(false);
  const waiting = room.enter(ENDLESS);
  gone();
  await waiting;
  expect(room.unread).toBe(0);
});

test('a deadline says what the call waited for, and the call no longer takes room', async () => {
  const room = roomFor(1);
  const gone = room.watch(() => LARGE_ANSWER_BYTES);
  const deadline = new AbortController();
  const waiting = errorOf(room.enter(deadline.signal));
  deadline.abort(new AppError('E_TIMEOUT', 'run-query was told to stop.', { details: { timeoutMs: 5 } }));
  expect(await waiting).toMatchObject({
    code: 'E_TIMEOUT',
    message:
      'run-query was told to stop. It did not run: 1 MiB of answers are waiting for clients that do not read them, and 0 calls are running.',
    details: { timeoutMs: 5 },
  });
  expect((await errorOf(room.enter(deadline.signal))).code).toBe('E_TIMEOUT');
  gone();
  expect([room.tryEnter(), room.tryEnter()]).toEqual([true, false]);
});

test('a caller that cancels while it waits gets only that error', async () => {
  const room = roomFor(0);
  const caller = new AbortController();
  const waiting = errorOf(room.enter(caller.signal));
  caller.abort(new AppError('E_CANCELLED', 'Not wanted.'));
  expect(await waiting).toMatchObject({ code: 'E_CANCELLED', message: 'Not wanted.' });
});
